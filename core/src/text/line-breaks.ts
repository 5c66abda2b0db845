/** Line breaks: `\n`, `\r\n` and `\r` (D17). Everything here is linear in the stretch it looks at. */

const lineFeed = 10
const carriageReturn = 13

/** How a stretch of text moves a position: line breaks passed, and code units after the last of them. */
export interface LineSummary {
  readonly lineBreaks: number
  /** Code units after the last line break; the whole length if there is none. */
  readonly lastLineLength: number
}

/** Counts the line breaks of `text` within `[from, to)`. A `\r\n` that the stretch cuts in two counts on both sides. */
export function lineSummary(text: string, from = 0, to = text.length): LineSummary {
  let lineBreaks = 0
  let lineStart = from
  for (let at = nextLineBreak(text, from, to); at < to; at = nextLineBreak(text, lineStart, to)) {
    lineBreaks++
    lineStart = afterLineBreak(text, at, to)
  }
  return { lineBreaks, lastLineLength: to - lineStart }
}

/** The offset of the next line break in `[from, to)`, or `to`. Beyond the length of usual lines, the search is left to the engine. */
export function nextLineBreak(text: string, from: number, to = text.length): number {
  const near = Math.min(to, from + usualLine)
  for (let at = from; at < near; at++) {
    const code = text.charCodeAt(at)
    if (code === lineFeed || code === carriageReturn) return at
  }
  for (let at = near; at < to; at += stretchLength) {
    const stretch = text.slice(at, Math.min(to, at + stretchLength))
    const lineFeedAt = stretch.indexOf('\n')
    const carriageReturnAt = stretch.indexOf('\r')
    if (lineFeedAt !== -1 || carriageReturnAt !== -1) {
      // As unsigned numbers, so that what is not there is last.
      return at + Math.min(lineFeedAt >>> 0, carriageReturnAt >>> 0)
    }
  }
  return to
}

const usualLine = 200 // code units
const stretchLength = 10_000 // code units; both searches end within it

/** Where the line of `offset` starts, not before `from`. */
export function lineStartAt(text: string, offset: number, from = 0): number {
  let start = offset
  while (start > from && !isLineBreak(text.charCodeAt(start - 1))) start--
  return start
}

/** The offset after the line break that starts at `at`; `\r\n` counts as one. */
export function afterLineBreak(text: string, at: number, to = text.length): number {
  const isPair = text.charCodeAt(at) === carriageReturn && at + 1 < to && text.charCodeAt(at + 1) === lineFeed
  return isPair ? at + 2 : at + 1
}

/** True if `code` ends a line. */
export function isLineBreak(code: number): boolean {
  return code === lineFeed || code === carriageReturn
}

/**
 * Counts the line breaks of consecutive stretches of one large text quickly: it searches for `\r` once
 * and, where there is none, leaves the search for `\n` to the engine. The next break is kept between calls,
 * so a text without line breaks is searched once and not once per stretch.
 */
export class LineCounter {
  readonly #text: string
  readonly #hasCarriageReturns: boolean
  #nextLineFeed = -1
  /** Line breaks in the stretch counted last. */
  lineBreaks = 0
  /** Code units after the last line break of the stretch counted last. */
  lastLineLength = 0

  constructor(text: string) {
    this.#text = text
    this.#hasCarriageReturns = text.includes('\r')
  }

  /** Counts `[from, to)` into {@link lineBreaks} and {@link lastLineLength}. Stretches come in document order. */
  count(from: number, to: number): void {
    if (this.#hasCarriageReturns) {
      const summary = lineSummary(this.#text, from, to)
      this.lineBreaks = summary.lineBreaks
      this.lastLineLength = summary.lastLineLength
      return
    }
    const text = this.#text
    let lineBreaks = 0
    let start = from
    let at = this.#nextLineFeed
    if (at < from) at = lineFeedFrom(text, from)
    while (at < to) {
      lineBreaks++
      start = at + 1
      at = lineFeedFrom(text, start)
    }
    this.#nextLineFeed = at
    this.lineBreaks = lineBreaks
    this.lastLineLength = to - start
  }
}

function lineFeedFrom(text: string, from: number): number {
  // The shortest lines cost less than a call of the engine does.
  if (text.charCodeAt(from) === lineFeed) return from
  if (text.charCodeAt(from + 1) === lineFeed) return from + 1
  const at = text.indexOf('\n', from)
  return at === -1 ? Number.POSITIVE_INFINITY : at
}
