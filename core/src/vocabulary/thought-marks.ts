/**
 * What models of other families put around their reasoning: names of tags, and tokens. Most are sources of regular
 * expressions that ignore case, have no groups that capture, and match a bounded length.
 */

/**
 * Names of tags around reasoning. Models write `<seed:think>`, `<longcat_think>`, `<antThinking>`, `<think_fast>`, and
 * `<inner_monologue>`, too.
 */
export const thoughtName =
  '(?:[a-z]{1,20}[:_]|ant)?(?:think(?:_[a-z0-9_]{1,60})?|thinking(?:_process)?|thoughts?(?:_process)?|reasoning(?:_process)?|scratch_?pad|monologue|reflection|chain_of_thought|cot(?:_[a-z0-9_]{1,60})?)'

/** Names that other text has as well: data in XML has analyses and reasons. */
export const unsureThoughtNames: readonly string[] = ['analysis', 'reason']

const word = '(?:think(?:ing)?|thoughts?|reasoning)'

/** A token that begins reasoning: `<|think|>`, `<|start_think|>`, `<|begin_of_thought|>`, `<|START_THINKING|>`. */
export const thoughtStart = `<\\|(?:(?:start|begin)_(?:of_)?)?${word}(?:_(?:start|begin))?\\|>`

/** A token that ends what {@link thoughtStart} begins: `<|/think|>`, `<|end_think|>`, `<|end_of_thought|>`. */
export const thoughtEnd = `<\\|\\/${word}\\|>|<\\/\\|${word}\\|>|<\\|(?:end|stop)_(?:of_)?${word}\\|>|<\\|${word}_(?:end|stop)\\|>`
