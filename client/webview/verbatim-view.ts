/** What the views of hidden text have in common: an article with its content, which has no speaker. */

import { lineBreaks } from '../render/literals.ts'
import { make } from './elements.ts'
import { type MenuKind, menuContext, type View } from './view.ts'

/** A message that is shown verbatim, and its elements. */
export abstract class VerbatimView<Message extends { readonly id: string }> implements View {
  readonly element: HTMLElement
  readonly content: HTMLElement
  readonly speaker = undefined
  message: Message

  constructor(document: Document, message: Message, kind: MenuKind) {
    this.message = message
    this.element = make(document, 'article', {
      'data-id': message.id,
      'data-vscode-context': menuContext(message.id, kind),
      tabindex: -1,
    })
    this.content = make(document, 'div', 'content')
  }

  abstract get text(): string

  get id(): string {
    return this.message.id
  }

  get lines(): number {
    return lineBreaks(this.text) + 1
  }

  blocks(): HTMLElement[] {
    return [...this.content.querySelectorAll<HTMLElement>('[data-line]')]
  }

  place(position: number, total: number): void {
    this.element.setAttribute('aria-posinset', String(position))
    this.element.setAttribute('aria-setsize', String(total))
  }

  mark(isMarked: boolean): void {
    if (isMarked) this.element.setAttribute('aria-current', 'true')
    else this.element.removeAttribute('aria-current')
  }
}
