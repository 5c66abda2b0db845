/** A message in the context view: as the model gets it, with its tokens; reasoning that is left out is struck out. */

import { localize } from '../render/page-texts.ts'
import type { ContextMessage, ContextPart } from '../src/preview/preview-protocol.ts'
import { make } from './elements.ts'
import { type IconName, icon, messageActions } from './icons.ts'
import { numberText, tokensText } from './number-text.ts'
import { verbatim } from './verbatim.ts'
import { VerbatimView } from './verbatim-view.ts'

/** A message of the prompt and its elements. */
export class ContextCard extends VerbatimView<ContextMessage> {
  readonly #document: Document

  constructor(document: Document, message: ContextMessage) {
    super(document, message, 'context')
    this.#document = document
    this.element.append(this.content)
    this.#showAll()
  }

  override get text(): string {
    return this.message.parts.map((part) => part.text).join('\n\n')
  }

  /** Shows `message` instead. If only counts came, the text stays as it is, with its selection. */
  update(message: ContextMessage): void {
    const known = this.message
    this.message = message
    const isSame = message.kind === known.kind && withoutTokens(message.parts) === withoutTokens(known.parts)
    if (isSame) this.#showTokens()
    else this.#showAll()
  }

  #showAll(): void {
    const { kind, author, parts } = this.message
    const isDropped = parts.length > 0 && parts.every(({ fate }) => fate === 'dropped')
    this.element.className = `message context-message ${kind}${isDropped ? ' dropped' : ''}`
    const state = isDropped ? localize`Not sent: ` : ''
    this.element.setAttribute('aria-label', `${state}${[author, ...(parts[0]?.labels ?? [])].join(', ')}`)
    const shown = kind === 'messages' ? parts.map((part) => this.#part(part)) : [this.#remark()]
    this.content.replaceChildren(...shown)
    this.content.querySelector('.tokens')?.before(messageActions(this.#document, { hasMenu: false }))
    this.#showTokens()
  }

  /** For what is not a message: the place where the model goes on, or something that is not sent. */
  #remark(): HTMLElement {
    const { kind, author } = this.message
    const words =
      kind === 'start' ? localize`The model continues here.` : localize`Not sent: this is not a message.`
    const why = make(this.#document, 'p', 'why', words)
    return make(this.#document, 'section', 'part', this.#byline(author, []), why)
  }

  #part({ author, labels, fate, text, omitted, why, section }: ContextPart): HTMLElement {
    const document = this.#document
    const part = make(document, 'section', `part ${fate}`, this.#byline(author, labels))
    if (why !== undefined)
      part.append(make(document, 'p', 'why', why, ' ', make(document, 'span', 'section', section ?? '')))
    if (text !== '') {
      const block = verbatim(document, text)
      block.dataset.line = '0'
      part.append(fate === 'dropped' ? make(document, 'del', '', block) : block)
    }
    if (omitted > 0) {
      const more = localize`${numberText(document, omitted)} more characters are in the source.`
      part.append(make(document, 'p', 'why', more))
    }
    return part
  }

  #byline(author: string, labels: readonly string[]): HTMLElement {
    const document = this.#document
    const chips = labels.map((it) => make(document, 'span', 'chip', it))
    return make(
      document,
      'header',
      'byline',
      make(document, 'span', { class: 'avatar', 'aria-hidden': 'true' }, icon(document, iconOf(author))),
      make(document, 'span', 'labels', make(document, 'span', 'name', author), ...chips),
      make(document, 'span', 'tokens'),
    )
  }

  #showTokens(): void {
    const { kind, parts, tokens } = this.message
    this.content.querySelectorAll('.tokens').forEach((element, index) => {
      const count = kind === 'start' ? tokens : parts[index]?.tokens
      element.textContent = count === undefined ? '' : tokensText(this.#document, count)
    })
  }
}

function iconOf(author: string): IconName {
  if (author === 'user' || author === 'assistant') return author
  return author === 'system' || author === 'developer' ? 'instructions' : 'tool'
}

function withoutTokens(parts: readonly ContextPart[]): string {
  return JSON.stringify(parts.map(({ tokens: _, ...rest }) => rest))
}
