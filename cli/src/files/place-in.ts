/** Places in files, as every message and report spells them. */
import type { Position } from '../../../core/src/internal.ts'

/** The position of `offset` in `text`. */
export function positionIn(text: string, offset: number): Position {
  const lines = text.slice(0, offset).split(/\r\n?|\n/)
  return { line: lines.length - 1, character: (lines.at(-1) ?? '').length }
}

/** `path:line:column`, which count from 1; the path alone without a position. */
export function placeText(path: string, position: Position | undefined): string {
  return position ? `${path}:${position.line + 1}:${position.character + 1}` : path
}
