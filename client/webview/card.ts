/** What the cards of *Everything* share: a header that opens and closes them, problems, and why users do not see them. */
import { localize } from '../render/page-texts.ts'
import type { EverythingProblem, EverythingReason, PageSide } from '../src/preview/preview-protocol.ts'
import { sideText } from './conflict-frames.ts'
import { make } from './elements.ts'
import type { Folds } from './folds.ts'
import { type IconName, icon, messageActions } from './icons.ts'
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
    this.#head = make(document, 'header', 'card-head')
    this.#notes = make(document, 'div', { class: 'notes', id: `why-${message.id}` })
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
    const { document } = this
    const hidden = localize`Hidden: ${why.reason}`
    const toggle = make(
      document,
      'button',
      {
        class: 'fold',
        'data-action': 'fold',
        'aria-controls': this.content.id,
        title: `${hidden} ${why.section}`,
      },
      icon(document, 'chevron'),
      icon(document, name),
      make(document, 'span', { class: 'name', dir: 'auto' }, title),
      make(document, 'span', { class: 'gist', dir: 'auto' }, gist),
    )
    const actions = messageActions(document, { hasMenu: true })
    this.#head.replaceChildren(
      toggle,
      ...badges.map(([className, text]) => make(document, 'span', `badge ${className}`, text)),
      actions,
    )
    this.#toggle = toggle
    this.element.setAttribute(
      'aria-label',
      localize`Hidden: ${[title, ...badges.map((it) => it[1])].join(', ')}`,
    )
    const section = make(document, 'span', 'section', why.section)
    this.#notes.replaceChildren(
      make(document, 'p', why.isUnusual ? 'reason' : 'reason unseen', `${hidden} `, section),
      ...flagNotes(document, flags),
      ...problemNotes(document, problems),
    )
    this.showFold()
  }
}

/** What a sample says of a message for training, in a line; none if it says nothing. */
export function flagNotes(document: Document, flags: readonly string[] = []): HTMLElement[] {
  return flags.length === 0 ? [] : [make(document, 'p', 'flags', localize`For training: ${flags.join(', ')}`)]
}

/** The problems of a message, each in a line. */
export function problemNotes(document: Document, problems: readonly EverythingProblem[]): HTMLElement[] {
  return problems.map(({ severity, message }) => make(document, 'p', `problem ${severity}`, message))
}
