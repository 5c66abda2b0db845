/** The place of review mode on the page of a dataset. What shows samples is loaded when the first one is reviewed. */

import type { FromReviewPage, ReviewMark, ToReviewPage } from '../../src/review/review-protocol.ts'
import { make } from '../elements.ts'
import type { CreateReviewPane, ReviewPaneView } from '../review/pane-view.ts'

/** What review mode needs of the list. */
export interface ReviewedList {
  /** The index of the row with the focus. */
  readonly active: number
  activate(index: number): void
  /** Shows what is decided on samples, by their places; on the others, as before, or with `isAll` nothing. */
  setDecisions(decisions: readonly (readonly [place: number, mark?: ReviewMark])[], isAll: boolean): void
  focus(): void
}

/** Review mode, as the page of a dataset knows it. */
export class ReviewPlace {
  readonly #window: Window & typeof globalThis
  readonly #list: ReviewedList
  readonly #post: (message: FromReviewPage) => void
  readonly #host: HTMLElement
  #pane: Promise<ReviewPaneView> | undefined
  /** The index of the sample that is shown, or asked for; undefined while none is reviewed. */
  #shown: number | undefined

  constructor(
    window: Window & typeof globalThis,
    list: ReviewedList,
    post: (message: FromReviewPage) => void,
  ) {
    this.#window = window
    this.#list = list
    this.#post = post
    this.#host = make(window.document, 'div', { class: 'review-host', hidden: true })
    // What is typed into a field is text, and no key of review mode.
    window.document.addEventListener('keydown', (event) => {
      const target = event.composedPath()[0]
      const isField = target instanceof window.Element && target.matches('input, textarea, select')
      const isCommand = event.ctrlKey || event.metaKey || /^F\d|^Escape$/.test(event.key)
      if (isField && !isCommand) event.stopPropagation()
    })
  }

  /** The element of review mode, next to the list. */
  get element(): HTMLElement {
    return this.#host
  }

  /** Reports to the extension that the page is ready. */
  ready(): void {
    this.#post({ kind: 'reviewReady' })
  }

  /** The reviewer begins with the row that has the focus. */
  begin(): void {
    this.#ask(this.#list.active)
  }

  /** The list begins again: the row of the sample that is shown has the focus. */
  restore(): void {
    if (this.#shown !== undefined) this.#list.activate(this.#shown)
  }

  /** Another row of the list has the focus. */
  follow(index: number): void {
    if (this.#shown !== undefined && this.#shown !== index) this.#ask(index)
  }

  receive(message: ToReviewPage): void {
    switch (message.kind) {
      case 'reviewBegin':
        this.begin()
        return
      case 'reviewMarks':
        this.#list.setDecisions(message.marks, message.isAll)
        return
      case 'reviewEnd':
        this.#shown = undefined
        this.#setActive(false)
        this.#list.focus()
        return
      case 'reviewSample':
      case 'reviewEverything': {
        const isFirst = this.#host.hidden
        this.#shown = message.sample.index
        this.#setActive(true)
        this.#list.activate(message.sample.index)
        if (isFirst) void this.#load().then((pane) => pane.focus())
      }
    }
    void this.#load().then((pane) => pane.receive(message))
  }

  #ask(index: number): void {
    this.#shown = index
    this.#post({ kind: 'reviewShow', index })
  }

  #setActive(isActive: boolean): void {
    this.#host.hidden = !isActive
    this.#window.document.body.classList.toggle('reviewing', isActive)
  }

  #load(): Promise<ReviewPaneView> {
    this.#pane ??= new Promise((done) => {
      const { document } = this.#window
      const listener = ({ detail: Pane }: CustomEvent<CreateReviewPane>) => {
        done(new Pane(this.#window, this.#host, this.#post))
      }
      document.addEventListener('openchatml-review', listener as EventListener, { once: true })
      const own = document.querySelector<HTMLScriptElement>('script[src]')
      const script = document.createElement('script')
      script.nonce = own?.nonce ?? ''
      script.src = (own?.src ?? '').replace(/dataset\.js/, 'review.js')
      document.body.append(script)
    })
    return this.#pane
  }
}
