/** A message in the context view: as the model gets it, with its tokens; reasoning that is left out is struck out. */

import { localize } from '../render/page-texts.ts'
import type { ContextMessage, ContextPart } from '../src/preview/preview-protocol.ts'
import { type IconName, icon, iconButton } from './icons.ts'
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
    this.content.querySelector('.tokens')?.before(this.#actions())
    this.#showTokens()
  }

  /** For what is not a message: the place where the model goes on, or something that is not sent. */
  #remark(): HTMLElement {
    const { kind, author } = this.message
    const part = this.#make('section', 'part')
    const words =
      kind === 'start' ? localize`The model continues here.` : localize`Not sent: this is not a message.`
    part.append(this.#byline(author, []), this.#make('p', 'why', words))
    return part
  }

  #part({ author, labels, fate, text, omitted, why, section }: ContextPart): HTMLElement {
    const part = this.#make('section', `part ${fate}`)
    part.append(this.#byline(author, labels))
    if (why !== undefined) {
      const line = this.#make('p', 'why', why)
      line.append(' ', this.#make('span', 'section', section))
      part.append(line)
    }
    if (text !== '') {
      const block = verbatim(this.#document, text)
      block.dataset.line = '0'
      const holder = fate === 'dropped' ? this.#make('del', '') : undefined
      holder?.append(block)
      part.append(holder ?? block)
    }
    if (omitted > 0)
      part.append(
        this.#make(
          'p',
          'why',
          localize`${numberText(this.#document, omitted)} more characters are in the source.`,
        ),
      )
    return part
  }

  #byline(author: string, labels: readonly string[]): HTMLElement {
    const byline = this.#make('header', 'byline')
    const avatar = this.#make('span', 'avatar')
    avatar.setAttribute('aria-hidden', 'true')
    avatar.append(icon(this.#document, iconOf(author)))
    const words = this.#make('span', 'labels')
    words.append(this.#make('span', 'name', author), ...labels.map((it) => this.#make('span', 'chip', it)))
    byline.append(avatar, words, this.#make('span', 'tokens'))
    return byline
  }

  #actions(): HTMLElement {
    const actions = this.#make('span', 'actions')
    actions.append(
      iconButton(this.#document, 'copy', { action: 'copy-message', label: localize`Copy message` }),
      iconButton(this.#document, 'source', { action: 'source', label: localize`Go to source` }),
    )
    return actions
  }

  #showTokens(): void {
    const { kind, parts, tokens } = this.message
    this.content.querySelectorAll('.tokens').forEach((element, index) => {
      const count = kind === 'start' ? tokens : parts[index]?.tokens
      element.textContent = count === undefined ? '' : tokensText(this.#document, count)
    })
  }

  #make(tag: string, className: string, text = ''): HTMLElement {
    const element = this.#document.createElement(tag)
    if (className !== '') element.className = className
    element.textContent = text
    return element
  }
}

function iconOf(author: string): IconName {
  if (author === 'user' || author === 'assistant') return author
  return author === 'system' || author === 'developer' ? 'instructions' : 'tool'
}

function withoutTokens(parts: readonly ContextPart[]): string {
  return JSON.stringify(parts.map(({ tokens: _, ...rest }) => rest))
}
