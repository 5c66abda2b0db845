/** Positions of many offsets of one text, after one pass over it. Line breaks are those of the protocol. */
import { lastUpTo } from './count-while.ts'
import type { Position } from './range.ts'

/** Offsets at which the lines of `text` start. */
export function startsOfLines(text: string): readonly number[] {
  const starts = [0]
  for (const { index, 0: lineBreak } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + lineBreak.length)
  return starts
}

/** The position of `offset` in the text whose lines start at `starts`. */
export function positionAmong(starts: readonly number[], offset: number): Position {
  const line = lastUpTo(starts, offset)
  return { line, character: offset - (starts[line] ?? 0) }
}
