/**
 * Finds words in the view: on the page it marks them, and the extension host counts those in messages that are not on the page
 * and brings the one that the reader goes to.
 */

import { type FindPlaces, findPlaces } from '../render/find-text.ts'
import { localize } from '../render/page-texts.ts'
import type { CurrentMatch, FromPage, ToPage } from '../src/preview/preview-protocol.ts'
import { longestQuery } from '../src/preview/preview-protocol.ts'
import { toggleRest } from './card-block.ts'
import { make } from './elements.ts'
import { iconButton } from './icons.ts'
import { numberText } from './number-text.ts'
import { highlight, textRanges } from './text-ranges.ts'

const most = 1000 // places that are marked

/** The texts of messages in which words are found, in the order of the extension host. */
const searched = [
  '.message:not(.card, .context-message) > .content',
  '.hidden-message .value',
  '.tool-card .blocks .value',
  '.context-message .part pre',
  '.notes > .literal',
].join(', ')

/** What the search needs from the page around it. */
export interface FindBarOptions {
  readonly window: Window & typeof globalThis
  /** Has the messages, each an `article`. */
  readonly root: HTMLElement
  readonly post: (message: FromPage) => void
  /** Index of the message at which the reader is, among all. */
  readonly index: () => number
  /** True if all that the view shows is on the page. */
  readonly isWhole: () => boolean
  /** Opens the card that contains an element, if it is closed. */
  readonly openCard: (element: Element) => void
}

/** The field, the number of matches, and their marks. */
export class FindBar {
  readonly element: HTMLElement
  readonly #options: FindBarOptions
  readonly #field: HTMLInputElement
  readonly #said: HTMLElement
  /** The match to go to as soon as its message is on the page. */
  #target: CurrentMatch | undefined
  #current: CurrentMatch | undefined
  #isScheduled = false
  #before: Element | null = null

  constructor(options: FindBarOptions) {
    this.#options = options
    const { window, root } = options
    const { document } = window
    this.#field = make(document, 'input', {
      type: 'search',
      maxlength: longestQuery,
      placeholder: localize`Find`,
      'aria-label': localize`Find in this view`,
    })
    this.#said = make(document, 'span', { class: 'matches', role: 'status' })
    const button = (name: 'up' | 'down' | 'close', label: string, act: () => void) => {
      const element = iconButton(document, name, { action: 'find', label })
      element.addEventListener('click', act)
      return element
    }
    this.element = make(
      document,
      'div',
      { role: 'search', class: 'find', hidden: true },
      this.#field,
      this.#said,
      button('up', localize`Previous match`, () => this.#find(-1)),
      button('down', localize`Next match`, () => this.#find(1)),
      button('close', localize`Close`, () => this.close()),
    )
    this.#field.addEventListener('input', () => this.#find(0))
    this.element.addEventListener('keydown', (event) => this.#press(event))
    document.addEventListener('keydown', (event) => {
      if (event.key.toLowerCase() !== 'f' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      this.open()
    })
    new window.MutationObserver(() => this.#schedule()).observe(root, { childList: true, subtree: true })
  }

  /** Shows the field, with the words that were looked for last, and gives it the focus. */
  open(): void {
    const { document } = this.#options.window
    if (this.element.hidden) this.#before = document.activeElement
    this.element.hidden = false
    this.#field.focus()
    this.#field.select()
    this.#find(0)
  }

  /** Ends the search. */
  close(): void {
    if (this.element.hidden) return
    this.element.hidden = true
    this.#forget()
    this.#options.post({ kind: 'find', query: '', index: 0, step: 0 })
    if (this.#before?.isConnected) (this.#before as HTMLElement).focus()
  }

  /** Clears the results of the previous view or document, and searches for the words again. */
  restart(): void {
    this.#forget()
    if (!this.element.hidden) this.#find(0)
  }

  /** What the extension host found. */
  show({ query, total, isCut, current }: Extract<ToPage, { kind: 'matches' }>): void {
    if (this.element.hidden || query !== this.#field.value) return
    const { document } = this.#options.window
    const count = `${numberText(document, total)}${isCut ? '+' : ''}`
    if (current) this.#current = current
    if (total === 0) this.#said.textContent = localize`No results`
    else if (current)
      this.#said.textContent = localize`${numberText(document, current.number + 1)} of ${count}`
    else this.#said.textContent = total === 1 ? localize`1 match` : localize`${count} matches`
    this.#target = current
    this.#mark()
  }

  #press(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.close()
    else if (event.key === 'Enter' && event.target === this.#field) this.#find(event.shiftKey ? -1 : 1)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  #find(step: -1 | 0 | 1): void {
    const query = this.#field.value
    if (query === '') this.#forget()
    if (query !== '' && this.#options.isWhole()) this.#findHere(query, step)
    else this.#options.post({ kind: 'find', query, index: this.#options.index(), step })
  }

  #findHere(query: string, step: -1 | 0 | 1): void {
    const places = findPlaces(query, most)
    const found = [...this.#options.root.querySelectorAll<HTMLElement>('article')].flatMap((article) =>
      (places ? this.#rangesIn(article, places) : []).map((_, nth) => ({
        id: article.dataset.id ?? '',
        nth,
      })),
    )
    const total = found.length
    const number = total === 0 ? 0 : ((this.#current?.number ?? 0) + step + total) % total
    const match = found[number]
    this.show({
      kind: 'matches',
      query,
      total,
      isCut: false,
      ...(match && { current: { ...match, number } }),
    })
  }

  #rangesIn(article: HTMLElement, places: FindPlaces): readonly Range[] {
    const texts = [...article.querySelectorAll(searched)]
    return texts.flatMap((it) => [...textRanges(this.#options.window, it, places)])
  }

  #forget(): void {
    this.#said.textContent = ''
    this.#target = undefined
    this.#current = undefined
    highlight(this.#options.window, 'find', [], undefined)
  }

  /** Messages come and go one by one: all of them are looked through once a frame. */
  #schedule(): void {
    if (this.#isScheduled || this.element.hidden || this.#field.value === '') return
    this.#isScheduled = true
    this.#options.window.requestAnimationFrame(() => {
      this.#isScheduled = false
      if (!this.element.hidden) this.#mark()
    })
  }

  #mark(): void {
    const places = findPlaces(this.#field.value, most)
    if (!places) return
    const { window, root } = this.#options
    const ranges: Range[] = []
    let current: Range | undefined
    for (const article of root.querySelectorAll<HTMLElement>('article')) {
      if (ranges.length >= most && article.dataset.id !== this.#current?.id) continue
      const own = this.#rangesIn(article, places)
      if (article.dataset.id === this.#current?.id) {
        current = own[this.#current?.nth ?? 0]
        if (this.#target?.id === article.dataset.id) this.#reveal(article, current)
      }
      ranges.push(...own.slice(0, Math.max(0, most - ranges.length)))
    }
    highlight(window, 'find', ranges, current)
  }

  #reveal(article: HTMLElement, range: Range | undefined): void {
    this.#target = undefined
    const element = range?.startContainer.parentElement
    this.#options.openCard(element ?? article)
    const rest = element?.closest('.value > [hidden]')
    const more = rest?.closest('.block')?.querySelector<HTMLButtonElement>('button.more')
    if (more) toggleRest(more)
    ;(element ?? article).scrollIntoView?.({ block: 'center' })
  }
}
