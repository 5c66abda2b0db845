/** What a sample says besides its conversation, above it. */
import { localize } from '../render/page-texts.ts'
import type { SideField } from '../src/preview/preview-protocol.ts'

/** A list of names and values. */
export class MetadataView {
  readonly element: HTMLElement
  readonly #document: Document

  constructor(document: Document) {
    this.#document = document
    this.element = document.createElement('dl')
    this.element.className = 'metadata'
    this.element.setAttribute('aria-label', localize`Fields of the sample`)
    this.show([])
  }

  /** Shows `fields` instead. */
  show(fields: readonly SideField[]): void {
    this.element.hidden = fields.length === 0
    this.element.replaceChildren(
      ...fields.map(({ name, value }) => {
        const pair = this.#document.createElement('div')
        const term = this.#document.createElement('dt')
        const description = this.#document.createElement('dd')
        term.textContent = name
        description.textContent = value
        description.dir = 'auto'
        pair.append(term, description)
        return pair
      }),
    )
  }
}
