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
  /** Code units after the last line break of the chunk, or its whole length. */
  lastLineLength = 0
  endLiterals = 0
  openLiterals = 0
  #places: SegmentPlaces | undefined

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
    this.#places = undefined
    this.length = length
    this.lineBreaks = lineBreaks
    this.lastLineLength = lastLineLength
    this.endLiterals = endLiterals
    this.openLiterals = openLiterals
  }

  /** Where its segments begin, added up when someone asks: answers about whole documents ask for every place. */
  get places(): SegmentPlaces {
    this.#places ??= placesOf(this.segments)
    return this.#places
  }
}

/** Where the segments of a chunk begin, from its start. */
export interface SegmentPlaces {
  /** Code units before each segment. */
  readonly offsets: Float64Array
  /** Line breaks before each segment. */
  readonly lines: Float64Array
  /** The character at which each segment starts; in the first line of the chunk, from the start of the chunk. */
  readonly characters: Float64Array
}

function placesOf(segments: readonly Segment[]): SegmentPlaces {
  const size = segments.length
  const [offsets, lines, characters] = [
    new Float64Array(size),
    new Float64Array(size),
    new Float64Array(size),
  ]
  let [offset, line, character] = [0, 0, 0]
  for (let index = 0; index < size; index++) {
    const segment = segments[index] as Segment
    offsets[index] = offset
    lines[index] = line
    characters[index] = character
    offset += segment.length
    line += segment.lineBreaks
    character = segment.lineBreaks > 0 ? segment.lastLineLength : character + segment.length
  }
  return { offsets, lines, characters }
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
  if (inChunk === 0) return 0 // no place needs to be added up for the first one
  return chunk.places.offsets[inChunk] ?? chunk.length
}
