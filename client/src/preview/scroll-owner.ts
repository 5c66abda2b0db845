/** Who scrolls: when one side follows the other, its own scrolling must not come back as an order. */

import { leadTime } from './preview-protocol.ts'

/** The two sides of scroll sync. */
export type ScrollSide = 'editor' | 'page'

/** Lets one side lead at a time. */
export class ScrollOwner {
  readonly #now: () => number
  #leader: ScrollSide | undefined
  #until = 0

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
}
