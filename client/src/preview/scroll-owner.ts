/** Who scrolls: when one side follows the other, its own scrolling must not come back as an order. */

import { leadTime } from './preview-protocol.ts'

/** The two sides of scroll sync. */
export type ScrollSide = 'editor' | 'page'

const mostAsked = 50 // a second of scrolling

/** Lets one side lead at a time. */
export class ScrollOwner {
  readonly #now: () => number
  #leader: ScrollSide | undefined
  #until = 0
  /** The lines that the editor was asked to show, until it has scrolled there. */
  readonly #asked: number[] = []

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number) {
    this.#now = now
  }

  /** True if `side` may move the other one; it leads from now on, until it has been quiet for a moment. */
  lead(side: ScrollSide): boolean {
    const now = this.#now()
    if (this.#leader !== undefined && this.#leader !== side && now < this.#until) return false
    this.#leader = side
    this.#until = now + leadTime
    return true
  }

  /** The editor is asked to show `line`. On a busy machine, it scrolls so late that the page no longer leads. */
  ask(line: number): void {
    this.#asked.push(line)
    if (this.#asked.length > mostAsked) this.#asked.shift()
  }

  /** True if the editor, which now shows the lines from `first` to `last`, scrolled because it was asked to. */
  isAnswer(first: number, last: number): boolean {
    const index = this.#asked.findLastIndex((line) => first <= line && line <= last)
    this.#asked.splice(0, index + 1) // several may be answered at once
    return index >= 0
  }
}
