/** Where lines start within a segment. */
import type { Segment } from '../syntax/segment.ts'
import { afterLineBreak, nextLineBreak } from '../text/line-breaks.ts'
import type { Span } from '../text/range.ts'

/** Offsets, relative to a segment, at which its second and further lines start. */
class LineStarts {
  readonly #starts: Uint32Array
  /** From this one on, what `#starts` has is moved by `#shift`: typing in a line leaves the others alone. */
  readonly #firstMoved: number
  readonly #shift: number

  constructor(starts: Uint32Array, firstMoved = starts.length, shift = 0) {
    this.#starts = starts
    this.#firstMoved = firstMoved
    this.#shift = shift
  }

  get length(): number {
    return this.#starts.length
  }

  /** The start at `index`; undefined if there is none. */
  at(index: number): number | undefined {
    const start = this.#starts[index]
    return start === undefined || index < this.#firstMoved ? start : start + this.#shift
  }

  /** How many of them are at or before `local`. */
  countUpTo(local: number): number {
    let low = 0
    let high = this.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.at(middle) ?? 0) <= local) low = middle + 1
      else high = middle
    }
    return low
  }

  /** These after `replaced`, a stretch without line breaks, was replaced by another that is longer by `shift`. */
  moved(replaced: Span, shift: number): LineStarts {
    const firstMoved = this.countUpTo(replaced.from)
    if (this.#shift === 0 || firstMoved === this.#firstMoved)
      return new LineStarts(this.#starts, firstMoved, this.#shift + shift)
    const starts = this.#starts.map((_, index) => this.at(index) ?? 0)
    return new LineStarts(starts, firstMoved, shift)
  }
}

const known = new WeakMap<Segment, LineStarts>()

/** The line starts of `segment`, remembered with it. */
export function lineStartsOf(segment: Segment): LineStarts {
  const remembered = known.get(segment)
  if (remembered) return remembered
  const starts = new Uint32Array(segment.lineBreaks)
  let start = 0
  for (let index = 0; index < starts.length; index++) {
    start = afterLineBreak(segment.text, nextLineBreak(segment.text, start, segment.length))
    starts[index] = start
  }
  const result = new LineStarts(starts)
  known.set(segment, result)
  return result
}

/**
 * Takes over what is known of the lines of `old` for `fresh`, which is `old` with `length` code units in the place of
 * `replaced`, both without line breaks: a keystroke in a message of a million lines searches for none of them.
 */
export function inheritLineStarts(old: Segment, fresh: Segment, replaced: Span, length: number): void {
  const before = known.get(old)
  if (before) known.set(fresh, before.moved(replaced, length - (replaced.to - replaced.from)))
}

/** True if the lines of `segment` stay when `text` comes in the place of `replaced`: they only may become longer or shorter. */
export function keepsLines(segment: Segment, { from, to }: Span, text: string): boolean {
  const before = segment.text.charCodeAt(from - 1)
  // What follows a `\r` may be the other half of its line break.
  return before !== carriageReturn && isOneLine(text) && isOneLine(segment.text.slice(from, to))
}

function isOneLine(text: string): boolean {
  return nextLineBreak(text, 0, text.length) === text.length
}

const carriageReturn = 13

const noStarts = new LineStarts(new Uint32Array(0))

/** The line starts of a segment, without making them where no line starts before `local`. */
export function lineStartsWithin(segment: Segment, local: number): LineStarts {
  if (segment.lineBreaks === 0) return noStarts
  if (local < 64 && nextLineBreak(segment.text, 0, local) === local) return noStarts // a header without a line break
  return lineStartsOf(segment)
}

/** `local`, moved before a `\r\n` that it would cut in two. */
export function beforeLineBreakPair(text: string, local: number): number {
  const isInside = local > 0 && text.charCodeAt(local) === 10 && text.charCodeAt(local - 1) === 13
  return isInside ? local - 1 : local
}
