/** Text for the parts of VS Code that make links of `[words](address)`, and run commands that such an address names. */

/** `text` with a space in each `](`, after which it is text for VS Code. */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (')
}
