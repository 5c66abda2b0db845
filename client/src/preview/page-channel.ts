/**
 * The conversation with one page: which window of messages it holds, what it still has to acknowledge, what it asked for.
 * At most one update is under way, so fast typing in a slow page makes updates larger, not more.
 */
import type { FoundTexts, SampleMetadata } from '../../../core/src/internal.ts'
import { changesBetween } from './keyed-list.ts'
import { MatchFinder } from './match-finder.ts'
import type { PageView } from './page-view.ts'
import { defaultLimits, type PageWindow, windowAround } from './page-window.ts'
import type { FromPage, MessageLine, PagePlace, ToPage } from './preview-protocol.ts'
import type { PreviewSession, Summary } from './preview-session.ts'

/** A document, for a page. */
export interface ShownDocument<Message> {
  readonly uri: string
  /** Absent if the document cannot be read. */
  readonly session: PreviewSession<Message> | undefined
  /** What a sample says besides its conversation, as it was read or saved last. */
  readonly metadata?: () => SampleMetadata | undefined
  /** What the query of a list found in a sample. */
  readonly found?: () => FoundTexts | undefined
}

/** Requests that concern more than the page's content; the owner of the page answers them. */
export type PageRequest = Exclude<FromPage, { readonly kind: 'ready' | 'applied' | 'want' | 'find' }>

const startOfDocument: PagePlace = { index: 0, line: 0 }
const noneFound = JSON.stringify({ texts: [], hidden: [] })
const noWindow: PageWindow<never> = { first: 0, messages: [] }

/** Keeps one page equal to one session. */
export class PageChannel<Message, Shown extends { readonly id: string }> {
  readonly #view: PageView<Message, Shown>
  readonly #post: (message: ToPage) => void
  readonly #request: (request: PageRequest) => void
  readonly #limits
  #shown: ShownDocument<Message> | undefined
  #isLocked = false
  #hasMath = true
  #isReady = false
  #window: PageWindow<Shown> = noWindow
  #total = -1
  /** Index around which the page wants its window. */
  #centre = 0
  #sequence = 0
  #isAwaiting = false
  #isDirty = false
  /** The page asked for something and waits for an update, even if nothing changes. */
  #owesAnswer = false
  #jump: PagePlace | undefined
  #summary: Summary | undefined
  #metadata: SampleMetadata | undefined
  #found = noneFound
  #marked: string | undefined
  #stopListening: (() => void) | undefined
  readonly #finder: MatchFinder<Message>
  /** The messages that were searched last. */
  #searched: readonly unknown[] = []

  /**
   * @param view what of a document is shown
   * @param post sends to the page
   * @param request gets what the page asks of the editor
   */
  constructor(
    view: PageView<Message, Shown>,
    post: (message: ToPage) => void,
    request: (request: PageRequest) => void,
    limits = defaultLimits,
  ) {
    this.#view = view
    this.#post = post
    this.#request = request
    this.#limits = limits
    // In what crosses to the page, and nowhere else.
    this.#finder = new MatchFinder((message, mayMatch) =>
      view.textsOf(view.shown('', message, limits.messageText), mayMatch),
    )
  }

  /** Shows another document, from `place` or its start. */
  open(shown: ShownDocument<Message>, place: PagePlace = startOfDocument): void {
    this.#stopListening?.()
    this.#shown = shown
    this.#stopListening = shown.session?.onChanged(() => this.#refresh())
    this.#restart(place)
  }

  /** Shows whether the page stays with its document. */
  setLocked(isLocked: boolean): void {
    this.#isLocked = isLocked
    if (this.#isReady) this.#post({ kind: 'lock', isLocked })
  }

  /** Shows formulas or their source; the page starts over at its place. */
  setMath(hasMath: boolean): void {
    if (this.#hasMath === hasMath) return
    this.#hasMath = hasMath
    if (this.#isReady) this.#restart({ index: this.#centre, line: 0 })
  }

  /** Marks the message that contains the text cursor, and shows it if it is outside the window. */
  mark(id: string | undefined): void {
    if (this.#marked === id) return
    this.#marked = id
    if (!this.#isReady) return
    this.#post({ kind: 'mark', ...(id === undefined ? {} : { id }) })
    if (id === undefined || this.#window.messages.some((message) => message.id === id)) return
    this.reveal({ index: this.#shown?.session?.indexOf(id) ?? -1, line: 0 })
  }

  /** Brings line `line` of the message at `index` to the top, and moves the window if it has to. */
  reveal({ index, line }: PagePlace): void {
    const id = this.#shown?.session?.entries[index]?.id
    if (id === undefined || !this.#isReady) return
    const isHeld = this.#window.messages.some((message) => message.id === id)
    if (isHeld && !this.#isDirty) {
      this.#post({ kind: 'reveal', id, line })
      return
    }
    this.#centre = index
    this.#jump = { index, line }
    this.#refresh()
  }

  /** Takes what the page said. */
  receive(message: FromPage): void {
    switch (message.kind) {
      case 'ready':
        this.#isReady = true
        this.#restart(message.uri === this.#shown?.uri ? this.#returned(message) : startOfDocument)
        break
      case 'applied':
        if (message.sequence !== this.#sequence) break
        this.#isAwaiting = false
        if (this.#isDirty) this.#refresh()
        break
      case 'want':
        this.#centre = message.index
        if (message.isJump) this.#jump = { index: message.index, line: 0 }
        this.#owesAnswer = true
        this.#refresh()
        break
      case 'find':
        void this.#find(message)
        break
      default:
        this.#request(message)
    }
  }

  /** The page was loaded already, for another channel: this one takes over, at `place`. */
  takeOver(place: PagePlace): void {
    this.#isReady = true
    this.#restart(place)
  }

  /** Where the reader is: an index among all messages. */
  get centre(): number {
    return this.#centre
  }

  /** The page was hidden and forgot what it showed; it will say when it is back. */
  sleep(): void {
    this.#isReady = false
  }

  /** Ends the conversation. */
  dispose(): void {
    this.#stopListening?.()
    this.#stopListening = undefined
    this.#shown = undefined
    this.#isReady = false
  }

  /** Counts the matches in all messages, and goes to the one that the reader wants; `isCount` to stay where the reader is. */
  async #find(
    { query, step, index }: Extract<FromPage, { kind: 'find' }>,
    { isCount = false } = {},
  ): Promise<void> {
    if (query === '') {
      this.#finder.stop()
      return
    }
    const session = this.#shown?.session
    this.#searched = session?.entries ?? []
    const found = session && (await this.#finder.find(session.entries, query, step, index))
    if (!found || session !== this.#shown?.session) return
    const { current, ...counts } = found
    if (current && !isCount) this.reveal({ index: session.indexOf(current.id), line: 0 })
    this.#post({ kind: 'matches', query, ...counts, ...(current && !isCount && { current }) })
  }

  #restart(place: PagePlace): void {
    this.#finder.stop()
    this.#window = noWindow
    this.#total = -1
    this.#summary = undefined
    this.#metadata = undefined
    this.#found = noneFound
    this.#isAwaiting = false
    this.#owesAnswer = false
    this.#centre = place.index
    this.#jump = place
    if (!this.#isReady || !this.#shown) return
    const { uri } = this.#shown
    this.#post(this.#view.open({ uri, isLocked: this.#isLocked, hasMath: this.#hasMath }))
    // Before the messages are there, the mark does not move the page.
    if (this.#marked !== undefined) this.#post({ kind: 'mark', id: this.#marked })
    this.#refresh()
  }

  #refresh(): void {
    if (!this.#isReady || !this.#shown) return
    const { session } = this.#shown
    if (!session) {
      this.#post({ kind: 'unavailable' })
      return
    }
    this.#summarize(session)
    this.#describe()
    this.tellFound()
    this.#isDirty = this.#isAwaiting
    if (this.#isAwaiting) return

    const { entries } = session
    if (this.#finder.query !== '' && entries !== this.#searched) {
      this.#searched = entries
      void this.#find(
        { kind: 'find', query: this.#finder.query, step: 0, index: this.#centre },
        { isCount: true },
      )
    }
    this.#followCentre(session)
    const next = this.#flagged(windowAround(this.#view, entries, this.#centre, this.#limits), entries.length)
    const changes = changesBetween(this.#window.messages, next.messages)
    const isNew =
      this.#owesAnswer ||
      changes.length > 0 ||
      next.first !== this.#window.first ||
      entries.length !== this.#total
    const top = this.#takeJump(session)
    this.#window = next
    this.#total = entries.length
    if (!isNew && !top) return
    this.#isAwaiting = true
    this.#owesAnswer = false
    this.#sequence++
    const update = { sequence: this.#sequence, first: next.first, total: entries.length, changes }
    this.#post(this.#view.update({ ...update, ...(top ? { top } : {}) }))
  }

  #summarize({ summary }: PreviewSession<Message>): void {
    if (!this.#view.summary || !summary || summary === this.#summary) return
    this.#summary = summary
    const said = this.#view.summary(summary)
    if (said) this.#post(said)
  }

  /** Sends what a query found where it is something else than before. */
  tellFound(): void {
    if (!this.#isReady || !this.#shown?.session || !this.#view.marksFound) return
    const { texts, hidden } = this.#shown.found?.() ?? { texts: [], hidden: [] }
    const found = JSON.stringify({ texts, hidden })
    if (found === this.#found) return
    this.#found = found
    this.#post({ kind: 'found', texts, hidden })
  }

  /** Sends the fields of a sample where they are others than before. */
  #describe(): void {
    const metadata = this.#shown?.metadata?.()
    if (metadata === this.#metadata) return
    this.#metadata = metadata
    this.#post({
      kind: 'metadata',
      fields: (metadata?.fields ?? []).map(({ name, value }) => ({ name, value })),
    })
  }

  /** The window with the flags of its messages, unless messages came or went since the sample was read. */
  #flagged(window: PageWindow<Shown>, total: number): PageWindow<Shown> {
    const { flagged } = this.#view
    const flags = (this.#metadata && this.#view.flagsOf?.(this.#metadata)) ?? []
    if (!flagged || flags.length !== total) return window
    const messages = window.messages.map((message, index) => {
      const own = flags[window.first + index] ?? []
      return own.length === 0 ? message : flagged(message, own)
    })
    return { ...window, messages }
  }

  /** Where the message that a page left is now: others may have come or gone while the page was hidden. */
  #returned({ index: usual, line, hidden }: PagePlace & { readonly hidden?: PagePlace }): PagePlace {
    const place = (this.#view.showsHidden && hidden) || { index: usual, line }
    const seen = this.#window.messages[place.index - this.#window.first]
    const index = seen ? (this.#shown?.session?.indexOf(seen.id) ?? -1) : -1
    return index === -1 ? place : { index, line: place.line }
  }

  /** Messages that come or go above the window move it along, so that the reader keeps what is on the screen. */
  #followCentre(session: PreviewSession<Message>): void {
    if (this.#jump) return
    const anchor = this.#window.messages[this.#centre - this.#window.first]
    if (!anchor) return
    const index = session.indexOf(anchor.id)
    if (0 <= index) this.#centre = index
  }

  #takeJump({ entries }: PreviewSession<Message>): MessageLine | undefined {
    const jump = this.#jump
    this.#jump = undefined
    if (!jump) return undefined
    const entry = entries[Math.min(jump.index, entries.length - 1)]
    return entry && { id: entry.id, line: jump.line }
  }
}
