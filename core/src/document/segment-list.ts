/**
 * The segments of a document in order, in chunks with sums, so that places are found and segments replaced
 * in time that hardly grows with the document.
 */

import type { Segment } from '../syntax/segment.ts'
import type { Position } from '../text/range.ts'
import { type ChunkSums, lastAtOrBelow, sumsOf } from './chunk-sums.ts'
import { beforeLineBreakPair, lineStartsOf, lineWithin } from './line-starts.ts'
import { type Chunk, chunkSize, chunksOf, lengthBefore } from './segment-chunk.ts'

/** A segment and where it is at the moment; stale after the next edit. */
export interface Located {
  readonly segment: Segment
  /** Zero-based position in the list. */
  readonly index: number
  /** UTF-16 offset of the segment's first code unit in the document. */
  readonly start: number
}

/** Ordered segments with sums of length, line breaks, literal ends and open literals. */
export class SegmentList {
  #chunks: Chunk[]
  #sums: ChunkSums | undefined
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

  /** The last segment. */
  get last(): Segment {
    const last = this.#chunks.at(-1)?.segments.at(-1)
    if (!last) throw new RangeError('An empty list has no last segment')
    return last
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
    const origin = sums.offsets[chunkIndex] ?? 0
    const { offsets } = chunk.places
    const inChunk = lastAtOrBelow(offsets, offset - origin, offsets.length)
    const segment = chunk.segments[inChunk]
    if (!segment) throw new RangeError(`Invalid offset ${offset} in an empty list`)
    return {
      segment,
      index: (sums.counts[chunkIndex] ?? 0) + inChunk,
      start: origin + (offsets[inChunk] ?? 0),
    }
  }

  /** Where `segment` is, or undefined if it is not (or no longer) in the list. */
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

  /** Index of the first segment at or after `index` that contains a literal end, or undefined. */
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
    const { line, character } = this.startPosition(located)
    const { text } = located.segment
    const local = beforeLineBreakPair(text, target - located.start)
    const within = lineWithin(located.segment, local)
    if (within.line === 0) return { line, character: character + local }
    return { line: line + within.line, character: local - within.start }
  }

  /** Where a segment of this list begins; the same as {@link positionAt} its first code unit, in less time. */
  startPosition({ index }: Located): Position {
    const sums = this.#total()
    const chunkIndex = lastAtOrBelow(sums.counts, index, this.#chunks.length)
    const chunk = this.#chunk(chunkIndex)
    const inChunk = index - (sums.counts[chunkIndex] ?? 0)
    const line = chunk.places.lines[inChunk] ?? 0
    const character = chunk.places.characters[inChunk] ?? 0
    const isFirstLine = line === 0
    return {
      line: (sums.lines[chunkIndex] ?? 0) + line,
      character: isFirstLine ? (sums.characters[chunkIndex] ?? 0) + character : character,
    }
  }

  /** The offset of `position`. A character after the line's end means the line's end; a line after the last, the end. */
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
        return start + (lineStartsOf(segment).at(line - before - 1) ?? 0)
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
  #total(): ChunkSums {
    this.#sums ??= sumsOf(this.#chunks)
    return this.#sums
  }
}
