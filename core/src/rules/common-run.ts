/** Finds a long run of text that stands in two texts alike, in time proportional to both. */
import type { Range } from '../text/range.ts'

/** A run of a text and where it comes from. */
export interface CommonRun {
  /** In the text that was searched. */
  readonly range: Range
  /** Which of the sources has it, and where. */
  readonly source: number
  readonly sourceRange: Range
}

/**
 * The first run of at least `least` UTF-16 code units of `text` that stands in one of `sources` as well, as long as it
 * is there. A run that is nothing but a pattern, such as a line of dashes, does not count.
 */
export function commonRun(text: string, sources: readonly string[], least: number): CommonRun | undefined {
  // Whatever is `least` long holds a whole block, wherever it begins: so only whole blocks are remembered.
  const block = least >> 1
  if (text.length < least) return undefined
  const length = sources.reduce((sum, source) => sum + source.length, 0)
  return length * text.length <= searchedAtMost
    ? searched(text, sources, { block, least })
    : rolled(text, sources, { block, least })
}

interface Lengths {
  readonly block: number
  readonly least: number
}

// The engine's search for a block skips nearly all of a short text; in long texts that would not be linear.
const searchedAtMost = 1 << 20

function searched(
  text: string,
  sources: readonly string[],
  { block, least }: Lengths,
): CommonRun | undefined {
  for (let start = 0; start + block <= text.length; start += block) {
    const words = text.slice(start, start + block)
    for (const [source, hidden] of sources.entries()) {
      const at = hidden.indexOf(words)
      if (at === -1) continue
      const run = longRun({ text, start, end: start + block }, hidden, { at, least })
      if (run) return { ...run, source }
    }
  }
  return undefined
}

function rolled(text: string, sources: readonly string[], { block, least }: Lengths): CommonRun | undefined {
  const blocks = blocksOf(sources, block)
  if (blocks.size === 0) return undefined
  sieve.fill(0)
  for (const hash of blocks.keys()) sieve[hash & sieveMask] = 1
  const leaving = power(block)
  let hash = 0
  for (let end = 0; end < text.length; end++) {
    hash = (Math.imul(hash, base) + text.charCodeAt(end)) | 0
    const start = end + 1 - block
    if (start > 0) hash = (hash - Math.imul(text.charCodeAt(start - 1), leaving)) | 0
    if (start < 0 || sieve[hash & sieveMask] === 0) continue
    const place = blocks.get(hash)
    const source = place && sources[place.source]
    if (source === undefined || !source.startsWith(text.slice(start, end + 1), place?.at)) continue
    const run = longRun({ text, start, end: end + 1 }, source, { at: place?.at ?? 0, least })
    if (run) return { ...run, source: place?.source ?? 0 }
  }
  return undefined
}

const base = 0x01000193 // a prime: neighbouring characters end up far apart

// Nearly every place is in no source: a look into a small table that is used again and again says so.
const sieveMask = 0xfff
const sieve = new Uint8Array(sieveMask + 1)

function power(exponent: number): number {
  let result = 1
  for (let index = 0; index < exponent; index++) result = Math.imul(result, base)
  return result
}

interface BlockPlace {
  readonly source: number
  readonly at: number
}

function blocksOf(sources: readonly string[], block: number): ReadonlyMap<number, BlockPlace> {
  const blocks = new Map<number, BlockPlace>()
  for (const [source, text] of sources.entries()) {
    for (let at = 0; at + block <= text.length; at += block) {
      let hash = 0
      for (let index = at; index < at + block; index++) {
        hash = (Math.imul(hash, base) + text.charCodeAt(index)) | 0
      }
      if (!blocks.has(hash)) blocks.set(hash, { source, at })
    }
  }
  return blocks
}

interface Stretch {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** The stretch with all that is alike around it in `source`; undefined if that is too short, or a mere pattern. */
function longRun(
  stretch: Stretch,
  source: string,
  { at, least }: { readonly at: number; readonly least: number },
): Pick<CommonRun, 'range' | 'sourceRange'> | undefined {
  const run = extended(stretch, source, at)
  const found = stretch.text.slice(run.range.start, run.range.end)
  return found.length >= least && isVaried(found) ? run : undefined
}

function extended(
  { text, start, end }: Stretch,
  source: string,
  at: number,
): Pick<CommonRun, 'range' | 'sourceRange'> {
  let before = 0
  while (
    before < Math.min(start, at) &&
    text.charCodeAt(start - before - 1) === source.charCodeAt(at - before - 1)
  ) {
    before++
  }
  let length = end - start
  while (
    start + length < text.length &&
    at + length < source.length &&
    text.charCodeAt(start + length) === source.charCodeAt(at + length)
  ) {
    length++
  }
  return {
    range: { start: start - before, end: start + length },
    sourceRange: { start: at - before, end: at + length },
  }
}

const fewestCharacters = 12 // prose has more within a line, rules of a table have not

function isVaried(run: string): boolean {
  return new Set(run.slice(0, 200)).size >= fewestCharacters
}
