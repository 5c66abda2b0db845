/** A control token that is being typed: the only place where text is read for something that is not a token yet. */
import type { Span, TextEdit } from '../text/range.ts'

const longestToken = 24 // `<|start_introspect|>` has 20

/**
 * The beginning of a control token that ends at `offset`: `<`, `<|`, `<|chan`; with what is left of a complete or
 * automatically closed token after `offset`. Undefined if none is being typed.
 */
export function typedTokenAt(text: string, offset: number): Span | undefined {
  const from = startOf(text, offset)
  if (from === undefined) return undefined
  const rest = restBehind(text.slice(from, offset)).exec(text.slice(offset, offset + longestToken))
  return { from, to: offset + (rest?.[0].length ?? 0) }
}

/** What is left of a token of which `typed` is the beginning. */
function restBehind(typed: string): RegExp {
  if (typed === '<') return /^\|?[a-z_]*\|>/
  return typed.length > 2 && typed.endsWith('|') ? /^>/ : /^[a-z_]*\|>/
}

/**
 * True if `edit` typed a character that leaves the beginning of a control token before the cursor. Until the next character
 * decides what it becomes, it may be read as something that is not meant: `<` directly before a token escapes it.
 *
 * @param read gives the text after the edit between two offsets, of which the second may be after its end
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
