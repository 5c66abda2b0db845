/** Where lines start within a segment. */

import type { Segment } from '../syntax/segment.ts'
import { countWhile } from '../text/count-while.ts'
import { afterLineBreak, type LineSummary, nextLineBreak } from '../text/line-breaks.ts'
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
    return countWhile(this.length, (index) => (this.at(index) ?? 0) <= local)
  }

  /** These after `replaced` was replaced by another stretch that is longer by `shift`; lines start in it at `fresh`. */
  edited(replaced: Span, fresh: readonly number[], shift: number): LineStarts {
    const kept = this.countUpTo(replaced.from - 1)
    const behind = this.countUpTo(replaced.to)
    const isSame = fresh.length === behind - kept && fresh.every((it, index) => it === this.at(kept + index))
    if (isSame && (this.#shift === 0 || behind === this.#firstMoved))
      return new LineStarts(this.#starts, behind, this.#shift + shift)
    const starts = new Uint32Array(kept + fresh.length + this.length - behind)
    this.#copy(starts, { from: 0, to: kept }, 0)
    starts.set(fresh, kept)
    this.#copy(starts, { from: behind, to: this.length }, kept + fresh.length)
    return new LineStarts(starts, kept + fresh.length, shift)
  }

  /** Writes those between two indexes into `starts`, from `place` on; a loop, because there may be millions. */
  #copy(starts: Uint32Array, { from, to }: Span, place: number): void {
    starts.set(this.#starts.subarray(from, to), place)
    for (let index = Math.max(from, this.#firstMoved); index < to; index++)
      starts[place + index - from] = (this.#starts[index] ?? 0) + this.#shift
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

/** `fresh` is `old` with `length` code units in the place of `replaced`. */
export interface EditedSegment {
  readonly old: Segment
  readonly replaced: Span
  readonly length: number
  /** The text after the edit. */
  readonly text: string
}

/** The lines after an edit in a segment, without searching for those that it leaves alone. */
export function linesAfter({ old, replaced, length, text }: EditedSegment): LineSummary {
  const { from, to } = replaced
  const fresh = startsBetween(text, from, from + length)
  const lineBreaks = old.lineBreaks - startsBetween(old.text, from, to).length + fresh.length
  const lastBefore = old.length - old.lastLineLength
  if (lastBefore > to) return { lineBreaks, lastLineLength: old.lastLineLength }
  let last = fresh.at(-1)
  if (last === undefined && lastBefore < from) last = lastBefore
  for (let at = from; last === undefined; at--) if (at === 0 || isLineStart(text, at)) last = at
  return { lineBreaks, lastLineLength: text.length - last }
}

/** Takes over what is known of the lines of the old segment for `fresh`, which is the same after the edit. */
export function inheritLineStarts({ old, replaced, length, text }: EditedSegment, fresh: Segment): void {
  const before = known.get(old)
  if (!before) return
  const { from, to } = replaced
  known.set(fresh, before.edited(replaced, startsBetween(text, from, from + length), length - (to - from)))
}

/** Where lines start in `[from, to]`: what follows decides whether a `\r` ends a line there. */
function startsBetween(text: string, from: number, to: number): readonly number[] {
  const starts: number[] = []
  for (let at = Math.max(from, 1); at <= to; at++) if (isLineStart(text, at)) starts.push(at)
  return starts
}

function isLineStart(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  return before === lineFeed || (before === carriageReturn && text.charCodeAt(at) !== lineFeed)
}

const lineFeed = 10
const carriageReturn = 13

const shortSegment = 500 // code units: where lines start is found sooner than it is remembered

/** The line in which `local` is, counted from that of the start of `segment`, and where it starts; 0 for the first one. */
export function lineWithin(
  segment: Segment,
  local: number,
): { readonly line: number; readonly start: number } {
  if (segment.lineBreaks === 0) return firstLine
  if (segment.length > shortSegment && local >= usualHeader) {
    const starts = lineStartsOf(segment)
    const line = starts.countUpTo(local)
    return { line, start: starts.at(line - 1) ?? 0 }
  }
  let line = 0
  let start = 0
  for (let at = 1; at <= local; at++) {
    if (!isLineStart(segment.text, at)) continue
    line++
    start = at
  }
  return { line, start }
}

const firstLine = { line: 0, start: 0 }
const usualHeader = 64 // code units, with rarely a line break in them

/** `local`, moved before a `\r\n` that it would cut in two. */
export function beforeLineBreakPair(text: string, local: number): number {
  const isInside = local > 0 && text.charCodeAt(local) === 10 && text.charCodeAt(local - 1) === 13
  return isInside ? local - 1 : local
}
