/** Writes differences: coloured on a terminal, byte for byte in a pipe. */
import type { DiffLine } from '../check/unified-diff.ts'
import type { Console } from './console.ts'
import { displayable } from './displayable.ts'

/** The difference byte for byte, so that it applies; only a person's terminal is spared control characters. */
export function* diffText(
  lines: readonly DiffLine[],
  { style, isTerminal }: Pick<Console, 'style' | 'isTerminal'>,
): IterableIterator<string> {
  const paint = {
    header: style.strong,
    place: style.faint,
    same: (text: string) => text,
    removed: style.removed,
    added: style.added,
  }
  for (const { kind, text } of lines) yield `${paint[kind](isTerminal ? displayable(text) : text)}\n`
}
