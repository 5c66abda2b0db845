/** What every language inside a transcript says about a mistake: one shape, so that callers map offsets once. */

import { isLineBreak, nextLineBreak } from '../text/line-breaks.ts'
import type { Range } from '../text/range.ts'

/** A second place that explains a problem, for example where an unclosed bracket was opened. */
export interface RelatedPlace {
  readonly range: Range
  /** What is there, as a sentence without final stop. */
  readonly message: string
}

/** A mistake in an embedded text. Offsets are relative to the text that was handed in. */
export interface EmbeddedProblem<Kind extends string = string> {
  readonly kind: Kind
  /** Inside the text; empty only if the text is. */
  readonly range: Range
  /** A plain sentence without final stop; words of the text are in backticks. */
  readonly message: string
  readonly related?: RelatedPlace
}

/** The last character of `text` that is not white space, as a range: where something is missing at the end. */
export function lastVisible(text: string): Range {
  const end = trimmedEnd(text, 0, text.length)
  return end === 0 ? { start: 0, end: Math.min(1, text.length) } : { start: end - 1, end }
}

/** The first line of `[start, end)` without white space after it. */
export function firstLine(text: string, start: number, end: number): Range {
  return { start, end: trimmedEnd(text, start, nextLineBreak(text, start, end)) }
}

/** `end`, moved back over white space, but not before `start`. */
export function trimmedEnd(text: string, start: number, end: number): number {
  let trimmed = end
  while (trimmed > start && isWhiteSpace(text.charCodeAt(trimmed - 1))) trimmed--
  return trimmed
}

/** White space of JSON and YAML: space, tab, line feed, carriage return. */
export function isWhiteSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || isLineBreak(code)
}
