/** The syntax of snippets: text, and choices, at tab stops. */

/** `text` with nothing in it that a snippet would take for a tab stop. */
export function escapedForSnippet(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&')
}

/** A tab stop at which one of `values` is chosen, the first by default. */
export function choiceSnippet(stop: number, values: readonly string[]): string {
  return `\${${stop}|${values.map((it) => it.replace(/[\\$},|]/g, '\\$&')).join(',')}|}`
}
