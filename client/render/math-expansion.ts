/**
 * A bound on what definitions in a formula may do. A formula of thirty characters can double its own argument until the memory
 * is full, and the library counts how often it expands, not how much.
 */
import katex from 'katex'

/** What a formula became, and what it cost: symbols that its macros put in their place. */
export interface Expanded {
  /** What the library wrote; nothing if the formula cannot be read, or costs too much. */
  readonly html: string | undefined
  readonly cost: number
}

/** Symbols that macros of one formula may make: many times what people write. */
const mostSymbols = 10_000

/** Places for arguments in one formula. Each may be filled with {@link mostSymbols}, before they are counted. */
const mostPlaces = 24

/** A command for the beginning of a formula; a person would not call one that. */
const counting = '\\ocm@count'

/** What the library hands to macros. */
interface Expander {
  pushTokens(tokens: readonly unknown[]): void
}

/** `tex` as the library writes it with `options`; without what cannot be read or is out of proportion. */
export function expanded(
  tex: string,
  options: Parameters<typeof katex.renderToString>[1] & {
    readonly macros: Readonly<Record<string, () => never>>
  },
): Expanded {
  let cost = 0
  if (tex.split('#').length > mostPlaces) return { html: undefined, cost }
  const count = (expander: Expander) => {
    const push = expander.pushTokens.bind(expander)
    expander.pushTokens = (tokens) => {
      cost += tokens.length
      if (cost > mostSymbols) throw new katex.ParseError('Too much in place of macros')
      push(tokens)
    }
    return ''
  }
  try {
    const macros = { ...options.macros, [counting]: count as (expander: object) => string }
    return { html: katex.renderToString(`${counting} ${tex}`, { ...options, macros }), cost }
  } catch {
    return { html: undefined, cost } // the reader sees the source, which is what a model wrote
  }
}
