/** What a sample says besides its conversation, above it. */

import { localize } from '../render/page-texts.ts'
import type { SideField } from '../src/preview/preview-protocol.ts'
import { make } from './elements.ts'

/** A list of names and values. */
export class MetadataView {
  readonly element: HTMLElement
  readonly #document: Document

  constructor(document: Document) {
    this.#document = document
    this.element = make(document, 'dl', {
      class: 'metadata',
      'aria-label': localize`Fields of the sample`,
    })
    this.show([])
  }

  /** Shows `fields` instead. */
  show(fields: readonly SideField[]): void {
    this.element.hidden = fields.length === 0
    this.element.replaceChildren(
      ...fields.map(({ name, value }) =>
        make(
          this.#document,
          'div',
          {},
          make(this.#document, 'dt', {}, name),
          make(this.#document, 'dd', { dir: 'auto' }, value),
        ),
      ),
    )
  }
}
