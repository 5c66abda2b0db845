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
  if (text.length < least || !mayShareRun(text, sources, least)) return undefined
  // Whatever is `least` long holds a whole block, wherever it begins: so only whole blocks are remembered.
  return rolled(text, sources, { block: least >> 1, least })
}

interface Lengths {
  readonly block: number
  readonly least: number
}

/**
 * The quick look, which ends nearly every search: false only if no run of `least` can be alike. Every gram of the
 * shorter side is noted; of the longer side, only grams so close together are asked for that each run holds one.
 */
function mayShareRun(text: string, sources: readonly string[], least: number): boolean {
  const length = sources.reduce((sum, source) => sum + source.length, 0)
  const [noted, asked] = text.length < length ? [[text], sources] : [sources, [text]]
  stamp = (stamp + 1) & 0xffff
  if (stamp === 0) {
    stamps.fill(0)
    stamp = 1
  }
  for (const it of noted) {
    let hash = 0
    for (let at = 0; at < it.length; at++) {
      hash = (hash << 2) ^ it.charCodeAt(at)
      stamps[Math.imul(hash, base) >>> stampShift] = stamp
    }
  }
  for (const it of asked) {
    for (let start = 0; start + gram <= it.length; start += least - gram) {
      let hash = 0
      for (let at = start; at < start + gram; at++) hash = (hash << 2) ^ it.charCodeAt(at)
      if (stamps[Math.imul(hash, base) >>> stampShift] !== stamp) continue
      const stretch = { text: it, start, end: start + gram }
      if (noted.some((other) => mayHoldRun(stretch, other, least))) return true
    }
  }
  return false
}

/** False only if the gram stands in `other` nowhere, or in a few places, and what is alike around it is short. */
function mayHoldRun(stretch: Stretch, other: string, least: number): boolean {
  const words = stretch.text.slice(stretch.start, stretch.end)
  let at = other.indexOf(words)
  for (let places = 0; at !== -1; at = other.indexOf(words, at + 1)) {
    const { range } = extended(stretch, other, at)
    if (range.end - range.start >= least || ++places === fewPlaces) return true
  }
  return false
}

const fewPlaces = 4

const gram = 16 // code units: what stands further back has been shifted out of the hash
const stampShift = 16
/** Which search noted a hash last: nothing has to be cleared between searches. */
const stamps = new Uint16Array(1 << (32 - stampShift))
let stamp = 0

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
