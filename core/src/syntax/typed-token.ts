/** A control token that is being typed: the only place where text is read for something that is not a token yet. */
import type { Span, TextEdit } from '../text/range.ts'

const longestToken = 24 // `<|start_introspect|>` has 20

/**
 * The beginning of a control token that ends at `offset`: `<`, `<|`, `<|chan`; with what is left of a complete or
 * automatically closed token behind `offset`. Undefined if none is being typed.
 */
export function typedTokenAt(text: string, offset: number): Span | undefined {
  const from = startOf(text, offset)
  if (from === undefined) return undefined
  const isBarTyped = offset - from > 2 && text.charAt(offset - 1) === '|'
  const rest = (isBarTyped ? /^>/ : /^[a-z_]*\|>/).exec(text.slice(offset, offset + longestToken))
  return { from, to: offset + (rest?.[0].length ?? 0) }
}

/**
 * True if `edit` typed a character that leaves the beginning of a control token behind the cursor. Until the next character
 * decides what it becomes, it may be read as what nobody means: `<` directly before a token escapes it.
 *
 * @param read gives the text after the edit between two offsets, of which the second may be behind its end
 */
export function beginsToken(
  { start, end, text }: TextEdit,
  read: (start: number, end: number) => string,
): boolean {
  if (text.length !== 1 || start !== end || !/[<|a-z_]/.test(text)) return false
  const from = Math.max(0, start + 1 - longestToken)
  const typed = typedTokenAt(read(from, start + 1 + longestToken), start + 1 - from)
  return typed?.to === start + 1 - from
}

function startOf(text: string, offset: number): number | undefined {
  const before = text.slice(Math.max(0, offset - longestToken), offset)
  const match = /<(?:\|[a-z_]*\|?)?$/.exec(before)
  return match ? offset - match[0].length : undefined
}
