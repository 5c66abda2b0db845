/** The scroll position: who set it, what is at the top, and how it survives a change of what is above. */

/** The part of a window that scrolling needs. */
export type ScrollWindow = Pick<Window, 'scrollTo' | 'addEventListener' | 'requestAnimationFrame'> & {
  readonly scrollY: number
  readonly innerHeight: number
  readonly document: Document
}

/** Where a block was on the screen. */
interface Anchor {
  readonly element: Element
  readonly top: number
}

/** Scrolls the page, and distinguishes the reader's scrolling from its own. */
export class Viewport {
  readonly #window: ScrollWindow
  /** Where the page itself scrolled to last; `undefined` once the reader has moved on. */
  #own: number | undefined

  /** @param onScroll called once per frame while the reader scrolls */
  constructor(window: ScrollWindow, onScroll: (isReader: boolean) => void) {
    this.#window = window
    let isScheduled = false
    window.addEventListener(
      'scroll',
      () => {
        if (isScheduled) return
        isScheduled = true
        window.requestAnimationFrame(() => {
          isScheduled = false
          const isOwn = this.#own !== undefined && Math.abs(window.scrollY - this.#own) < 2
          if (!isOwn) this.#own = undefined
          onScroll(!isOwn)
        })
      },
      { passive: true },
    )
  }

  /** Height of what is visible, in pixels. */
  get height(): number {
    return this.#window.innerHeight
  }

  /** Pixels that are scrolled away above. */
  get top(): number {
    return this.#window.scrollY
  }

  /** True if the end of the page is on the screen. */
  get isAtEnd(): boolean {
    const { scrollHeight } = this.#window.document.documentElement
    return this.top + this.height >= scrollHeight - 4
  }

  /** Moves the page so that `top` pixels are above the screen. */
  scrollTo(top: number): void {
    if (Math.abs(this.#window.scrollY - top) < 1) return
    this.#window.scrollTo(0, top)
    this.#own = this.#window.scrollY
  }

  /** Shows the end of the page. */
  scrollToEnd(): void {
    this.scrollTo(this.#window.document.documentElement.scrollHeight)
  }

  /** Runs `change`, and keeps the first of `blocks` that is on the screen and stays in the page where it is. */
  keep(blocks: Iterable<Element>, change: () => void): void {
    const anchors: Anchor[] = []
    for (const element of blocks) {
      const { top, bottom } = element.getBoundingClientRect()
      if (bottom <= 0) continue
      if (top >= this.height) break
      anchors.push({ element, top })
    }
    change()
    const anchor = anchors.find(({ element }) => element.isConnected)
    if (anchor) this.scrollTo(this.top + anchor.element.getBoundingClientRect().top - anchor.top)
  }
}
