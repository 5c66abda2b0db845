/** Finds a long run of text that two texts have in common, in time proportional to both. */
import { onRelease } from '../text/memo.ts'
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
 * The first run of at least `least` UTF-16 code units of `text` that is in one of `sources` as well, as long as it
 * is there. A run that is nothing but a pattern, such as a line of dashes, does not count.
 */
export function commonRun(text: string, sources: readonly string[], least: number): CommonRun | undefined {
  if (text.length < least) return undefined
  const stride = Math.max(1, Math.min(longestStride, (least - gram) >> 1))
  notes.read(sources, stride, comparedPerCodeUnit * text.length)
  // Within `reach` code units of a source a noted gram is whole, and each run holds one such stretch of the text.
  const reach = stride + gram - 1
  const { heads, first } = notes
  for (let start = 0; start + reach <= text.length; start += least - reach + 1) {
    let hash = 0
    for (let at = start; at < start + reach; at++) {
      hash = withNext(hash, text.charCodeAt(at))
      // Asked here and not in a method: nearly every gram is in no source, and there are many of them.
      if ((heads[placeOf(hash)] as number) < first || at - start < gram - 1) continue
      const run = notes.runFrom(hash, { text, start: at - gram + 1, end: at + 1 }, least)
      if (run) return run
    }
  }
  return undefined
}

const gram = 8 // code units: what is further back has been shifted out of the hash
const longestStride = 16 // code units between noted grams: about as many are read on either side

function withNext(hash: number, code: number): number {
  return (hash << 4) ^ code
}

/** The grams of the sources. One table serves all searches and is never cleared: older entries have smaller numbers. */
class Notes {
  readonly heads = new Int32Array(1 << tableBits)
  /** For each entry, the entry before it with the same place in the table; and where its gram is. */
  readonly #before = new Int32Array(mostGrams)
  readonly #sourceOf = new Int32Array(mostGrams)
  readonly #at = new Int32Array(mostGrams)
  #sources: readonly string[] = []
  /** The number of the first entry; smaller ones are of searches before. */
  first = 1
  #next = 1
  /** Code units that may still be compared: text that repeats itself has no end of places with the same gram. */
  #mayCompare = 0

  /** Forgets what was read before. `budget` bounds the code units that a search compares. */
  read(sources: readonly string[], stride: number, budget: number): void {
    this.#mayCompare = budget
    if (this.#next > 1 << 30) {
      this.heads.fill(0)
      this.#next = 1
    }
    this.first = this.#next
    this.#sources = sources
    for (let source = 0; source < sources.length; source++) this.#note(sources[source] ?? '', source, stride)
  }

  #note(text: string, source: number, stride: number): void {
    for (let at = 0; at + gram <= text.length; at += stride) {
      const entry = this.#next - this.first
      if (entry === mostGrams) return
      let hash = 0
      for (let index = at; index < at + gram; index++) hash = withNext(hash, text.charCodeAt(index))
      const place = placeOf(hash)
      this.#before[entry] = (this.heads[place] as number) - this.first
      this.#sourceOf[entry] = source
      this.#at[entry] = at
      this.heads[place] = this.#next++
    }
  }

  /** The run around `stretch`, whose hash is `hash`, if a source has one that is long enough. */
  runFrom(hash: number, stretch: Stretch, least: number): CommonRun | undefined {
    let entry = (this.heads[placeOf(hash)] as number) - this.first
    for (; entry >= 0 && this.#mayCompare > 0; entry = this.#before[entry] as number) {
      const source = this.#sourceOf[entry] as number
      const run = this.#longRun(stretch, this.#sources[source] ?? '', this.#at[entry] as number, least)
      if (run) return { ...run, source }
    }
    return undefined
  }

  /** The stretch with all that is alike around it in `source`; undefined if that is too short, or a mere pattern. */
  #longRun(
    stretch: Stretch,
    source: string,
    at: number,
    least: number,
  ): Omit<CommonRun, 'source'> | undefined {
    const { text, start, end } = stretch
    for (let index = start; index < end; index++) {
      if (text.charCodeAt(index) !== source.charCodeAt(at + index - start)) return undefined
    }
    const near = alikeAround(stretch, source, at, least)
    this.#mayCompare -= gram + near.left + near.right
    if (near.left + near.right + gram < least) return undefined
    if (!isVaried(text.slice(start - near.left, end + near.right))) return undefined
    const { left, right } = alikeAround(stretch, source, at, Number.POSITIVE_INFINITY)
    return {
      range: { start: start - left, end: end + right },
      sourceRange: { start: at - left, end: at + gram + right },
    }
  }
}

function placeOf(hash: number): number {
  return Math.imul(hash, 0x01000193) >>> (32 - tableBits)
}

const tableBits = 13 // small enough to stay in the processor's nearest memory
const mostGrams = 1 << 15 // of all sources; beyond half a million code units, the rest is not compared
const comparedPerCodeUnit = 16 // prose needs less than one
const notes = new Notes()

onRelease(() => notes.read([], 1, 0))

interface Stretch {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** How many code units around `stretch` are alike in `source`, to the left and to the right, up to `most` each. */
function alikeAround({ text, start, end }: Stretch, source: string, at: number, most: number) {
  const furthest = Math.min(start, at, most)
  let left = 0
  while (left < furthest && text.charCodeAt(start - left - 1) === source.charCodeAt(at - left - 1)) left++
  const behind = at + end - start
  const longest = Math.min(text.length - end, source.length - behind, most)
  let right = 0
  while (right < longest && text.charCodeAt(end + right) === source.charCodeAt(behind + right)) right++
  return { left, right }
}

const fewestCharacters = 12 // prose has more within a line, rules of a table have not

function isVaried(run: string): boolean {
  return new Set(run).size >= fewestCharacters
}
