/** What the cards of *Everything* share: a header that opens and closes them, problems, and why users do not see them. */
import { localize } from '../render/page-texts.ts'
import type { EverythingProblem, EverythingReason, PageSide } from '../src/preview/preview-protocol.ts'
import { sideText } from './conflict-frames.ts'
import type { Folds } from './folds.ts'
import { type IconName, icon, iconButton } from './icons.ts'
import { VerbatimView } from './verbatim-view.ts'
import type { MenuKind } from './view.ts'

/** What the header of a card says. */
export interface CardHead {
  readonly icon: IconName
  readonly name: string
  /** The beginning of what is in the card. */
  readonly gist: string
  /** Words after the name. */
  readonly badges: readonly (readonly [className: string, text: string])[]
  readonly why: EverythingReason
  readonly problems: readonly EverythingProblem[]
  /** The side of a merge conflict in which the message begins. */
  readonly side?: PageSide | undefined
  /** What a sample says of the message for training. */
  readonly flags?: readonly string[] | undefined
}

/** A message of *Everything* that users do not see. */
export abstract class Card<Message extends { readonly id: string }> extends VerbatimView<Message> {
  protected readonly document: Document
  readonly #folds: Folds
  readonly #head: HTMLElement
  readonly #notes: HTMLElement
  #toggle: HTMLButtonElement | undefined

  protected constructor(document: Document, message: Message, folds: Folds, kind: MenuKind) {
    super(document, message, kind)
    this.document = document
    this.#folds = folds
    this.#head = this.make('header', 'card-head')
    this.#notes = this.make('div', 'notes')
    this.#notes.id = `why-${message.id}`
    this.element.setAttribute('aria-describedby', this.#notes.id)
    this.content.id = `card-${message.id}`
    this.element.append(this.#head, this.#notes, this.content)
  }

  /** True if the card is open unless the reader says otherwise. */
  protected abstract get isUsuallyOpen(): boolean

  /** None while the card is closed: its lines are in its header then. */
  override blocks(): HTMLElement[] {
    return this.content.hidden ? [] : super.blocks()
  }

  /** Opens or closes the card, and remembers it. */
  toggle(): void {
    this.#folds.set(this.id, Boolean(this.content.hidden))
    this.showFold()
  }

  /** Shows the card as open or closed as it is meant to be. */
  showFold(): void {
    const isOpen = this.#folds.isOpen(this.id, this.isUsuallyOpen)
    this.content.hidden = !isOpen
    this.#toggle?.setAttribute('aria-expanded', String(isOpen))
  }

  protected describe({ icon: name, name: title, gist, why, problems, flags, side, ...more }: CardHead): void {
    const badges = side ? [[`conflict-badge ${side}`, sideText(side)] as const, ...more.badges] : more.badges
    const toggle = this.document.createElement('button')
    toggle.type = 'button'
    toggle.className = 'fold'
    toggle.dataset.action = 'fold'
    toggle.setAttribute('aria-controls', this.content.id)
    const hidden = localize`Hidden: ${why.reason}`
    toggle.title = `${hidden} ${why.section}`
    const label = this.make('span', 'name', title)
    label.dir = 'auto'
    const start = this.make('span', 'gist', gist)
    start.dir = 'auto'
    toggle.append(icon(this.document, 'chevron'), icon(this.document, name), label, start)
    const actions = this.make('span', 'actions')
    actions.append(
      iconButton(this.document, 'copy', { action: 'copy-message', label: localize`Copy message` }),
      iconButton(this.document, 'source', { action: 'source', label: localize`Go to source` }),
      iconButton(this.document, 'more', { action: 'menu', label: localize`More actions` }),
    )
    this.#head.replaceChildren(
      toggle,
      ...badges.map(([className, text]) => this.make('span', `badge ${className}`, text)),
      actions,
    )
    this.#toggle = toggle
    this.element.setAttribute(
      'aria-label',
      localize`Hidden: ${[title, ...badges.map((it) => it[1])].join(', ')}`,
    )
    const reason = this.make('p', why.isUnusual ? 'reason' : 'reason unseen', `${hidden} `)
    reason.append(this.make('span', 'section', why.section))
    this.#notes.replaceChildren(
      reason,
      ...flagNotes(this.document, flags),
      ...problemNotes(this.document, problems),
    )
    this.showFold()
  }

  protected make(tag: string, className: string, text = ''): HTMLElement {
    const element = this.document.createElement(tag)
    element.className = className
    element.textContent = text
    return element
  }
}

/** What a sample says of a message for training, in a line; none if it says nothing. */
export function flagNotes(document: Document, flags: readonly string[] = []): HTMLElement[] {
  if (flags.length === 0) return []
  const note = document.createElement('p')
  note.className = 'flags'
  note.textContent = localize`For training: ${flags.join(', ')}`
  return [note]
}

/** The problems of a message, each in a line. */
export function problemNotes(document: Document, problems: readonly EverythingProblem[]): HTMLElement[] {
  return problems.map(({ severity, message }) => {
    const note = document.createElement('p')
    note.className = `problem ${severity}`
    note.textContent = message
    return note
  })
}
