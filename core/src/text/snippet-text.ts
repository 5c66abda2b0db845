/** The syntax of snippets: text, and choices, at tab stops. */

/** `text` with nothing in it that a snippet would take for a tab stop. */
export function escapedForSnippet(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&')
}

/** The first tab stop, at which one of `values` is chosen, the first by default. */
export function choiceSnippet(values: readonly string[]): string {
  return `\${1|${values.map((it) => it.replace(/[\\$},|]/g, '\\$&')).join(',')}|}`
}
