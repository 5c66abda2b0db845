/** Places in a text, in UTF-16 code units. Bytes exist only where files are read. */

/** A half-open stretch `[start, end)` of a document (or of the text handed to an embedded-language function). */
export interface Range {
  /** Offset of the first code unit. */
  readonly start: number
  /** Offset after the last code unit; `start <= end`. */
  readonly end: number
}

/**
 * A half-open stretch `[from, to)` of one segment, relative to the segment's first code unit.
 * The other property names keep it apart from {@link Range}: what is relative cannot be passed for what is absolute.
 */
export interface Span {
  readonly from: number
  readonly to: number
}

/** A place as editors show it: zero-based line, and UTF-16 code units from the line's start. */
export interface Position {
  readonly line: number
  readonly character: number
}

/** One change of a text: `[start, end)` is replaced by `text`. */
export interface TextEdit extends Range {
  readonly text: string
}

/** `span`, seen from the document, when its segment starts at `origin`. */
export function toRange(span: Span, origin: number): Range {
  return { start: origin + span.from, end: origin + span.to }
}
