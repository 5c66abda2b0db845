/**
 * Text of files for the parts of VS Code that make more of it: notifications and such make links of `[words](address)`, and run
 * commands that such an address names; lenses, lists, the Testing view, and the status bar draw `$(name)` as an icon.
 */

/** `text` with a space in each `](`, after which it is text for VS Code. */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (')
}

/** `text` with each `$(name)` as a label shows it as text. */
export function withoutIcons(text: string): string {
  return text.replaceAll(/\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/g, '\\$&')
}
