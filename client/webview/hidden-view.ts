/** A hidden message in *Everything*: dimmed, verbatim, with the reason why users do not see it. */

import { localize } from '../render/page-texts.ts'
import type { EverythingHiddenMessage } from '../src/preview/preview-protocol.ts'
import { icon, iconButton } from './icons.ts'
import { numberText } from './number-text.ts'
import { verbatim } from './verbatim.ts'
import { VerbatimView } from './verbatim-view.ts'

/** A hidden message and its elements. */
export class HiddenView extends VerbatimView<EverythingHiddenMessage> {
  readonly #document: Document
  readonly #byline: HTMLElement
  readonly #why: HTMLElement

  constructor(document: Document, message: EverythingHiddenMessage) {
    super(document, message)
    this.#document = document
    this.#byline = document.createElement('header')
    this.#byline.className = 'byline'
    this.#why = document.createElement('div')
    this.#why.className = 'why'
    this.#why.id = `why-${message.id}`
    this.element.setAttribute('aria-describedby', this.#why.id)
    this.element.append(this.#byline, this.#why, this.content)
    this.#describe()
    this.#showText()
  }

  override get text(): string {
    return this.message.text
  }

  /** Shows `message` instead. */
  update(message: EverythingHiddenMessage): void {
    const isSameText = message.text === this.message.text
    this.message = message
    this.#describe()
    if (!isSameText) this.#showText()
  }

  #describe(): void {
    const { role, labels, reason, section, violation, exchange, omitted } = this.message
    const isJoined = exchange?.isJoined === true
    this.element.className = `message hidden-message${isJoined ? ' joined' : ''}`
    this.element.setAttribute('aria-label', localize`Hidden: ${[role, ...labels].join(', ')}`)
    const avatar = this.#make('span', 'avatar')
    avatar.setAttribute('aria-hidden', 'true')
    avatar.append(icon(this.#document, 'hidden'))
    const words = this.#make('span', 'labels')
    words.append(this.#make('span', 'name', role), ...labels.map((it) => this.#make('span', 'chip', it)))
    const actions = this.#make('span', 'actions')
    actions.append(
      iconButton(this.#document, 'copy', { action: 'copy-message', label: localize`Copy message` }),
      iconButton(this.#document, 'source', { action: 'source', label: localize`Go to source` }),
    )
    this.#byline.replaceChildren(avatar, words, actions)
    const lines = [this.#make('p', 'reason', localize`Hidden: ${reason}`)]
    lines[0]?.append(' ', this.#make('span', 'section', section))
    if (exchange) lines[0]?.append(' ', this.#exchangeLine(exchange))
    if (violation !== undefined) lines.push(this.#make('p', 'violation', `E-PERM-VISIBILITY: ${violation}`))
    if (omitted > 0) {
      lines.push(
        this.#make(
          'p',
          'omitted',
          localize`${numberText(this.#document, omitted)} more characters are in the source.`,
        ),
      )
    }
    this.#why.replaceChildren(...lines)
  }

  #exchangeLine({ kind, isPaired }: NonNullable<EverythingHiddenMessage['exchange']>): HTMLElement {
    const line = this.#make('span', 'exchange')
    if (!isPaired) {
      line.textContent = kind === 'call' ? localize`No reply yet` : localize`Answers no call`
      return line
    }
    const button = this.#document.createElement('button')
    button.type = 'button'
    button.className = 'text-button'
    button.dataset.action = 'partner'
    button.textContent = kind === 'call' ? localize`Go to the reply` : localize`Go to the call`
    line.append(button)
    return line
  }

  #showText(): void {
    if (this.text === '') {
      this.content.replaceChildren()
      return
    }
    const block = verbatim(this.#document, this.text)
    block.dataset.line = '0'
    this.content.replaceChildren(block)
  }

  #make(tag: string, className: string, text = ''): HTMLElement {
    const element = this.#document.createElement(tag)
    element.className = className
    element.textContent = text
    return element
  }
}
