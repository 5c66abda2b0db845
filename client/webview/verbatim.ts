/** Text as it stands: literal blocks, and messages too long to be read as Markdown. */

/** A block that shows `text` unchanged; it can be reached and scrolled with the keyboard. */
export function verbatim(document: Document, text: string): HTMLElement {
  const element = document.createElement('pre')
  element.className = 'literal'
  element.tabIndex = 0
  element.textContent = text
  return element
}
