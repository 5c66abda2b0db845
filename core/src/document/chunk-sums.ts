/** What is before each chunk of a document, in sums: places are found by halving. */
import type { Chunk } from './segment-chunk.ts'

/** Sums over the chunks before; the last entry is that of the whole document. */
export interface ChunkSums {
  /** Code units. */
  readonly offsets: Float64Array
  /** Line breaks. */
  readonly lines: Float64Array
  /** Segments. */
  readonly counts: Float64Array
  /** The character at which the chunk starts in its line. */
  readonly characters: Float64Array
}

/** The sums over `chunks`, in one plain pass, because every edit makes it; entry `n` is the sum of the chunks before `n`. */
export function sumsOf(chunks: readonly Chunk[]): ChunkSums {
  const size = chunks.length + 1
  const sums: ChunkSums = {
    offsets: new Float64Array(size),
    lines: new Float64Array(size),
    counts: new Float64Array(size),
    characters: new Float64Array(size),
  }
  let [offset, line, count, character] = [0, 0, 0, 0]
  for (let index = 0; index < chunks.length; index++) {
    const chunk = chunks[index] as Chunk
    offset += chunk.length
    line += chunk.lineBreaks
    count += chunk.segments.length
    character = chunk.lineBreaks > 0 ? chunk.lastLineLength : character + chunk.length
    sums.offsets[index + 1] = offset
    sums.lines[index + 1] = line
    sums.counts[index + 1] = count
    sums.characters[index + 1] = character
  }
  return sums
}

/** Index of the last of the first `count` sums that is at most `value`. */
export function lastAtOrBelow(sums: Float64Array, value: number, count: number): number {
  let low = 0
  let high = count - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((sums[middle] ?? 0) <= value) low = middle
    else high = middle - 1
  }
  return low
}
