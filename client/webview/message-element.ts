/** One message on the page: an article with a byline, its content, and what there is to say about it. */

import { lineBreaks } from '../render/literals.ts'
import { localize } from '../render/page-texts.ts'
import type { EverythingVisibleMessage, PageMessage, PagePart } from '../src/preview/preview-protocol.ts'
import { flagNotes, problemNotes } from './card.ts'
import { renderedSides } from './conflict-frames.ts'
import { make } from './elements.ts'
import { icon, messageActions } from './icons.ts'
import { numberText } from './number-text.ts'
import type { Render } from './rendered-body.ts'
import { verbatim } from './verbatim.ts'
import { menuContext, type View } from './view.ts'

/** A message and its elements. */
export class MessageView implements View {
  readonly element: HTMLElement
  readonly #document: Document
  readonly #render: Render
  readonly #content: HTMLElement
  readonly #name: HTMLElement
  readonly #role: HTMLElement
  readonly #avatar: HTMLElement
  readonly #chip: HTMLElement
  readonly #notes: HTMLElement
  #message: PageMessage
  #isContinued = false
  #extra: Omit<EverythingVisibleMessage, 'kind' | 'id' | 'message'> | undefined

  constructor(document: Document, render: Render, message: PageMessage) {
    this.#document = document
    this.#render = render
    this.#message = message
    const { id } = message
    this.element = make(document, 'article', {
      class: 'message',
      'data-id': id,
      'data-vscode-context': menuContext(id, 'visible'),
      tabindex: -1,
    })
    this.#avatar = make(document, 'span', { class: 'avatar', 'aria-hidden': 'true' })
    this.#name = make(document, 'span', { class: 'name', id: `name-${id}`, dir: 'auto' })
    this.#role = make(document, 'span', { class: 'role', id: `role-${id}` })
    const about = localize`An announcement that users see before a tool call`
    const chip = { class: 'chip', id: `chip-${id}`, title: about }
    this.#chip = make(document, 'span', chip, localize`Preamble`)
    this.#content = make(document, 'div', 'content')
    this.#notes = make(document, 'div', { class: 'notes', id: `notes-${id}` })
    const actions = messageActions(document, { hasMenu: true })
    const byline = [this.#avatar, this.#name, this.#role, this.#chip, actions]
    this.element.append(make(document, 'header', 'byline', ...byline), this.#content, this.#notes)
    this.element.setAttribute('aria-describedby', this.#notes.id)
    this.#describe(message)
    this.#content.append(this.#rendered(message))
  }

  /** What is shown. */
  get message(): PageMessage {
    return this.#message
  }

  get id(): string {
    return this.#message.id
  }

  get speaker(): string {
    return `${this.#message.role} ${this.#message.name ?? ''}`
  }

  /** The text of the message, as it is copied: Markdown, with literal blocks in it. */
  get text(): string {
    return this.#message.parts.map((part) => part.text).join('')
  }

  get editableText(): string | undefined {
    return this.#message.isSourceOnly || this.#message.omitted > 0 ? undefined : this.text
  }

  /** Lines of the visible text. */
  get lines(): number {
    return lineBreaks(this.text) + 1
  }

  /** The blocks that know their line, in order. */
  blocks(): HTMLElement[] {
    return [...this.#content.querySelectorAll<HTMLElement>('[data-line]')]
  }

  /** The parts of the content that stay while others are edited. */
  get content(): HTMLElement {
    return this.#content
  }

  /** What *Everything* adds: private blocks that are cut out of it, and what is wrong about them. */
  annotate(extra: Omit<EverythingVisibleMessage, 'kind' | 'id' | 'message'>): void {
    this.#extra = extra
    this.#describe(this.#message)
  }

  /** Shows `message` instead. Blocks that did not change stay the same elements, with selection and scroll position. */
  update(message: PageMessage): void {
    const isSameText = this.#isSameText(message)
    this.#message = message
    this.#describe(message)
    if (!isSameText) replaceChildren(this.#content, this.#rendered(message))
  }

  /** Shows JSON as the reader wants to see it now. */
  redraw(): void {
    if (this.#message.isJson) replaceChildren(this.#content, this.#rendered(this.#message))
  }

  /** Shows the position of the message, and whether it continues the turn of the one before. */
  place(position: number, total: number, isContinued: boolean): void {
    this.element.setAttribute('aria-posinset', String(position))
    this.element.setAttribute('aria-setsize', String(total))
    this.#isContinued = isContinued
    this.#setClasses()
  }

  /** Marks the message that contains the text cursor. */
  mark(isMarked: boolean): void {
    if (isMarked) this.element.setAttribute('aria-current', 'true')
    else this.element.removeAttribute('aria-current')
  }

  #rendered(message: PageMessage): DocumentFragment {
    return renderedSides(this.#document, this.#render, message)
  }

  #describe(message: PageMessage): void {
    const speaker = message.role === 'user' ? localize`User` : localize`Assistant`
    this.#setClasses()
    this.#avatar.replaceChildren(icon(this.#document, message.role))
    this.#name.textContent = message.name ?? speaker
    this.#role.textContent = message.name === undefined ? '' : speaker
    this.#chip.hidden = !message.isPreamble
    const label = [this.#name.id, this.#role.id]
    if (message.isPreamble) label.push(this.#chip.id)
    this.element.setAttribute('aria-labelledby', label.join(' '))
    this.#notes.replaceChildren(...this.#notesOf(message))
    this.#notes.hidden = this.#notes.childElementCount === 0
  }

  #setClasses(): void {
    const { role, isPreamble, isTruncated } = this.#message
    const classes = ['message', role]
    if (isPreamble) classes.push('preamble')
    if (isTruncated) classes.push('truncated')
    if (this.#isContinued) classes.push('continued')
    this.element.className = classes.join(' ')
  }

  #notesOf(message: PageMessage): HTMLElement[] {
    const notes: HTMLElement[] = []
    const note = (className: string, text: string) => notes.push(make(this.#document, 'p', className, text))
    if (message.omitted > 0) {
      note(
        'omitted',
        localize`${numberText(this.#document, message.omitted)} more characters are in the source.`,
      )
    }
    const { privateText, problems = [], flags = message.flags } = this.#extra ?? {}
    notes.push(...flagNotes(this.#document, flags))
    if (privateText) {
      note('reason', localize`Private blocks of this message, which users do not see:`)
      notes.push(verbatim(this.#document, privateText))
    }
    notes.push(...problemNotes(this.#document, problems))
    if (message.isStreaming) note('streaming', localize`Still streaming`)
    else if (message.isTruncated) note('cut-off', localize`Cut off: it has no end token`)
    return notes
  }

  #isSameText({ parts, sides = [], isJson }: PageMessage): boolean {
    const known = this.#message
    const knownSides = known.sides ?? []
    return (
      isJson === known.isJson &&
      isSameParts(parts, known.parts) &&
      sides.length === knownSides.length &&
      sides.every(
        (it, index) => it.side === knownSides[index]?.side && isSameParts(it.parts, knownSides[index]?.parts),
      )
    )
  }
}

function isSameParts(one: readonly PagePart[] | undefined, other: readonly PagePart[] | undefined): boolean {
  if (!one || !other) return one === other
  return (
    one.length === other.length &&
    one.every((part, index) => part.kind === other[index]?.kind && part.text === other[index]?.text)
  )
}

/** Makes the children of `element` equal to those of `next`, and touches only those between the first and the last difference. */
function replaceChildren(element: HTMLElement, next: DocumentFragment): void {
  const old = [...element.childNodes]
  const fresh = [...next.childNodes]
  let head = 0
  while (head < old.length && head < fresh.length && isEqual(old[head], fresh[head])) head++
  let tail = 0
  const limit = Math.min(old.length, fresh.length) - head
  while (tail < limit && isEqual(old[old.length - 1 - tail], fresh[fresh.length - 1 - tail])) tail++
  // Lines move without anything else changing; the kept elements take them over.
  for (let index = 1; index <= tail; index++) copyLines(old[old.length - index], fresh[fresh.length - index])
  const behind = old[old.length - tail] ?? null
  for (const node of old.slice(head, old.length - tail)) node.remove()
  for (const node of fresh.slice(head, fresh.length - tail)) element.insertBefore(node, behind)
}

/** Equal but for the lines on which blocks start. */
function isEqual(old: Node | undefined, fresh: Node | undefined): boolean {
  if (!old || !fresh) return false
  if (old.isEqualNode(fresh)) return true
  const copy = fresh.cloneNode(true)
  return copyLines(copy, old) && old.isEqualNode(copy)
}

/** Gives `target` the line numbers of `source`; false if the two differ in shape. */
function copyLines(target: Node | undefined, source: Node | undefined): boolean {
  const targets = lined(target)
  const sources = lined(source)
  if (targets.length !== sources.length) return false
  targets.forEach((element, index) => {
    const line = sources[index]?.dataset.line
    if (line !== undefined) element.dataset.line = line
  })
  return true
}

function lined(node: Node | undefined): HTMLElement[] {
  if (node?.nodeType !== 1) return []
  const element = node as HTMLElement
  const inside = [...element.querySelectorAll<HTMLElement>('[data-line]')]
  return element.hasAttribute('data-line') ? [element, ...inside] : inside
}
