/** What a reader can ask of single tokens: hovering or the arrow keys say what a token is, a click opens its source. */

import { localize } from '../render/page-texts.ts'
import type { FromPage } from '../src/preview/preview-protocol.ts'
import { make } from './elements.ts'
import type { Conversation } from './message-list.ts'
import { numberText } from './number-text.ts'
import { TrainingCard } from './training-card.ts'

/** Name of the highlight in the style sheet. */
const highlightName = 'token'

/** A token of a message. */
interface Found {
  readonly card: TrainingCard
  readonly index: number
  /** Where in the text of the message; without a tokenizer, a token is as long as what is trained. UTF-16 code units. */
  readonly offset: number
}

/** Explains tokens of the training view in `conversation`. */
export class TrainingTokensView {
  readonly element: HTMLElement
  readonly #window: Window & typeof globalThis
  readonly #conversation: Conversation
  readonly #post: (message: FromPage) => void
  #found: Found | undefined

  constructor(
    window: Window & typeof globalThis,
    conversation: Conversation,
    post: (message: FromPage) => void,
  ) {
    this.#window = window
    this.#conversation = conversation
    this.#post = post
    this.element = make(window.document, 'div', { class: 'token-note', role: 'status', hidden: true })
    const root = conversation.element
    root.addEventListener('mousemove', (event) => this.#show(this.#at(event)))
    root.addEventListener('mouseleave', () => this.hide())
    root.addEventListener('click', (event) => this.#clicked(event))
    root.addEventListener('keydown', (event) => this.#pressed(event))
    root.addEventListener('focusout', () => this.hide())
  }

  /** Says nothing. */
  hide(): void {
    this.#found = undefined
    this.element.hidden = true
    this.element.textContent = ''
    this.#highlights?.delete(highlightName)
  }

  /** Absent where the page is not in a browser. */
  get #highlights(): HighlightRegistry | undefined {
    return this.#window.CSS?.highlights
  }

  #at({ clientX, clientY }: MouseEvent): Found | undefined {
    const { document } = this.#window
    const caret = document.caretRangeFromPoint?.(clientX, clientY)
    const card = caret && cardOf(this.#conversation, caret.startContainer)
    if (!card) return undefined
    const offset = card.offsetOf(caret.startContainer, caret.startOffset)
    if (offset === undefined) return undefined
    // The caret is at the nearest edge of a character: the pointer is over the one before or after it.
    for (const it of [offset, offset - 1]) {
      const index = card.tokenAt(it)
      const rects = index === undefined ? [] : [...(card.rangeOf(index)?.getClientRects() ?? [])]
      const isOver = rects.some(
        ({ left, right, top, bottom }) =>
          left <= clientX && clientX <= right && top <= clientY && clientY <= bottom,
      )
      if (index !== undefined && isOver) return { card, index, offset: it }
    }
    return undefined
  }

  #show(found: Found | undefined): void {
    if (!found) {
      this.hide()
      return
    }
    const isSame = this.#found?.card === found.card && this.#found.index === found.index
    if (!isSame || this.#found?.offset !== found.offset)
      this.#post({ kind: 'pointTrained', ...placeOf(found) })
    this.#found = found
    if (isSame) return
    const range = found.card.rangeOf(found.index)
    const note = noteOf(this.#window.document, found)
    if (!range || note === '') {
      this.hide()
      return
    }
    this.#highlights?.set(highlightName, new this.#window.Highlight(range))
    this.element.textContent = note
    this.element.hidden = false
    this.#place(range.getBoundingClientRect())
  }

  /** Under the token, or over it where there is no room. */
  #place({ left, top, bottom }: DOMRect): void {
    const { width, height } = this.element.getBoundingClientRect()
    const { clientWidth, clientHeight } = this.#window.document.documentElement
    const below = bottom + height + 6 < clientHeight
    this.element.style.left = `${Math.max(4, Math.min(left, clientWidth - width - 4))}px`
    this.element.style.top = `${below ? bottom + 4 : Math.max(4, top - height - 4)}px`
  }

  #clicked(event: MouseEvent): void {
    const found = this.#at(event)
    // Who selects text wants to copy it.
    if (!found || this.#window.getSelection()?.isCollapsed === false) return
    this.#open(found)
  }

  #open(found: Found): void {
    this.#post({ kind: 'openTrained', ...placeOf(found) })
  }

  #pressed(event: KeyboardEvent): void {
    const block = event.target instanceof this.#window.Element && event.target.closest('.rendering')
    const card = block ? cardOf(this.#conversation, block) : undefined
    if (!card || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const index = this.#found?.card === card ? this.#found.index : -1
    if (event.key === 'ArrowRight')
      this.#show(tokenOf(card, Math.min(index + 1, card.message.tokens.starts.length - 1)))
    else if (event.key === 'ArrowLeft') this.#show(tokenOf(card, Math.max(0, index - 1)))
    else if (event.key === 'Enter' && this.#found) this.#open(this.#found)
    else if (event.key === 'Escape') this.hide()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
}

function tokenOf(card: TrainingCard, index: number): Found {
  return { card, index, offset: card.message.tokens.starts[index] ?? 0 }
}

function placeOf({ card, offset }: Found): { readonly id: string; readonly offset: number } {
  return { id: card.id, offset }
}

function cardOf(conversation: Conversation, node: Node): TrainingCard | undefined {
  const element = node.nodeType === 1 ? (node as Element) : node.parentElement
  const view = element ? conversation.viewOf(element) : undefined
  return view instanceof TrainingCard ? view : undefined
}

/** "Token 13 of the sample, id 9906, bytes 48 65 6C 6C 6F, of user, not trained"; nothing where there are no tokens. */
function noteOf(document: Document, { card, index }: Found): string {
  const { role, text, tokens } = card.message
  const id = tokens.ids[index]
  if (id === undefined) return ''
  const characters = new TextEncoder().encode(text.slice(tokens.starts[index], tokens.ends[index]))
  const part = tokens.parts.find(([it]) => it === index)
  const bytes = part ? characters.slice(part[1], part[2]) : characters
  const hex = [...bytes.slice(0, mostBytes)]
    .map((it) => it.toString(16).toUpperCase().padStart(2, '0'))
    .join(' ')
  const rest = bytes.length > mostBytes ? ' …' : ''
  const flags = tokens.flags[index] ?? 0
  const state =
    (flags & 4) !== 0
      ? localize`beyond the maximum length`
      : (flags & 2) !== 0
        ? localize`trained`
        : localize`not trained`
  const number = numberText(document, tokens.first + index + 1)
  return localize`Token ${number} · ID ${id} · bytes ${hex + rest} · ${role} · ${state}`
}

const mostBytes = 24
