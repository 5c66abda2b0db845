/** Places in files other than transcripts. */
import type { Position } from '../../../core/src/internal.ts'

/** The position of `offset` in `text`. */
export function positionIn(text: string, offset: number): Position {
  const lines = text.slice(0, offset).split(/\r\n?|\n/)
  return { line: lines.length - 1, character: (lines.at(-1) ?? '').length }
}
