/** The list of messages: a window of them as elements, the rest as empty space, changed in place and never redrawn as a whole. */

import { localize } from '../render/page-texts.ts'
import type {
  ContextMessage,
  EverythingGroup,
  EverythingMessage,
  FromPage,
  MessageLine,
  PageChange,
  PageMessage,
  TrainingMessage,
  WindowUpdate,
} from '../src/preview/preview-protocol.ts'
import { Card } from './card.ts'
import { ContextCard } from './context-card.ts'
import { make } from './elements.ts'
import { Folds } from './folds.ts'
import { HiddenView } from './hidden-view.ts'
import { MessageEditor } from './message-editor.ts'
import { MessageView } from './message-element.ts'
import { lineAt, topOf } from './message-lines.ts'
import type { Render } from './rendered-body.ts'
import { ToolCard } from './tool-card-view.ts'
import { TrainingCard } from './training-card.ts'
import type { View } from './view.ts'
import { type ScrollWindow, Viewport } from './viewport.ts'

type AnyMessage = PageMessage | EverythingMessage | ContextMessage | TrainingMessage

/** Height of a message that is not measured yet, in pixels. */
const guessedHeight = 160

/**
 * Most pixels of empty space that stand for the messages outside of the window. Browsers end a page at 33 million, and place
 * its lines unevenly long before; beyond this, a message outside takes less room than it will have.
 */
const longestSpace = 4_000_000

/** As far as this many screens beyond the window, the reader is taken to have scrolled on, and not to have jumped. */
const screensOfScrolling = 4

/** Air above a message that is brought to the top, in pixels. */
const topMargin = 16

/** A message to edit; `text` is what a reader wrote of it that could not be saved. */
interface ToEdit {
  readonly id: string
  readonly text?: string
}

/** What the list needs from the page around it. */
export interface ConversationOptions {
  readonly window: ScrollWindow
  readonly render: Render
  readonly post: (message: FromPage) => void
  /** Pixels at the top of the screen that something else covers. */
  readonly covered: () => number
  /** Called when the reader is somewhere else: index among all messages, and line. */
  readonly onPlace: (index: number, line: number) => void
}

/** Why a view has no messages: the transcript has none, all of them are hidden from users, or the reader left them out. */
export type WhyEmpty = 'none' | 'hidden' | 'filtered'

/** The messages on the page. */
export class Conversation {
  readonly element: HTMLElement
  readonly #options: ConversationOptions
  readonly #document: Document
  readonly #viewport: Viewport
  readonly #above: HTMLElement
  readonly #below: HTMLElement
  readonly #feed: HTMLElement
  readonly #empty: HTMLElement
  readonly #views = new Map<string, View>()
  readonly #folds = new Folds()
  /** The messages in order. */
  #order: View[] = []
  #first = 0
  #total = 0
  #height = guessedHeight
  #marked: string | undefined
  #isReset = false
  #whyEmpty: WhyEmpty | undefined
  #editor: MessageEditor | undefined
  /** What is edited as soon as it is there. */
  #toEdit: ToEdit | undefined
  /** The index that was asked for and has not come yet. */
  #wanted: number | undefined
  /** The reader scrolled out of the window; the editor hears of it when the messages are there. */
  #isJumping = false

  constructor(options: ConversationOptions) {
    const { document } = options.window
    this.#options = options
    this.#document = document
    this.#viewport = new Viewport(options.window, (isReader) => this.#scrolled(isReader))
    const space = { class: 'space', 'aria-hidden': 'true' }
    this.#above = make(document, 'div', space)
    this.#below = make(document, 'div', space)
    const label = localize`Conversation`
    this.#feed = make(document, 'div', { class: 'feed', role: 'feed', 'aria-label': label, hidden: true })
    this.#empty = make(document, 'div', { class: 'empty', role: 'status', hidden: true })
    this.element = make(document, 'main', {}, this.#above, this.#feed, this.#below, this.#empty)
  }

  /**
   * Forgets all messages with the next update: they belong to another document.
   *
   * @param whyEmpty what it says if there are none; absent in a view that says so itself
   */
  reset(whyEmpty: WhyEmpty | undefined): void {
    this.#whyEmpty = whyEmpty
    this.#isReset = true
    this.#wanted = undefined
    this.#folds.reset()
  }

  /** Shows the next window of messages. */
  apply(
    update:
      | WindowUpdate<PageMessage>
      | WindowUpdate<EverythingMessage>
      | WindowUpdate<ContextMessage>
      | WindowUpdate<TrainingMessage>,
  ): void {
    this.#wanted = undefined
    this.#feed.setAttribute('aria-busy', 'true')
    if (this.#isReset) this.clear()
    const isAtEnd = this.#order.length > 0 && this.#viewport.isAtEnd
    const last = this.#order.at(-1)?.message
    this.#viewport.keep(this.#anchors(), () => {
      for (const change of update.changes) this.#change(change)
      this.#first = update.first
      this.#total = update.total
      this.#order = this.#inOrder()
      this.#arrange()
    })
    if (update.top) {
      this.reveal(update.top)
      this.#tellPlace()
      if (this.#isJumping) this.#options.post({ kind: 'scrolled', ...update.top })
      this.#isJumping = false
    }
    // Like a chat: who reads the end sees what comes.
    else if (isAtEnd && this.#order.at(-1)?.message !== last) this.#viewport.scrollToEnd()
    this.#feed.removeAttribute('aria-busy')
    this.#options.post({ kind: 'applied', sequence: update.sequence })
    if (this.#toEdit && this.#views.has(this.#toEdit.id)) this.edit(this.#toEdit)
    this.#askForMore()
  }

  /** Brings a line of a message to the top. */
  reveal({ id, line }: MessageLine): void {
    const view = this.#views.get(id)
    if (!view) return
    const isStart = this.#first === 0 && this.#order[0] === view && line === 0
    this.#viewport.scrollTo(isStart ? 0 : Math.max(0, this.#viewport.top + topOf(view, line) - this.#margin))
  }

  /** Brings a message to the top and begins to edit it, now or when it comes. */
  edit({ id, text }: ToEdit): void {
    const view = this.#views.get(id)
    this.#toEdit = view ? undefined : { id, ...(text !== undefined && { text }) }
    if (!view) return
    if (this.#editor?.id !== id) this.reveal({ id, line: 0 })
    this.editHere({ id, line: 0 })
    const says = view.editableText
    if (text !== undefined && says !== undefined && this.#editor?.id === id) this.#editor.refuse(says, text)
  }

  /** Begins to edit a message on the screen, or opens its source where only that can be edited. */
  editHere({ id, line }: MessageLine): void {
    const view = this.#views.get(id)
    if (!view || this.#editor?.id === id) return
    if (this.#editor?.isRefused) {
      this.#editor.focus()
      return
    }
    this.#editor?.leave()
    const text = view.editableText
    if (text === undefined) {
      this.#options.post({ kind: 'openSource', id, line })
      return
    }
    this.#editor = new MessageEditor(this.#document, view, text, {
      save: (before, changed) => this.#options.post({ kind: 'editMessage', id, before, text: changed }),
      keep: (before, draft) =>
        this.#options.post({ kind: 'keepDraft', id, before, ...(draft !== undefined && { text: draft }) }),
      onEnd: (isDone) => {
        this.#editor = undefined
        if (isDone) this.#views.get(id)?.element.focus()
      },
    })
  }

  /** Saves what was typed into the message that is edited, if one is; it is still edited. */
  saveEdited(): void {
    this.#editor?.save()
  }

  /** The text of a message, as it is copied. */
  textOf(id: string): string | undefined {
    return this.#views.get(id)?.text
  }

  /** The group of *Everything* that a message is in. */
  groupOf(id: string): EverythingGroup | undefined {
    const message = this.#views.get(id)?.message
    if (!message || !('kind' in message)) return undefined
    if (message.kind === 'tool') return 'tools'
    return 'group' in message ? (message.group as EverythingGroup | undefined) : undefined
  }

  /** Marks the message that contains the text cursor, and shows it if it is somewhere else. */
  mark(id: string | undefined): void {
    if (this.#marked !== undefined) this.#views.get(this.#marked)?.mark(false)
    this.#marked = id
    const view = id === undefined ? undefined : this.#views.get(id)
    if (!view) return
    view.mark(true)
    const { top, bottom } = view.element.getBoundingClientRect()
    if (bottom <= this.#options.covered() || top >= this.#viewport.height) {
      this.#viewport.scrollTo(Math.max(0, this.#viewport.top + top - this.#margin))
    }
  }

  /** Opens or closes the card that contains `element`. */
  toggleCard(element: Element): void {
    const view = this.viewOf(element)
    if (view instanceof Card) view.toggle()
  }

  /** Opens the card that contains `element`, if it is closed. */
  openCard(element: Element): void {
    const view = this.viewOf(element)
    if (view instanceof Card && view.content.hidden) view.toggle()
  }

  /** Opens or closes all cards. */
  foldAll(isOpen: boolean): void {
    this.#folds.setAll(isOpen)
    this.#viewport.keep(this.#anchors(), () => {
      for (const view of this.#order) if (view instanceof Card) view.showFold()
    })
  }

  /** Shows JSON as the reader wants to see it now. */
  redraw(): void {
    this.#viewport.keep(this.#anchors(), () => {
      for (const view of this.#order) if (view instanceof MessageView) view.redraw()
    })
  }

  /** Says why there are no messages, as soon as there are none. */
  explainEmpty(why: WhyEmpty): void {
    this.#whyEmpty = why
    if (!this.#empty.hidden) this.#setEmpty(...emptyTexts(why))
  }

  /** Says that there is nothing to show because the document cannot be read. */
  showUnavailable(): void {
    this.clear()
    this.#arrange()
    this.#setEmpty(
      localize`This transcript cannot be read.`,
      localize`It may have been deleted, may not be text, or may be too large for VS Code to share.`,
    )
  }

  /** The message that contains `element`. */
  viewOf(element: Element): View | undefined {
    const id = element.closest<HTMLElement>('.message')?.dataset.id
    return id === undefined ? undefined : this.#views.get(id)
  }

  /** Gives the focus to the message `step` places after the one that contains `element`. */
  focusNext(element: Element, step: number): boolean {
    const view = this.viewOf(element)
    const next = view && this.#order[this.#order.indexOf(view) + step]
    if (!next) return false
    this.#makeReachable(next)
    next.element.focus()
    return true
  }

  /** How far below the top of the screen the reader's message begins. */
  get #margin(): number {
    return topMargin + this.#options.covered()
  }

  #change(change: PageChange<AnyMessage>): void {
    switch (change.kind) {
      case 'remove':
        if (this.#editor?.id === change.id) this.#editor.leave()
        this.#views.get(change.id)?.element.remove()
        this.#views.delete(change.id)
        break
      case 'insert': {
        const view = this.#viewFor(change.message)
        const after = change.after === undefined ? undefined : this.#views.get(change.after)
        if (after) after.element.after(view.element)
        else this.#feed.prepend(view.element)
        this.#views.set(change.message.id, view)
        break
      }
      case 'replace':
        this.#replace(change.message)
        break
      default:
        change satisfies never
    }
  }

  #viewFor(message: AnyMessage): View {
    if ('omitted' in message && 'tokens' in message) return new TrainingCard(this.#document, message)
    if (!('kind' in message)) return new MessageView(this.#document, this.#options.render, message)
    if (message.kind === 'hidden') return new HiddenView(this.#document, message, this.#folds)
    if (message.kind === 'tool') {
      return new ToolCard(this.#document, this.#options.render, message, this.#folds)
    }
    if (message.kind !== 'visible') return new ContextCard(this.#document, message)
    const view = new MessageView(this.#document, this.#options.render, message.message)
    view.annotate(message)
    return view
  }

  /** In place where it can be; a message that is shown in another way now is rebuilt. */
  #replace(message: AnyMessage): void {
    const known = this.#views.get(message.id)
    if ('omitted' in message && 'tokens' in message) {
      if (known instanceof TrainingCard) known.update(message)
    } else if (!('kind' in message)) {
      if (known instanceof MessageView) known.update(message)
    } else if (message.kind === 'hidden' && known instanceof HiddenView) {
      known.update(message)
    } else if (message.kind === 'tool' && known instanceof ToolCard) {
      known.update(message)
    } else if (message.kind === 'visible' && known instanceof MessageView) {
      known.update(message.message)
      known.annotate(message)
    } else if ('parts' in message && known instanceof ContextCard) {
      known.update(message)
    } else {
      const view = this.#viewFor(message)
      if (this.#editor?.id === message.id) this.#editor.leave()
      known?.element.replaceWith(view.element)
      this.#views.set(message.id, view)
    }
  }

  #inOrder(): View[] {
    const views: View[] = []
    for (const child of this.#feed.children) {
      const view = this.viewOf(child)
      if (view) views.push(view)
    }
    return views
  }

  /** Everything about the messages that depends on their neighbours. */
  #arrange(): void {
    let previous: View | undefined
    this.#order.forEach((view, index) => {
      view.place(this.#first + index + 1, this.#total, isSameSpeaker(previous, view))
      view.mark(view.id === this.#marked)
      previous = view
    })
    const reachable = this.#order.find((view) => view.element.tabIndex === 0) ?? this.#order[0]
    if (reachable) this.#makeReachable(reachable)
    this.#feed.hidden = this.#order.length === 0
    if (this.#order.length > 0) {
      const measured = this.#feed.getBoundingClientRect().height / this.#order.length
      if (measured > 0) this.#height = measured
    }
    this.#setSpace(this.#above, this.#first)
    this.#setSpace(this.#below, this.#total - this.#first - this.#order.length)
    if (this.#whyEmpty) this.#setEmpty(...emptyTexts(this.#whyEmpty))
    else this.#empty.hidden = true
  }

  /** One message is in the tab order, the others are reached from it. */
  #makeReachable(view: View): void {
    for (const other of this.#order) other.element.tabIndex = other === view ? 0 : -1
  }

  /** Removes all messages at once. */
  clear(): void {
    this.#editor?.leave()
    this.#toEdit = undefined
    this.#isReset = false
    for (const view of this.#views.values()) view.element.remove()
    this.#views.clear()
    this.#order = []
    this.#first = 0
    this.#total = 0
    this.#height = guessedHeight
  }

  #setEmpty(title: string, explanation: string): void {
    this.#empty.hidden = this.#order.length > 0
    const lines = this.#empty.hidden ? [] : [title, explanation]
    this.#empty.replaceChildren(...lines.map((line) => make(this.#document, 'p', {}, line)))
  }

  #setSpace(space: HTMLElement, messages: number): void {
    space.style.height = `${Math.max(0, Math.round(messages * this.#spacePerMessage))}px`
  }

  /** What is on the screen may stay there although things above it change: blocks, then whole messages. */
  *#anchors(): Iterable<Element> {
    const covered = this.#options.covered()
    for (const view of this.#order) {
      if (view.element.getBoundingClientRect().bottom <= covered) continue
      for (const block of view.content.children) {
        if (block.getBoundingClientRect().bottom > covered) yield block
      }
    }
  }

  #scrolled(isReader: boolean): void {
    const place = this.#tellPlace()
    const view = place && this.#order[place.index]
    if (isReader && view) this.#options.post({ kind: 'scrolled', id: view.id, line: place.line })
    this.#askForMore()
  }

  #tellPlace() {
    const place = this.#isOutside() ? undefined : this.#place()
    if (place) this.#options.onPlace(this.#first + place.index, place.line)
    return place
  }

  /** The message at the top of the screen, as an index into the window, and its line there. */
  #place(): { readonly index: number; readonly line: number } | undefined {
    const index = this.#order.findIndex((view) => view.element.getBoundingClientRect().bottom > this.#margin)
    const view = this.#order[index]
    return view && { index, line: lineAt(view, this.#margin) }
  }

  /** Asks for other messages when the reader comes near an end of the window, or is outside. */
  #askForMore(): void {
    if (this.#order.length === 0) return
    const { top, bottom } = this.#feed.getBoundingClientRect()
    const { height } = this.#viewport
    if (this.#isOutside()) {
      this.#isJumping = true
      const index = Math.floor(top > 0 ? this.#indexAbove(top) : this.#indexBelow(bottom))
      this.#want(Math.max(0, Math.min(this.#total - 1, index)), true)
      return
    }
    const lacksAbove = this.#first > 0 && top > -height
    const lacksBelow = this.#first + this.#order.length < this.#total && bottom < 2 * height
    if (!lacksAbove && !lacksBelow) return
    const place = this.#place()
    if (place) this.#want(this.#first + place.index, false)
  }

  /** The message that belongs to the top of the screen, if the window begins `distance` pixels below it. */
  #indexAbove(distance: number): number {
    if (this.#isNear(distance)) return this.#first - distance / this.#height
    return this.#viewport.top / this.#spacePerMessage
  }

  /** The same, if the window ends at `bottom`, above the screen. */
  #indexBelow(bottom: number): number {
    if (this.#viewport.isAtEnd) return this.#total - 1
    const height = this.#isNear(bottom) ? this.#height : this.#spacePerMessage
    return this.#first + this.#order.length - bottom / height
  }

  #isNear(distance: number): boolean {
    return Math.abs(distance) < screensOfScrolling * this.#viewport.height
  }

  /** Pixels of empty space for each message outside of the window. */
  get #spacePerMessage(): number {
    const outside = this.#total - this.#order.length
    return Math.min(this.#height, longestSpace / Math.max(1, outside))
  }

  /** True if only empty space is on the screen. */
  #isOutside(): boolean {
    const { top, bottom } = this.#feed.getBoundingClientRect()
    return this.#order.length > 0 && (bottom < 0 || this.#viewport.height < top)
  }

  #want(index: number, isJump: boolean): void {
    if (this.#wanted === index) return
    this.#wanted = index
    this.#options.post({ kind: 'want', index, isJump })
  }
}

function isSameSpeaker(one: View | undefined, other: View): boolean {
  return one?.speaker !== undefined && one.speaker === other.speaker
}

/** What a view without messages says, and how to get some. */
function emptyTexts(why: WhyEmpty): [title: string, explanation: string] {
  switch (why) {
    case 'none':
      return [
        localize`This transcript has no messages.`,
        localize`To add one, type <| in the text editor, or copy a conversation and run the command Paste as OpenChatML.`,
      ]
    case 'hidden':
      return [
        localize`This transcript has no message that a user would see.`,
        localize`Instructions, reasoning, and tool calls stay hidden. To see them, choose Everything above.`,
      ]
    case 'filtered':
      return [
        localize`No message matches the filters.`,
        localize`To see all messages, turn off the filters above.`,
      ]
    default:
      return why satisfies never
  }
}
