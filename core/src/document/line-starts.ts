/** Where lines start within a segment. */
import type { Segment } from '../syntax/segment.ts'
import { afterLineBreak, nextLineBreak } from '../text/line-breaks.ts'
import { perValue } from '../text/memo.ts'

/** Offsets, relative to the segment, at which its second and further lines start. */
export const lineStartsOf = perValue((segment: Segment): Uint32Array => {
  const starts = new Uint32Array(segment.lineBreaks)
  let start = 0
  for (let index = 0; index < starts.length; index++) {
    start = afterLineBreak(segment.text, nextLineBreak(segment.text, start, segment.length))
    starts[index] = start
  }
  return starts
})

const noStarts = new Uint32Array(0)

/** The line starts of a segment, without making them where no line starts before `local`. */
export function lineStartsWithin(segment: Segment, local: number): Uint32Array {
  if (segment.lineBreaks === 0) return noStarts
  if (local < 64 && nextLineBreak(segment.text, 0, local) === local) return noStarts // a header without a line break
  return lineStartsOf(segment)
}

/** How many of the line starts are at or before `local`. */
export function nLineStarts(sorted: Uint32Array, local: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) <= local) low = middle + 1
    else high = middle
  }
  return low
}

/** `local`, moved before a `\r\n` that it would cut in two. */
export function beforeLineBreakPair(text: string, local: number): number {
  const isInside = local > 0 && text.charCodeAt(local) === 10 && text.charCodeAt(local - 1) === 13
  return isInside ? local - 1 : local
}
