/**
 * A segment: an immutable piece of the document that owns its text. The first one is the preamble, every other one
 * starts where a message starts. A segment holds no document offset, no line number and no other segment (I5).
 */
import type { Framing } from '../vocabulary/framing.ts'

/** What a segment is: the YAML header, a message, or, in 0.1, a file of a sequence or a fill-in-the-middle task. */
export type SegmentKind = 'preamble' | 'message' | 'file' | 'fim'

/** The part of a segment that is known without tokenizing it; the segment list adds it up. */
export interface SegmentSummary {
  readonly kind: SegmentKind
  readonly framing: Framing
  readonly lineBreaks: number
  /** Code units after the last line break, or the whole length. */
  readonly lastLineLength: number
  /** The number of `<|endliteral|>` in the text. */
  readonly endLiterals: number
  /** True if a `<|literal|>` in the body is closed nowhere in the document (I4). */
  readonly hasOpenLiteral: boolean
  /** True if the text ends inside a body, so that the next start token needed a known role to begin a message. */
  readonly endsInBody: boolean
  /**
   * Where the body is, if it is one piece without anything that looks like a token, and ends at a terminator that
   * only white space follows: nearly every message, and what its readers need not look for again. Both 0 otherwise.
   */
  readonly plainBodyStart: number
  readonly plainBodyEnd: number
}

/** A piece of the document with its summary. Compare segments by identity: equal text may appear in many places. */
export class Segment implements SegmentSummary {
  readonly text: string
  readonly kind: SegmentKind
  readonly framing: Framing
  readonly lineBreaks: number
  readonly lastLineLength: number
  readonly endLiterals: number
  readonly hasOpenLiteral: boolean
  readonly endsInBody: boolean
  readonly plainBodyStart: number
  readonly plainBodyEnd: number
  /** What {@link perSegment} remembers. In the object, because a weak map costs more than the value it holds. */
  memory: unknown = undefined
  /** The name of the chunk that holds it, for the list that does; it says nothing about the place in the document. */
  home = 0

  constructor(text: string, summary: SegmentSummary) {
    this.text = text
    this.kind = summary.kind
    this.framing = summary.framing
    this.lineBreaks = summary.lineBreaks
    this.lastLineLength = summary.lastLineLength
    this.endLiterals = summary.endLiterals
    this.hasOpenLiteral = summary.hasOpenLiteral
    this.endsInBody = summary.endsInBody
    this.plainBodyStart = summary.plainBodyStart
    this.plainBodyEnd = summary.plainBodyEnd
  }

  /** UTF-16 code units. */
  get length(): number {
    return this.text.length
  }
}

/**
 * `compute`, remembered in the segment itself. For the one value that every segment of a large document keeps;
 * everything else uses `perValue`.
 */
export function perSegment<Result>(compute: (segment: Segment) => Result): (segment: Segment) => Result {
  return (segment) => {
    if (segment.memory === undefined) segment.memory = compute(segment)
    return segment.memory as Result
  }
}
