/**
 * The list of samples: a grid of which only the rows on the screen exist. All text of a dataset gets in as text nodes.
 */

import { localize } from '../../render/page-texts.ts'
import {
  type ColumnInfo,
  type Layout,
  type Row,
  type SampleAct,
  type SampleKind,
  usualLayout,
} from '../../src/datasets/dataset-protocol.ts'
import { make } from '../elements.ts'
import { ColumnHead, type HeadEvents } from './column-head.ts'
import { RowView } from './row-view.ts'

/** What the list reports. */
export interface ListEvents extends HeadEvents {
  /** Rows that are not known. */
  want(first: number, count: number): void
  open(number: number, as: 'text' | 'preview'): void
  showSource(number: number): void
  /** The sample could be read as another form. */
  chooseForm(number: number): void
  /** The numbers of the samples that are marked, in the order in which they were. */
  mark(numbers: readonly number[]): void
  place(top: number, active: number): void
  /** The line of the row with the focus is wanted. */
  copy(): void
  /** Add, delete, duplicate, or move the sample of the row with the focus, or undo that. */
  alter(act: SampleAct): void
  /** The user went to a row. */
  goTo(index: number): void
}

const rowHeight = 56 // pixels, as the style sheet says
const headHeight = 72 // pixels, as above
const tallest = 8_000_000 // pixels: browsers draw no element that is much taller, so then scrolling is scaled
const spare = 4 // rows that are drawn above and below the screen
const kept = 1000 // rows whose text is remembered

/** The list. */
export class SampleList {
  /** The element of the list. */
  readonly element: HTMLElement
  readonly #window: Window & typeof globalThis
  readonly #events: ListEvents
  readonly #head: ColumnHead
  readonly #grid: HTMLElement
  readonly #body: HTMLElement
  readonly #spacer: HTMLElement
  readonly #empty: HTMLElement
  readonly #rows = new Map<number, Row>()
  readonly #views = new Map<number, RowView>()
  #layout: Layout = usualLayout
  #marks: number[] = []
  readonly #decisions = new Map<number, string>()
  #count = 0
  #isFiltered = false
  #samples: SampleKind = 'lines'
  #active = 0
  /** Pixels of rows above the screen. */
  #offset = 0
  #asked = ''
  #isScheduled = false
  /** The row to open once it is there. */
  #toOpen: { readonly index: number; readonly as: 'text' | 'preview' } | undefined

  constructor(window: Window & typeof globalThis, events: ListEvents) {
    this.#window = window
    this.#events = events
    const { document } = window
    this.#spacer = make(document, 'div', { class: 'spacer', role: 'presentation' })
    this.#body = make(document, 'div', { class: 'body', role: 'rowgroup' }, this.#spacer)
    this.#empty = make(document, 'div', { class: 'empty', hidden: true })
    this.#head = new ColumnHead(document, {
      change: (layout) => {
        this.#show(layout)
        events.change(layout)
      },
      choose: (column, choice) => events.choose(column, choice),
    })
    this.#grid = make(
      document,
      'div',
      {
        class: 'grid',
        role: 'grid',
        'aria-label': localize`Samples`,
        'aria-multiselectable': 'true',
        tabindex: 0,
      },
      this.#head.element,
      this.#body,
    )
    this.element = make(document, 'main', {}, this.#grid, this.#empty)
    this.saysIfEmpty('all')
    this.setLayout(usualLayout)
    this.#grid.addEventListener('keydown', (event) => this.#key(event))
    this.#grid.addEventListener('scroll', () => this.#scrolled(), { passive: true })
    this.#grid.addEventListener('wheel', (event) => this.#wheel(event), { passive: false })
    this.#body.addEventListener('click', (event) => this.#click(event))
    this.#body.addEventListener('contextmenu', (event) => {
      const index = this.#indexAt(event)
      if (index !== undefined) this.#goTo(index) // the commands of the menu are about the row with the focus
    })
    this.#grid.dataset.vscodeContext = menuOf('openchatml.sample')
    this.#head.element.dataset.vscodeContext = menuOf('openchatml.columns')
    this.#body.addEventListener('dblclick', (event) => {
      const index = this.#indexAt(event)
      if (index !== undefined && !isButton(event)) this.#open(index, 'text')
    })
    this.#body.addEventListener('mousedown', (event) => {
      if (event.detail > 1) event.preventDefault() // a double click opens, and selects no words
    })
    window.addEventListener('resize', () => this.#schedule())
  }

  /** The numbers of the samples that are marked. */
  get marks(): readonly number[] {
    return this.#marks
  }

  /** The row at the top. */
  get top(): number {
    return Math.floor(this.#offset / rowHeight)
  }

  /** The row with the focus; it may be after what is listed so far. */
  get active(): number {
    return this.#active
  }

  /** The row with the focus, among those listed. */
  get #current(): number {
    return Math.max(0, Math.min(this.#active, this.#count - 1))
  }

  /** Another file, or another version of it. */
  open({ samples }: { readonly samples: SampleKind; readonly name: string }): void {
    this.#samples = samples
    this.#setMarks([])
  }

  /** Forgets all rows, and goes to a place. */
  reset({ top, active }: { readonly top: number; readonly active: number }): void {
    this.#rows.clear()
    this.#asked = ''
    this.#toOpen = undefined
    this.#active = active
    this.#offset = top * rowHeight
    this.#schedule()
  }

  /** Asks for all rows again. */
  forget(): void {
    this.#rows.clear()
    this.#asked = ''
    this.#schedule()
  }

  /** Says what to do if nothing is listed, by the query in the box. */
  saysIfEmpty(query: 'all' | 'filter' | 'mistake'): void {
    this.#empty.textContent = emptyText(query)
    this.#isFiltered = query !== 'all'
    if (!this.#empty.hidden) this.#showEmpty()
  }

  /** There are so many rows now. */
  setCount(count: number): void {
    if (count < this.#count) {
      for (const index of [...this.#rows.keys()]) if (index >= count) this.#rows.delete(index)
      this.#asked = ''
    }
    this.#count = count
    this.#grid.setAttribute('aria-rowcount', String(count + 1))
    this.#showEmpty()
    const height = Math.min(tallest, count * rowHeight)
    this.#spacer.style.height = `${height}px`
    this.#schedule()
  }

  /** Where a query finds nothing, the columns stay: what was chosen in one of them can be taken back there. */
  #showEmpty(): void {
    this.#empty.hidden = this.#count > 0
    this.#grid.hidden = this.#count === 0 && !this.#isFiltered
  }

  /** Rows that were wanted. */
  setRows(first: number, rows: readonly Row[]): void {
    rows.forEach((row, offset) => {
      this.#rows.delete(first + offset)
      this.#rows.set(first + offset, row)
      this.#views.get(first + offset)?.show(row, this.#marks.includes(row.number))
    })
    for (const index of this.#rows.keys()) {
      if (this.#rows.size <= kept) break
      this.#rows.delete(index)
    }
    if (this.#toOpen && this.#rows.has(this.#toOpen.index)) this.#open(this.#toOpen.index, this.#toOpen.as)
    this.#schedule()
  }

  /** Shows what is decided on samples, by their places; on the others, as before, or with `isAll` nothing. */
  setDecisions(decisions: readonly (readonly [place: number, mark?: string])[], isAll: boolean): void {
    if (isAll) this.#decisions.clear()
    for (const [place, decision] of decisions) {
      if (decision === undefined) this.#decisions.delete(place)
      else this.#decisions.set(place, decision)
    }
    this.#schedule()
  }

  /** Gives the list the focus. */
  focus(): void {
    this.#grid.focus()
  }

  /** Goes on to the next sample, or back. */
  step(by: 1 | -1): void {
    this.#goTo(this.#current + by)
  }

  /** Shows the columns of `layout`. */
  setLayout(layout: Layout): void {
    this.#head.setLayout(layout)
    this.#show(layout)
  }

  /** Shows what is known of columns. */
  setColumns(columns: readonly ColumnInfo[]): void {
    this.#head.setInfos(columns)
  }

  /** Lets the user choose the columns, in a menu at `anchor`. */
  chooseColumns(anchor: HTMLElement): void {
    this.#head.chooseColumns(anchor)
  }

  #show(layout: Layout): void {
    const names = (it: Layout) => it.columns.map(({ name }) => name).join('\n')
    const isSame = names(layout) === names(this.#layout)
    this.#layout = layout
    this.#grid.style.setProperty('--columns', this.#head.template)
    this.#grid.style.setProperty('--least', `${this.#head.leastWidth}px`)
    this.#grid.setAttribute('aria-colcount', String(layout.columns.length + 1))
    if (isSame) return
    for (const [index, view] of this.#views) this.#drop(index, view)
    this.#schedule()
  }

  /** How many pixels of rows one pixel of scrolling stands for. */
  get #scale(): number {
    const rows = this.#count * rowHeight - this.#height
    const pixels = Math.min(tallest, this.#count * rowHeight) - this.#height
    return pixels > 0 && rows > pixels ? rows / pixels : 1
  }

  get #height(): number {
    return this.#grid.clientHeight > 0 ? this.#grid.clientHeight - headHeight : 600 // without layout, as in tests
  }

  get #lastOffset(): number {
    return Math.max(0, this.#count * rowHeight - this.#height)
  }

  #scrolled(): void {
    const expected = this.#offset / this.#scale
    // What the list itself set is rounded.
    if (Math.abs(this.#grid.scrollTop - expected) >= 1) this.#offset = this.#grid.scrollTop * this.#scale
    this.#schedule()
  }

  /** Where scrolling is scaled, a notch of the wheel would skip rows. */
  #wheel(event: WheelEvent): void {
    if (this.#scale === 1 || event.ctrlKey) return
    event.preventDefault()
    const unit = event.deltaMode === 1 ? rowHeight / 2 : event.deltaMode === 2 ? this.#height : 1
    this.#scrollTo(this.#offset + event.deltaY * unit)
  }

  #scrollTo(offset: number): void {
    this.#offset = Math.max(0, Math.min(offset, this.#lastOffset))
    this.#grid.scrollTop = this.#offset / this.#scale
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#window.requestAnimationFrame(() => {
      this.#isScheduled = false
      this.#draw()
    })
  }

  #draw(): void {
    if (this.#count === 0) {
      for (const [index, view] of this.#views) this.#drop(index, view)
      return
    }
    const current = this.#current
    // A place that is remembered may be after what is read of the file so far.
    const offset = Math.min(this.#offset, this.#lastOffset)
    const expected = offset / this.#scale
    if (Math.abs(this.#grid.scrollTop - expected) >= 1) this.#grid.scrollTop = expected
    const first = Math.max(0, Math.floor(offset / rowHeight) - spare)
    const last = Math.min(this.#count, Math.ceil((offset + this.#height) / rowHeight) + spare)
    for (const [index, view] of this.#views) if (index < first || last <= index) this.#drop(index, view)
    for (let index = first; index < last; index++) {
      const view = this.#viewAt(index)
      view.element.style.transform = `translateY(${expected + index * rowHeight - offset}px)`
      view.setActive(index === current)
    }
    const active = this.#views.get(current)
    if (active) this.#grid.setAttribute('aria-activedescendant', active.element.id)
    else this.#grid.removeAttribute('aria-activedescendant')
    this.#ask(first, last)
    this.#tellPlace()
  }

  /** Reports which row has the focus, on which commands act. */
  #tellPlace(): void {
    this.#events.place(this.top, this.#active)
  }

  #viewAt(index: number): RowView {
    let view = this.#views.get(index)
    if (!view) {
      view = new RowView(this.#window.document, index, this.#layout.columns)
      this.#views.set(index, view)
      const after = [...this.#views.keys()].filter((it) => it > index)
      const next = after.length > 0 ? this.#views.get(Math.min(...after)) : undefined
      this.#body.insertBefore(view.element, next?.element ?? null)
    }
    const row = this.#rows.get(index)
    view.setKind(this.#samples)
    view.show(row, row !== undefined && this.#marks.includes(row.number))
    view.setDecision(row && this.#decisions.get(row.place))
    return view
  }

  #drop(index: number, view: RowView): void {
    view.element.remove()
    this.#views.delete(index)
  }

  #ask(first: number, last: number): void {
    let from = first
    while (from < last && this.#rows.has(from)) from++
    if (from === last) return
    let to = last
    while (to > from && this.#rows.has(to - 1)) to--
    const wish = `${from} ${to}`
    if (wish === this.#asked) return
    this.#asked = wish
    this.#events.want(from, to - from)
  }

  #key(event: KeyboardEvent): void {
    if (event.target !== this.#grid) return
    const act = actOf(event)
    if (act) {
      event.preventDefault()
      this.#tellPlace() // the next frame may be far
      this.#events.alter(act)
      return
    }
    if (event.altKey) return
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() !== 'c' || event.shiftKey) return
      // The line of a sample has hidden text, too: a reader who selected text copies that.
      if (this.#window.getSelection()?.isCollapsed === false) return
      this.#tellPlace()
      this.#events.copy()
      return
    }
    const page = Math.max(1, Math.floor(this.#height / rowHeight) - 1)
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: this.#current + 1,
      ArrowUp: this.#current - 1,
      PageDown: this.#current + page,
      PageUp: this.#current - page,
      Home: 0,
      End: this.#count - 1,
    }
    const target = steps[event.key]
    if (target !== undefined) this.#goTo(target)
    else if (event.key === 'Enter') this.#open(this.#current, event.shiftKey ? 'preview' : 'text')
    else if (event.key === ' ') this.#toggle(this.#current)
    else if (event.key === 'Escape') this.#setMarks([])
    else return
    event.preventDefault()
  }

  /** Gives a row the focus, and shows it. */
  activate(index: number): void {
    // Before it is known how many rows there are, any may come.
    this.#toOpen = undefined
    this.#active = Math.max(0, this.#count === 0 ? index : Math.min(index, this.#count - 1))
    const top = this.#active * rowHeight
    if (top < this.#offset) this.#scrollTo(top)
    else if (top + rowHeight > this.#offset + this.#height) this.#scrollTo(top + rowHeight - this.#height)
    this.#schedule()
  }

  #goTo(index: number): void {
    if (this.#count === 0) return
    this.activate(index)
    this.#events.goTo(this.#active)
  }

  #click(event: MouseEvent): void {
    const index = this.#indexAt(event)
    if (index === undefined) return
    this.#toOpen = undefined
    this.#active = index
    this.#events.goTo(index)
    this.#grid.focus({ preventScroll: true })
    const target = event.target instanceof this.#window.Element ? event.target : undefined
    switch (target?.closest('[data-action]')?.getAttribute('data-action')) {
      case 'open':
        this.#open(index, 'text')
        break
      case 'preview':
        this.#open(index, 'preview')
        break
      case 'mark':
        this.#toggle(index)
        break
      case 'form': {
        const row = this.#rows.get(index)
        if (row) this.#events.chooseForm(row.number)
        break
      }
      default:
        if (event.ctrlKey || event.metaKey) this.#toggle(index)
    }
    this.#schedule()
  }

  #indexAt(event: MouseEvent): number | undefined {
    const target = event.target instanceof this.#window.Element && event.target.closest('.row')
    for (const [index, { element }] of this.#views) if (element === target) return index
    return undefined
  }

  #open(index: number, as: 'text' | 'preview'): void {
    const row = this.#rows.get(index)
    this.#toOpen = row ? undefined : { index, as }
    if (!row) return
    if (row.content.kind === 'bad') this.#events.showSource(row.number)
    else this.#events.open(row.number, as)
  }

  #toggle(index: number): void {
    const row = this.#rows.get(index)
    if (row?.content.kind !== 'good') return
    const others = this.#marks.filter((it) => it !== row.number)
    // Two are compared: with a third one, the first is let go.
    this.#setMarks(others.length < this.#marks.length ? others : [...others.slice(-1), row.number])
  }

  #setMarks(marks: number[]): void {
    this.#marks = marks
    for (const [index, view] of this.#views) {
      const row = this.#rows.get(index)
      view.setMarked(row !== undefined && marks.includes(row.number))
    }
    this.#events.mark(marks)
  }
}

/** The keys are those that editors have for lines. */
function actOf({ key, altKey, shiftKey, ctrlKey, metaKey }: KeyboardEvent): SampleAct | undefined {
  const isCommand = ctrlKey || metaKey
  if (altKey && !isCommand && key === 'ArrowUp') return shiftKey ? undefined : 'up'
  if (altKey && !isCommand && key === 'ArrowDown') return shiftKey ? 'duplicate' : 'down'
  if (altKey || shiftKey) return undefined
  if (isCommand) return key.toLowerCase() === 'z' ? 'undo' : key === 'Enter' ? 'add' : undefined
  return key === 'Delete' ? 'delete' : undefined
}

function isButton(event: MouseEvent): boolean {
  return (event.target as Element | null)?.closest?.('[data-action]') !== null
}

/** What VS Code reads to choose the menu of an element: without *Cut*, *Copy*, and *Paste*, which no row has a use for. */
function menuOf(webviewSection: string): string {
  return JSON.stringify({ webviewSection, preventDefaultContextMenuItems: true })
}

function emptyText(query: 'all' | 'filter' | 'mistake'): string {
  switch (query) {
    case 'all':
      return localize`This dataset has no samples.`
    case 'filter':
      return localize`No sample matches the query. Change or clear it to see more samples.`
    case 'mistake':
      return localize`Correct or clear the query to see samples.`
  }
}
