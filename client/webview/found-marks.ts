/** Marks what a query found in the messages on the page, without a change to them, and goes from one place to the next. */

import { localize } from '../render/page-texts.ts'
import type { HiddenKind } from '../src/datasets/dataset-protocol.ts'
import { make } from './elements.ts'
import { hiddenKindText } from './hidden-kind-text.ts'
import { highlight, textRanges } from './text-ranges.ts'

const most = 1000 // places that are marked

/** The marks, and what is said of them. */
export class FoundMarks {
  /** How many places there are, and where else the query found something. */
  readonly element: HTMLElement
  readonly #window: Window & typeof globalThis
  readonly #root: HTMLElement
  #texts: readonly string[] = []
  #hidden: readonly HiddenKind[] = []
  #ranges: readonly Range[] = []
  #current = -1
  #isScheduled = false

  /** @param root has the messages, each an `article` */
  constructor(window: Window & typeof globalThis, root: HTMLElement) {
    this.#window = window
    this.#root = root
    this.element = make(window.document, 'p', { class: 'found', role: 'status', hidden: true })
    new window.MutationObserver(() => this.#schedule()).observe(root, {
      childList: true,
      characterData: true,
      subtree: true,
    })
    window.document.addEventListener('keydown', (event) => {
      if (event.key !== 'F3' || this.element.hidden) return
      event.preventDefault()
      this.#step(event.shiftKey ? -1 : 1)
    })
  }

  /** Marks `texts` from now on. */
  show(texts: readonly string[], hidden: readonly HiddenKind[]): void {
    this.#texts = texts
    this.#hidden = hidden
    this.#current = -1
    this.#mark()
  }

  /** Messages come and go one by one: all of them are looked through once a frame. */
  #schedule(): void {
    if (this.#isScheduled || this.#texts.length === 0) return
    this.#isScheduled = true
    this.#window.requestAnimationFrame(() => {
      this.#isScheduled = false
      this.#mark()
    })
  }

  #mark(): void {
    this.#ranges = []
    for (const article of this.#root.querySelectorAll('article .content')) {
      if (this.#texts.length > 0 && this.#ranges.length < most)
        this.#ranges = [
          ...this.#ranges,
          ...textRanges(this.#window, article, (text) => spansOf(text, this.#texts)),
        ].slice(0, most)
    }
    if (this.#current >= this.#ranges.length) this.#current = -1
    this.#draw()
  }

  #step(by: 1 | -1): void {
    const { length } = this.#ranges
    if (length === 0) return
    this.#current = this.#current < 0 && by < 0 ? length - 1 : (this.#current + by + length) % length
    this.#draw()
    const range = this.#ranges[this.#current]
    range?.startContainer.parentElement?.scrollIntoView?.({ block: 'center' })
  }

  #draw(): void {
    const current = this.#ranges[this.#current]
    highlight(this.#window, 'found', this.#ranges, current)
    const { length } = this.#ranges
    const said = [
      ...(length === 0
        ? []
        : [current ? localize`Match ${this.#current + 1} of ${length}` : matchesText(length)]),
      ...this.#hidden.map(hiddenKindText),
    ]
    const text = said.join(' · ')
    this.element.hidden = text === ''
    if (this.element.textContent !== text) this.element.textContent = text
  }
}

function matchesText(count: number): string {
  return count === 1
    ? localize`1 match, go there with F3`
    : localize`${count} matches, go to the next with F3`
}

/** Where `texts` are in `all`, from left to right and without overlaps. */
function spansOf(all: string, texts: readonly string[]): readonly (readonly [from: number, to: number])[] {
  const spans = texts.flatMap((text) => {
    const found: (readonly [number, number])[] = []
    for (let at = text === '' ? -1 : all.indexOf(text); at >= 0; at = all.indexOf(text, at + text.length)) {
      found.push([at, at + text.length])
      if (found.length >= most) break
    }
    return found
  })
  spans.sort(([one, oneEnd], [other, otherEnd]) => one - other || otherEnd - oneEnd)
  let end = 0
  return spans.filter(([from, to]) => {
    if (from < end) return false
    end = to
    return true
  })
}
