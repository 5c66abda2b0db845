/** The box for queries: proposals while you type, the queries of before, and what is wrong with a query. */

import { localize } from '../../render/page-texts.ts'
import type { MistakenQuery, Proposal, ToDatasetPage } from '../../src/datasets/dataset-protocol.ts'
import { make } from '../elements.ts'
import { numberText } from '../number-text.ts'

/** What the box reports. */
export interface QueryEvents {
  /** List what this query finds. */
  search(text: string): void
  /** The user is done with this query. */
  keep(text: string): void
  /** What can be written at `offset`? The answer goes to {@link QueryBox.propose}. */
  complete(id: number, text: string, offset: number): void
  /** Go on to the list. */
  leave(): void
}

const pause = 250 // milliseconds without typing before the file is looked through

/** The box. */
export class QueryBox {
  /** The element of the box. */
  readonly element: HTMLElement
  readonly #window: Window
  readonly #events: QueryEvents
  readonly #input: HTMLInputElement
  readonly #options: HTMLElement
  readonly #mistake: HTMLElement
  #proposals: readonly Proposal[] = []
  #span = { from: 0, to: 0 }
  #chosen = -1
  /** Counts what was asked for: an older answer is dropped. */
  #asked = 0
  #timer = 0
  #history: readonly string[] = []
  /** Which query of the history is in the box; -1 for one that is being written. */
  #back = -1
  #written = ''

  constructor(window: Window & typeof globalThis, events: QueryEvents, text: string) {
    this.#window = window
    this.#events = events
    const { document } = window
    this.#input = make(document, 'input', {
      type: 'search',
      placeholder: localize`Search, for example: refund turns>=6 -problem:*`,
      spellcheck: 'false',
      autocomplete: 'off',
      'aria-label': localize`Query for samples`,
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': 'false',
      'aria-controls': 'proposals',
      'aria-describedby': 'mistake',
    })
    this.#input.value = text
    this.#options = make(document, 'div', {
      id: 'proposals',
      class: 'proposals',
      role: 'listbox',
      'aria-label': localize`Suggestions`,
      hidden: true,
    })
    this.#mistake = make(document, 'p', { id: 'mistake', class: 'mistake', role: 'status' })
    this.element = make(document, 'div', 'query', this.#input, this.#mistake, this.#options)
    this.#input.addEventListener('input', () => this.#typed())
    this.#input.addEventListener('keydown', (event) => this.#key(event))
    this.#input.addEventListener('change', () => this.#events.keep(this.#input.value))
    this.#input.addEventListener('blur', () => this.#close())
    this.#options.addEventListener('mousedown', (event) => {
      event.preventDefault() // the box keeps the focus
      const index = [...this.#options.children].indexOf(event.target as Element)
      if (index >= 0) this.#take(index)
    })
  }

  /** The query in the box. */
  get text(): string {
    return this.#input.value
  }

  /** Writes a query into the box, and lists what it finds. */
  set text(text: string) {
    this.#input.value = text
    this.#back = -1
    this.#close()
    this.#search()
    this.#events.keep(text)
  }

  /** Gives the box the focus, with its query selected. */
  focus(): void {
    this.#input.focus()
    this.#input.select()
  }

  /** True if the element is in the box. */
  holds(target: EventTarget | null): boolean {
    return target === this.#input
  }

  /** The queries of before, the last one first. */
  setHistory(queries: readonly string[]): void {
    this.#history = queries
  }

  /** Shows what is wrong with the query, if it is still in the box. */
  setMistake(text: string, mistake: MistakenQuery | undefined): void {
    if (text !== this.#input.value) return
    this.#input.setAttribute('aria-invalid', String(mistake !== undefined))
    this.#mistake.textContent = mistake
      ? localize`Column ${numberText(this.#window.document, mistake.from + 1)}: ${mistake.message}`
      : ''
  }

  /** What can be written, as an answer to {@link QueryEvents.complete}. */
  propose({ id, from, to, proposals }: Extract<ToDatasetPage, { readonly kind: 'proposals' }>): void {
    if (id !== this.#asked || this.#window.document.activeElement !== this.#input) return
    this.#proposals = proposals
    this.#span = { from, to }
    this.#chosen = -1
    const { document } = this.#window
    this.#options.replaceChildren(
      ...proposals.map(({ text, summary }, index) => {
        const option = { id: `proposal-${index}`, role: 'option', 'aria-selected': 'false' }
        return make(document, 'div', option, text, make(document, 'span', 'summary', summary))
      }),
    )
    this.#options.hidden = proposals.length === 0
    this.#input.setAttribute('aria-expanded', String(proposals.length > 0))
  }

  #typed(): void {
    this.#back = -1
    this.#window.clearTimeout(this.#timer)
    this.#timer = this.#window.setTimeout(() => this.#search(), pause)
    if (this.#input.value === '') this.#close()
    else this.#ask()
  }

  #search(): void {
    this.#window.clearTimeout(this.#timer)
    this.#events.search(this.#input.value)
  }

  #ask(): void {
    this.#events.complete(++this.#asked, this.#input.value, this.#input.selectionStart ?? 0)
  }

  #close(): void {
    this.#asked++
    this.#proposals = []
    this.#chosen = -1
    this.#options.hidden = true
    this.#options.replaceChildren()
    this.#input.setAttribute('aria-expanded', 'false')
    this.#input.removeAttribute('aria-activedescendant')
  }

  #key(event: KeyboardEvent): void {
    // VS Code would select all once more, a moment later, and what was typed by then would be lost.
    if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) event.stopPropagation()
    const isOpen = this.#proposals.length > 0
    const handled = isOpen ? this.#keyAmongProposals(event) : this.#keyInBox(event)
    if (handled) event.preventDefault()
  }

  #keyAmongProposals({ key, shiftKey }: KeyboardEvent): boolean {
    switch (key) {
      case 'ArrowDown':
        this.#choose((this.#chosen + 1) % this.#proposals.length)
        return true
      case 'ArrowUp':
        this.#choose(this.#chosen <= 0 ? this.#proposals.length - 1 : this.#chosen - 1)
        return true
      case 'Enter':
      case 'Tab':
        if (this.#chosen >= 0 || (key === 'Tab' && !shiftKey)) {
          this.#take(Math.max(0, this.#chosen))
          return true
        }
        this.#close()
        if (key === 'Enter') this.#search()
        return false
      case 'Escape':
        this.#close()
        return true
      default:
        return false
    }
  }

  #keyInBox({ key, ctrlKey }: KeyboardEvent): boolean {
    if (key === ' ' && ctrlKey) this.#ask()
    else if (key === 'Enter') this.#search()
    else if (key === 'ArrowUp') this.#goBack(1)
    else if (key === 'ArrowDown' && this.#back >= 0) this.#goBack(-1)
    else if (key === 'ArrowDown') this.#events.leave()
    else return false
    return key !== 'Enter'
  }

  /** Up goes back in the history, and down comes forward to what was being written. */
  #goBack(step: 1 | -1): void {
    if (this.#back < 0) this.#written = this.#input.value
    const back = this.#back + step
    if (back >= this.#history.length) return
    this.#back = back
    this.#input.value = back < 0 ? this.#written : (this.#history[back] ?? '')
    this.#search()
  }

  #choose(index: number): void {
    this.#chosen = index
    for (const [at, option] of [...this.#options.children].entries()) {
      option.setAttribute('aria-selected', String(at === index))
      if (at !== index) continue
      this.#input.setAttribute('aria-activedescendant', option.id)
      option.scrollIntoView?.({ block: 'nearest' })
    }
  }

  #take(index: number): void {
    const proposal = this.#proposals[index]
    if (!proposal) return
    const { value } = this.#input
    const { from, to } = this.#span
    // A field goes on with its value, a value ends the term.
    const isField = /[:=]$/.test(proposal.text)
    const text = isField ? proposal.text : `${proposal.text} `
    this.#input.value = value.slice(0, from) + text + value.slice(to)
    this.#input.setSelectionRange(from + text.length, from + text.length)
    this.#close()
    this.#typed()
    if (!isField) this.#close()
  }
}
