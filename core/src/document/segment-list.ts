/**
 * The segments of a document in order, in chunks with sums, so that places are found and segments replaced
 * in time that hardly grows with the document.
 */

import type { Segment } from '../syntax/segment.ts'
import { afterLineBreak, nextLineBreak } from '../text/line-breaks.ts'
import { perValue } from '../text/memo.ts'
import type { Position } from '../text/range.ts'

/** A segment and where it stands at the moment; stale after the next edit. */
export interface Located {
  readonly segment: Segment
  /** Zero-based position in the list. */
  readonly index: number
  /** UTF-16 offset of the segment's first code unit in the document. */
  readonly start: number
}

const chunkSize = 128 // copied per keystroke; twice as many before a chunk is cut, see bench

/** Ordered segments with sums of length, line breaks, literal ends and open literals. */
export class SegmentList {
  #chunks: Chunk[]
  #sums: Sums | undefined
  readonly #homes = new Map<number, Chunk>()

  constructor(segments: readonly Segment[]) {
    this.#chunks = chunksOf(segments)
    for (const chunk of this.#chunks) this.#homes.set(chunk.name, chunk)
  }

  /** How many segments there are. */
  get count(): number {
    return this.#total().counts.at(-1) ?? 0
  }

  /** Length of the document in UTF-16 code units. */
  get length(): number {
    return this.#total().offsets.at(-1) ?? 0
  }

  /** Line breaks of the document; it has one more line. */
  get lineBreaks(): number {
    return this.#total().lines.at(-1) ?? 0
  }

  /** The segment at `index`. */
  at(index: number): Located {
    const sums = this.#total()
    const chunkIndex = lastAtOrBelow(sums.counts, index, this.#chunks.length)
    const chunk = this.#chunk(chunkIndex)
    const inChunk = index - (sums.counts[chunkIndex] ?? 0)
    const segment = chunk.segments[inChunk]
    if (!segment) throw new RangeError(`Invalid segment index ${index} in a list of ${this.count}`)
    return { segment, index, start: (sums.offsets[chunkIndex] ?? 0) + lengthBefore(chunk, inChunk) }
  }

  /** The segment that contains `offset`; at a boundary the one that starts there, at the end the last one. */
  find(offset: number): Located {
    const sums = this.#total()
    const chunkIndex = lastAtOrBelow(sums.offsets, offset, this.#chunks.length)
    const chunk = this.#chunk(chunkIndex)
    let start = sums.offsets[chunkIndex] ?? 0
    let inChunk = 0
    const last = chunk.segments.length - 1
    for (; inChunk < last; inChunk++) {
      const next = start + (chunk.segments[inChunk]?.length ?? 0)
      if (offset < next) break
      start = next
    }
    const segment = chunk.segments[inChunk]
    if (!segment) throw new RangeError(`Invalid offset ${offset} in an empty list`)
    return { segment, index: (sums.counts[chunkIndex] ?? 0) + inChunk, start }
  }

  /** Where `segment` stands, or undefined if it is not (or no longer) in the list. */
  locate(segment: Segment): Located | undefined {
    const chunk = this.#homes.get(segment.home)
    const inChunk = chunk?.segments.indexOf(segment) ?? -1
    if (!chunk || inChunk === -1) return undefined
    const sums = this.#total()
    return {
      segment,
      index: (sums.counts[chunk.ordinal] ?? 0) + inChunk,
      start: (sums.offsets[chunk.ordinal] ?? 0) + lengthBefore(chunk, inChunk),
    }
  }

  /** The segments from `index` on, with their places. Do not edit while iterating. */
  *from(index = 0): IterableIterator<Located> {
    if (index >= this.count) return
    const sums = this.#total()
    let chunkIndex = lastAtOrBelow(sums.counts, index, this.#chunks.length)
    let inChunk = index - (sums.counts[chunkIndex] ?? 0)
    let current = index
    let start = (sums.offsets[chunkIndex] ?? 0) + lengthBefore(this.#chunk(chunkIndex), inChunk)
    for (; chunkIndex < this.#chunks.length; chunkIndex++) {
      const { segments } = this.#chunk(chunkIndex)
      for (; inChunk < segments.length; inChunk++) {
        const segment = segments[inChunk] as Segment
        yield { segment, index: current, start }
        current++
        start += segment.length
      }
      inChunk = 0
    }
  }

  /** Calls `visit` for every segment in order; quicker than iterating where places are not needed. */
  forEach(visit: (segment: Segment) => void): void {
    for (const chunk of this.#chunks) {
      for (const segment of chunk.segments) visit(segment)
    }
  }

  /** The first segment from `index` on for which `test` holds; quicker than iterating where places are not needed. */
  findFirst(test: (segment: Segment, index: number) => boolean, index = 0): Segment | undefined {
    if (index >= this.count) return undefined
    const { counts } = this.#total()
    let chunkIndex = lastAtOrBelow(counts, index, this.#chunks.length)
    let inChunk = index - (counts[chunkIndex] ?? 0)
    let current = index
    for (; chunkIndex < this.#chunks.length; chunkIndex++) {
      const { segments } = this.#chunk(chunkIndex)
      for (; inChunk < segments.length; inChunk++) {
        const segment = segments[inChunk] as Segment
        if (test(segment, current++)) return segment
      }
      inChunk = 0
    }
    return undefined
  }

  /** The last segment before `index` for which `test` holds; by default the last one of all. */
  findLast(test: (segment: Segment) => boolean, index = this.count): Segment | undefined {
    if (index <= 0) return undefined
    const { counts } = this.#total()
    let chunkIndex = lastAtOrBelow(counts, index - 1, this.#chunks.length)
    let inChunk = index - 1 - (counts[chunkIndex] ?? 0)
    for (; chunkIndex >= 0; chunkIndex--) {
      const { segments } = this.#chunk(chunkIndex)
      for (inChunk = Math.min(inChunk, segments.length - 1); inChunk >= 0; inChunk--) {
        const segment = segments[inChunk] as Segment
        if (test(segment)) return segment
      }
      inChunk = Number.POSITIVE_INFINITY
    }
    return undefined
  }

  /** Replaces `deleteCount` segments from `index` on by `inserted`. */
  splice(index: number, deleteCount: number, inserted: readonly Segment[]): void {
    const sums = this.#total()
    const first = Math.max(
      0,
      lastAtOrBelow(sums.counts, Math.min(index, this.count - 1), this.#chunks.length),
    )
    const before = index - (sums.counts[first] ?? 0)
    const endIndex = index + deleteCount
    let last = first
    while (last + 1 < this.#chunks.length && (sums.counts[last + 1] ?? 0) < endIndex) last++
    const behind = endIndex - (sums.counts[last] ?? 0)
    const kept = [
      ...(this.#chunks[first]?.segments.slice(0, before) ?? []),
      ...inserted,
      ...(this.#chunks[last]?.segments.slice(behind) ?? []),
    ]
    const only = first === last ? this.#chunks[first] : undefined
    if (only && kept.length > 0 && kept.length <= 2 * chunkSize) {
      only.fill(kept) // what nearly every edit does: the chunk stays
    } else {
      const replaced = this.#chunks.slice(first, last + 1)
      const chunks = chunksOf(kept, first, 2 * chunkSize)
      this.#chunks.splice(first, replaced.length, ...chunks)
      if (chunks.length !== replaced.length) this.#renumber(first)
      for (const { name } of replaced) this.#homes.delete(name)
      for (const chunk of chunks) this.#homes.set(chunk.name, chunk)
    }
    this.#sums = undefined
  }

  /** Index of the first segment in which a literal block is open, or undefined. */
  firstOpenLiteral(): number | undefined {
    return this.#firstIndex(
      0,
      (chunk) => chunk.openLiterals,
      (segment) => segment.hasOpenLiteral,
    )
  }

  /** Index of the first segment at or behind `index` that contains a literal end, or undefined. */
  firstEndLiteral(index: number): number | undefined {
    return this.#firstIndex(
      index,
      (chunk) => chunk.endLiterals,
      (segment) => segment.endLiterals > 0,
    )
  }

  /** The position of `offset`, which is clamped to the document; never between `\r` and `\n`. */
  positionAt(offset: number): Position {
    const target = Math.max(0, Math.min(offset, this.length))
    if (this.count === 0) return { line: 0, character: 0 }
    const located = this.find(target)
    const { line, character } = this.#startPosition(located)
    const { text } = located.segment
    const local = beforeLineBreakPair(text, target - located.start)
    const starts = lineStartsWithin(located.segment, local)
    const passed = starts.length === 0 ? 0 : countAtOrBelow(starts, local)
    const lineStart = starts[passed - 1]
    if (lineStart === undefined) return { line, character: character + local }
    return { line: line + passed, character: local - lineStart }
  }

  /** The offset of `position`. A character behind the line's end means the line's end; a line behind the last, the end. */
  offsetAt(position: Position): number {
    if (position.line < 0) return 0
    if (position.line > this.lineBreaks) return this.length
    const start = this.#lineStart(position.line)
    const end = position.line === this.lineBreaks ? this.length : this.#lineEnd(position.line)
    return Math.min(start + Math.max(0, position.character), end)
  }

  #lineStart(line: number): number {
    if (line === 0) return 0
    const sums = this.#total()
    const chunkIndex = lastAtOrBelow(sums.lines, line - 1, this.#chunks.length)
    const chunk = this.#chunk(chunkIndex)
    let before = sums.lines[chunkIndex] ?? 0
    let start = sums.offsets[chunkIndex] ?? 0
    for (const segment of chunk.segments) {
      if (line - before <= segment.lineBreaks) {
        return start + (lineStartsOf(segment)[line - before - 1] ?? 0)
      }
      before += segment.lineBreaks
      start += segment.length
    }
    return this.length
  }

  /** The offset of the line break that ends `line`, which is not the last one. */
  #lineEnd(line: number): number {
    const next = this.#lineStart(line + 1)
    const located = this.find(next - 1)
    const local = next - 1 - located.start
    const isPair = local > 0 && beforeLineBreakPair(located.segment.text, local) < local
    return isPair ? next - 2 : next - 1
  }

  /** Line and character of a segment's first code unit. */
  #startPosition(located: Located): Position {
    const sums = this.#total()
    const chunkIndex = lastAtOrBelow(sums.counts, located.index, this.#chunks.length)
    const chunk = this.#chunk(chunkIndex)
    let line = sums.lines[chunkIndex] ?? 0
    let character = sums.characters[chunkIndex] ?? 0
    const inChunk = located.index - (sums.counts[chunkIndex] ?? 0)
    for (let index = 0; index < inChunk; index++) {
      const segment = chunk.segments[index] as Segment
      line += segment.lineBreaks
      character = segment.lineBreaks > 0 ? segment.lastLineLength : character + segment.length
    }
    return { line, character }
  }

  #firstIndex(
    from: number,
    sumOf: (chunk: Chunk) => number,
    test: (segment: Segment) => boolean,
  ): number | undefined {
    if (from >= this.count) return undefined
    const sums = this.#total()
    const first = lastAtOrBelow(sums.counts, from, this.#chunks.length)
    for (let chunkIndex = first; chunkIndex < this.#chunks.length; chunkIndex++) {
      const chunk = this.#chunk(chunkIndex)
      if (sumOf(chunk) === 0) continue
      const base = sums.counts[chunkIndex] ?? 0
      for (let inChunk = Math.max(0, from - base); inChunk < chunk.segments.length; inChunk++) {
        if (test(chunk.segments[inChunk] as Segment)) return base + inChunk
      }
    }
    return undefined
  }

  #chunk(index: number): Chunk {
    const chunk = this.#chunks[index]
    if (!chunk) throw new RangeError(`Invalid chunk ${index} in a list of ${this.#chunks.length}`)
    return chunk
  }

  #renumber(from: number): void {
    for (let index = from; index < this.#chunks.length; index++) this.#chunk(index).ordinal = index
  }

  /** Prefix sums over the chunks; entry `n` is the sum of the chunks before `n`. */
  #total(): Sums {
    if (this.#sums) return this.#sums
    const size = this.#chunks.length + 1
    const sums: Sums = {
      offsets: new Float64Array(size),
      lines: new Float64Array(size),
      counts: new Float64Array(size),
      characters: new Float64Array(size),
    }
    this.#chunks.forEach((chunk, index) => {
      sums.offsets[index + 1] = (sums.offsets[index] ?? 0) + chunk.length
      sums.lines[index + 1] = (sums.lines[index] ?? 0) + chunk.lineBreaks
      sums.counts[index + 1] = (sums.counts[index] ?? 0) + chunk.segments.length
      sums.characters[index + 1] =
        chunk.lineBreaks > 0 ? chunk.lastLineLength : (sums.characters[index] ?? 0) + chunk.length
    })
    this.#sums = sums
    return sums
  }
}

let chunksNamed = 0

/** Neighbouring segments and their sums. Its identity outlives an edit, so that its segments need not be told apart again. */
class Chunk {
  /** Tells it from every other chunk of any list. */
  readonly name = ++chunksNamed
  /** Place among the chunks. */
  ordinal: number
  segments: readonly Segment[] = []
  length = 0
  lineBreaks = 0
  /** Code units behind the last line break of the chunk, or its whole length. */
  lastLineLength = 0
  endLiterals = 0
  openLiterals = 0

  constructor(segments: readonly Segment[], ordinal: number) {
    this.ordinal = ordinal
    this.fill(segments)
  }

  /** Takes `segments` in place of those it has. */
  fill(segments: readonly Segment[]): void {
    let length = 0
    let lineBreaks = 0
    let lastLineLength = 0
    let endLiterals = 0
    let openLiterals = 0
    for (const segment of segments) {
      segment.home = this.name
      length += segment.length
      lineBreaks += segment.lineBreaks
      lastLineLength = segment.lineBreaks > 0 ? segment.lastLineLength : lastLineLength + segment.length
      endLiterals += segment.endLiterals
      if (segment.hasOpenLiteral) openLiterals++
    }
    this.segments = segments
    this.length = length
    this.lineBreaks = lineBreaks
    this.lastLineLength = lastLineLength
    this.endLiterals = endLiterals
    this.openLiterals = openLiterals
  }
}

interface Sums {
  readonly offsets: Float64Array
  readonly lines: Float64Array
  readonly counts: Float64Array
  /** The character at which the chunk starts in its line. */
  readonly characters: Float64Array
}

/** `segments` in chunks numbered from `ordinal`; one chunk as long as there are at most `whole`. */
function chunksOf(segments: readonly Segment[], ordinal = 0, whole = chunkSize): Chunk[] {
  if (segments.length === 0) return []
  if (segments.length <= whole) return [new Chunk(segments, ordinal)]
  const chunks: Chunk[] = []
  for (let start = 0; start < segments.length; start += chunkSize) {
    chunks.push(new Chunk(segments.slice(start, start + chunkSize), ordinal + chunks.length))
  }
  return chunks
}

function lengthBefore(chunk: Chunk, inChunk: number): number {
  let length = 0
  for (let index = 0; index < inChunk; index++) length += chunk.segments[index]?.length ?? 0
  return length
}

/** Index of the last of the first `count` sums that is at most `value`. */
function lastAtOrBelow(sums: Float64Array, value: number, count: number): number {
  let low = 0
  let high = count - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((sums[middle] ?? 0) <= value) low = middle
    else high = middle - 1
  }
  return low
}

/** Offsets, relative to the segment, at which its second and further lines start. */
const lineStartsOf = perValue((segment: Segment): Uint32Array => {
  const starts = new Uint32Array(segment.lineBreaks)
  let start = 0
  for (let index = 0; index < starts.length; index++) {
    start = afterLineBreak(segment.text, nextLineBreak(segment.text, start, segment.length))
    starts[index] = start
  }
  return starts
})

const noStarts = new Uint32Array(0)

/** The line starts of a segment, without making them where no line starts before `local`. */
function lineStartsWithin(segment: Segment, local: number): Uint32Array {
  if (segment.lineBreaks === 0) return noStarts
  if (local < 64 && nextLineBreak(segment.text, 0, local) === local) return noStarts // a header without a line break
  return lineStartsOf(segment)
}

function countAtOrBelow(sorted: Uint32Array, value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low
}

/** `local`, moved before a `\r\n` that it would cut in two. */
function beforeLineBreakPair(text: string, local: number): number {
  const isInside = local > 0 && text.charCodeAt(local) === 10 && text.charCodeAt(local - 1) === 13
  return isInside ? local - 1 : local
}
