/** What an edit changed in a text, as an editor shows it: line breaks are line feeds, and half characters are U+FFFD. */
import { withLineFeeds } from '../text/long-text.ts'
import { aligned } from './align.ts'

/** A stretch that was replaced, and what by. Offsets are UTF-16 code units of the text before, as it is shown. */
export interface TextChange {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** `text` as an editor shows it. */
export function shownText(text: string): string {
  return withLineFeeds(text).toWellFormed()
}

/** What turns `before` into `after`, both as shown: the smallest stretches of the lines and words that differ, in order. */
export function textChanges(before: string, after: string): readonly TextChange[] {
  if (before === after) return []
  const changes: TextChange[] = []
  for (const line of gaps(before, after, 0, linesOf)) {
    const old = before.slice(line.from, line.to)
    for (const it of gaps(old, line.text, line.from, wordsOf)) changes.push(trimmed(before, it))
  }
  return changes
}

/** What is between the pieces that `before` and `after` have in common. Offsets begin at `start`. */
function* gaps(
  before: string,
  after: string,
  start: number,
  cut: (text: string) => readonly string[],
): IterableIterator<TextChange> {
  const [one, other] = [cut(before), cut(after)]
  let [at, otherAt] = [0, 0]
  let [offset, otherOffset] = [0, 0]
  for (const [index, otherIndex] of [...aligned(one, other), [one.length, other.length] as const]) {
    const [from, otherFrom] = [offset, otherOffset]
    while (at < index) offset += one[at++]?.length ?? 0
    while (otherAt < otherIndex) otherOffset += other[otherAt++]?.length ?? 0
    if (from < offset || otherFrom < otherOffset)
      yield { from: start + from, to: start + offset, text: after.slice(otherFrom, otherOffset) }
    offset += one[at++]?.length ?? 0
    otherOffset += other[otherAt++]?.length ?? 0
  }
}

/** Lines with their line feeds. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n')
  return lines.map((line, index) => (index < lines.length - 1 ? `${line}\n` : line)).filter((it) => it !== '')
}

function wordsOf(text: string): readonly string[] {
  // Linear: each match is taken as it is found, without a way back.
  return text.match(/[\p{L}\p{N}_]+|[\s\S]/gu) ?? []
}

/** Without what is equal at both ends. No character is cut in half. */
function trimmed(before: string, { from, to, text }: TextChange): TextChange {
  const most = Math.min(to - from, text.length)
  let head = 0
  while (head < most && before[from + head] === text[head]) head++
  if (head > 0 && isHigh(before.charCodeAt(from + head - 1))) head--
  let tail = 0
  while (tail < most - head && before[to - 1 - tail] === text[text.length - 1 - tail]) tail++
  if (tail > 0 && isLow(before.charCodeAt(to - tail))) tail--
  return { from: from + head, to: to - tail, text: text.slice(head, text.length - tail) }
}

/** True for the first half of a character of two code units. */
export function isHigh(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00
}

/** True for the second half. */
export function isLow(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000
}

/**
 * Makes offsets in `text` as it is shown to offsets in `text`. Asked in increasing order, it costs one pass in all.
 */
export function offsetsIn(text: string): (shown: number) => number {
  if (!text.includes('\r')) return (shown) => shown
  let [unit, at] = [0, 0]
  return (shown) => {
    for (; unit < shown && at < text.length; unit++) at += text.startsWith('\r\n', at) ? 2 : 1
    return at
  }
}
