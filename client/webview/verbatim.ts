/** Text as it stands: literal blocks, and messages too long to be read as Markdown. */

import { make } from './elements.ts'

/** A block that shows `text` unchanged; it can be reached and scrolled with the keyboard. */
export function verbatim(document: Document, text: string): HTMLElement {
  return make(document, 'pre', { class: 'literal', tabindex: 0 }, text)
}
