/** Positions of many offsets of one text, after one pass over it. Line breaks are those of the protocol. */
import type { Position } from '../../core/src/internal.ts'

/** Offsets at which the lines of `text` start. */
export function lineStartsOf(text: string): readonly number[] {
  const starts = [0]
  for (const { index, 0: lineBreak } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + lineBreak.length)
  return starts
}

/** The position of `offset` in the text whose lines start at `starts`. */
export function positionAmong(starts: readonly number[], offset: number): Position {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return { line: low, character: offset - (starts[low] ?? 0) }
}
