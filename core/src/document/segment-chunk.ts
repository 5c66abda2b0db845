/** Chunks of neighbouring segments with the sums of what their segments tell: what a keystroke copies and adds up again. */
import type { Segment } from '../syntax/segment.ts'

/** Segments per chunk: copied per keystroke; twice as many before a chunk is cut, see bench. */
export const chunkSize = 128

let chunksNamed = 0

/** Neighbouring segments and their sums. Its identity outlives an edit, so that its segments need not be told apart again. */
export class Chunk {
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

/** `segments` in chunks numbered from `ordinal`; one chunk as long as there are at most `whole`. */
export function chunksOf(segments: readonly Segment[], ordinal = 0, whole = chunkSize): Chunk[] {
  if (segments.length === 0) return []
  if (segments.length <= whole) return [new Chunk(segments, ordinal)]
  const chunks: Chunk[] = []
  for (let start = 0; start < segments.length; start += chunkSize) {
    chunks.push(new Chunk(segments.slice(start, start + chunkSize), ordinal + chunks.length))
  }
  return chunks
}

/** Code units of the segments of `chunk` before the one at `inChunk`. */
export function lengthBefore(chunk: Chunk, inChunk: number): number {
  let length = 0
  for (let index = 0; index < inChunk; index++) length += chunk.segments[index]?.length ?? 0
  return length
}
