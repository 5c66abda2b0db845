/** Words that a message quotes in backticks: a backtick in them would end the quotation. */

/** `text` in backticks, with `'` for backticks in it. */
export function inBackticks(text: string): string {
  return `\`${withoutBackticks(text)}\``
}

/** `text` with `'` for backticks, so that it can be put between them. */
export function withoutBackticks(text: string): string {
  return text.replaceAll('`', "'")
}
