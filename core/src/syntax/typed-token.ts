/** A control token that is being typed: the only place where text is read for something that is not a token yet. */
import type { Span } from '../text/range.ts'

const longestToken = 24 // `<|start_introspect|>` has 20

/**
 * The beginning of a control token that ends at `offset`: `<`, `<|`, `<|chan`; with what is left of a complete or
 * automatically closed token behind `offset`. Undefined if none is being typed.
 */
export function typedTokenAt(text: string, offset: number): Span | undefined {
  const from = startOf(text, offset)
  if (from === undefined) return undefined
  const rest = /^[a-z_]*\|>/.exec(text.slice(offset, offset + longestToken))
  return { from, to: offset + (rest?.[0].length ?? 0) }
}

function startOf(text: string, offset: number): number | undefined {
  const before = text.slice(Math.max(0, offset - longestToken), offset)
  const match = /<(?:\|[a-z_]*\|?)?$/.exec(before)
  return match ? offset - match[0].length : undefined
}
