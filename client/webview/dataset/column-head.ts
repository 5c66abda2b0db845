/** The head of the list: a title for each column that sorts by it, and above its samples a histogram, or the most frequent values. */

import { localize } from '../../render/page-texts.ts'
import {
  type ColumnChoice,
  type ColumnInfo,
  datasetColumn,
  type Layout,
  type ListedColumn,
  type Sorting,
} from '../../src/datasets/dataset-protocol.ts'
import { make } from '../elements.ts'
import { numberText } from '../number-text.ts'
import { type MenuItem, openMenu } from './column-menu.ts'

/** What the head reports. */
export interface HeadEvents {
  change(layout: Layout): void
  choose(column: string, choice: ColumnChoice): void
}

const widths: ReadonlyMap<string, number> = new Map([
  ['@roles', 240],
  ['@problems', 150],
])
const usualWidth = 110 // pixels
const numberWidth = 84 // pixels
const gap = 12 // pixels between columns, as the style sheet says
const padding = 16 // pixels, as above
const widthStep = 20 // pixels, by the keyboard
const leastWidth = 40 // pixels

/** The head. */
export class ColumnHead {
  /** The element of the head. */
  readonly element: HTMLElement
  readonly #document: Document
  readonly #events: HeadEvents
  #layout: Layout = { columns: [] }
  #infos: ReadonlyMap<string, ColumnInfo> = new Map()

  constructor(document: Document, events: HeadEvents) {
    this.#document = document
    this.#events = events
    this.element = make(document, 'div', { class: 'row head', role: 'row', 'aria-rowindex': 1 })
  }

  /** What `grid-template-columns` has to be. */
  get template(): string {
    const tracks = this.#layout.columns.map(({ name, width }) => {
      if (width !== undefined) return `${width}px`
      return name === '@words' ? 'minmax(200px, 1fr)' : `${widths.get(name) ?? usualWidth}px`
    })
    return [`${numberWidth}px`, ...tracks].join(' ')
  }

  /** Pixels that the columns need at least. */
  get leastWidth(): number {
    const columns = this.#layout.columns.map(
      ({ name, width }) => width ?? (name === '@words' ? 200 : (widths.get(name) ?? usualWidth)),
    )
    return columns.reduce((sum, it) => sum + it + gap, numberWidth + 2 * padding)
  }

  /** Shows the columns of `layout`. */
  setLayout(layout: Layout): void {
    this.#layout = layout
    this.#draw()
  }

  /** Shows what is known of columns. */
  setInfos(infos: readonly ColumnInfo[]): void {
    this.#infos = new Map(infos.map((it) => [it.name, it]))
    // Who is in a menu or drags over a plot is not disturbed.
    if (this.element.querySelector('.chosen') || this.#document.querySelector('.menu')) return
    const focused = [...this.element.querySelectorAll('button')].indexOf(
      this.#document.activeElement as HTMLButtonElement,
    )
    this.#draw()
    this.element.querySelectorAll('button')[focused]?.focus()
  }

  /** Lets the user choose the columns. */
  chooseColumns(anchor: HTMLElement): void {
    const own = ['@words', '@roles', '@problems']
    openMenu(anchor, localize`Columns`, () => {
      const shown = this.#layout.columns.map(({ name }) => name)
      const all = [...new Set([...own, ...this.#infos.keys(), ...shown])]
      return all.map((name) => ({
        text: titleOf(name),
        isChecked: shown.includes(name),
        run: () => this.#toggle(name),
      }))
    })
  }

  #toggle(name: string): void {
    const { columns } = this.#layout
    const others = columns.filter((it) => it.name !== name)
    this.#change({ columns: others.length < columns.length ? others : [...columns, { name }] })
  }

  #change(changes: Partial<Layout>): void {
    this.#layout = { ...this.#layout, ...changes }
    this.#draw()
    this.#events.change(this.#layout)
  }

  #draw(): void {
    this.element.replaceChildren(
      this.#cell(localize`Sample`, 'number', 'line', []),
      ...this.#layout.columns.map((column, index) => {
        const { name } = column
        const about = datasetColumn(name)
        const cell = this.#cell(titleOf(name), classOf(name), about, this.#menu(column, index))
        const info = about === undefined ? undefined : this.#infos.get(about)
        const plot = info && this.#plot(info)
        if (plot) cell.append(plot)
        cell.append(this.#sizer(cell, index))
        return cell
      }),
    )
  }

  #cell(title: string, className: string, about: string | undefined, menu: readonly MenuItem[]): HTMLElement {
    const { sort } = this.#layout
    const isSorted = about !== undefined && sort?.column === about
    const order = isSorted ? (sort.isDescending ? 'descending' : 'ascending') : 'none'
    const hint = (about !== undefined && this.#infos.get(about)?.summary) || title
    const button = make(this.#document, 'button', { class: 'title', title: hint }, title)
    const cell = make(
      this.#document,
      'span',
      {
        class: `cell ${className}`,
        role: 'columnheader',
        'aria-sort': about === undefined ? undefined : order,
      },
      button,
    )
    if (isSorted) {
      const arrow = { class: 'arrow', 'aria-hidden': 'true' }
      button.append(make(this.#document, 'span', arrow, sort.isDescending ? ' ↓' : ' ↑'))
    }
    const openOwn = () => menu.length > 0 && openMenu(this.#button(title) ?? button, title, () => menu)
    button.addEventListener('click', () => {
      if (about === undefined) openOwn()
      else {
        this.#sort(about, isSorted ? (sort.isDescending ? undefined : true) : false)
        this.#button(title)?.focus()
      }
    })
    button.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowDown') return
      event.preventDefault()
      openOwn()
    })
    cell.addEventListener('contextmenu', (event) => {
      event.preventDefault()
      openOwn()
    })
    return cell
  }

  /** The button of a column, which may have been drawn again. */
  #button(title: string): HTMLElement | undefined {
    const buttons = [...this.element.querySelectorAll<HTMLElement>('.title')]
    return buttons.find(({ firstChild }) => firstChild?.textContent === title)
  }

  /** Sorts up, down, or not at all. */
  #sort(column: string, isDescending: boolean | undefined): void {
    const sort: Sorting | undefined = isDescending === undefined ? undefined : { column, isDescending }
    const { sort: _, ...others } = this.#layout
    this.#layout = { ...others, ...(sort && { sort }) }
    this.#change({})
  }

  #menu(column: ListedColumn, index: number): readonly MenuItem[] {
    const { name } = column
    const about = datasetColumn(name)
    const width = column.width ?? widths.get(name) ?? usualWidth
    const item = (text: string, run: () => void): MenuItem => ({ text, run })
    const { columns } = this.#layout
    return [
      ...(about === undefined
        ? []
        : [
            item(localize`Sort Ascending`, () => this.#sort(about, false)),
            item(localize`Sort Descending`, () => this.#sort(about, true)),
            item(localize`Order of the File`, () => this.#sort(about, undefined)),
          ]),
      ...(index > 0 ? [item(localize`Move Left`, () => this.#move(index, index - 1))] : []),
      ...(index < columns.length - 1 ? [item(localize`Move Right`, () => this.#move(index, index + 1))] : []),
      item(localize`Wider`, () => this.#size(index, width + widthStep)),
      item(localize`Narrower`, () => this.#size(index, width - widthStep)),
      item(localize`Hide Column`, () => this.#toggle(name)),
      ...(about === undefined ? [] : this.#choices(about)),
    ]
  }

  /** What a click into the plot does, for the keyboard. */
  #choices(name: string): readonly MenuItem[] {
    const info = this.#infos.get(name)
    if (!info) return []
    return [
      ...info.bars.flatMap((bar, index) =>
        bar.count === 0
          ? []
          : [
              {
                text: this.#barText(info, index),
                run: () => this.#events.choose(name, rangeOf(info, index, index)),
              },
            ],
      ),
      ...info.values.map(([value, count]) => ({
        text: `${value}: ${this.#samples(count)}`,
        run: () => this.#events.choose(name, { kind: 'value', value }),
      })),
    ]
  }

  #move(from: number, to: number): void {
    const columns = [...this.#layout.columns]
    const [it] = columns.splice(from, 1)
    if (it) columns.splice(to, 0, it)
    this.#change({ columns })
  }

  #size(index: number, width: number): void {
    const columns = this.#layout.columns.map((it, at) =>
      at === index ? { ...it, width: Math.max(leastWidth, Math.round(width)) } : it,
    )
    this.#change({ columns })
  }

  #sizer(cell: HTMLElement, index: number): HTMLElement {
    // With the keyboard: the menu of the column.
    const sizer = make(this.#document, 'span', { class: 'sizer', 'aria-hidden': 'true' })
    sizer.addEventListener('pointerdown', (down) => {
      down.preventDefault()
      const width = cell.getBoundingClientRect().width
      sizer.setPointerCapture?.(down.pointerId)
      sizer.addEventListener('pointerup', (up) => this.#size(index, width + up.clientX - down.clientX), {
        once: true,
      })
    })
    return sizer
  }

  #plot(info: ColumnInfo): HTMLElement | undefined {
    if (info.bars.length > 1) return this.#histogram(info)
    return info.values.length > 0 ? this.#shares(info) : undefined
  }

  #histogram(info: ColumnInfo): HTMLElement {
    const most = Math.max(...info.bars.map(({ count }) => count))
    const bars = info.bars.map(({ count }, index) => {
      const fill = make(this.#document, 'span', 'fill')
      // A bar of few samples is seen as well.
      fill.style.height = count === 0 ? '0' : `${Math.max(6, (100 * count) / most)}%`
      return make(this.#document, 'span', { class: 'bar-slot', title: this.#barText(info, index) }, fill)
    })
    // With the keyboard: the menu of the column.
    const plot = make(this.#document, 'span', { class: 'plot histogram', 'aria-hidden': 'true' }, ...bars)
    let first: number | undefined
    const mark = (last: number) => {
      const [low, high] = [Math.min(first ?? last, last), Math.max(first ?? last, last)]
      bars.forEach((bar, index) => {
        bar.classList.toggle('chosen', first !== undefined && low <= index && index <= high)
      })
      return [low, high] as const
    }
    const indexAt = (event: PointerEvent) => {
      const { left, width } = plot.getBoundingClientRect()
      const at = Math.floor(((event.clientX - left) / Math.max(1, width)) * bars.length)
      return Math.max(0, Math.min(bars.length - 1, at))
    }
    plot.addEventListener('pointerdown', (event) => {
      event.preventDefault()
      plot.setPointerCapture?.(event.pointerId)
      first = indexAt(event)
      mark(first)
    })
    plot.addEventListener('pointermove', (event) => {
      if (first !== undefined) mark(indexAt(event))
    })
    plot.addEventListener('pointerup', (event) => {
      if (first === undefined) return
      const [low, high] = mark(indexAt(event))
      first = undefined
      mark(0)
      this.#events.choose(info.name, rangeOf(info, low, high))
    })
    plot.addEventListener('pointercancel', () => {
      first = undefined
      mark(0)
    })
    return plot
  }

  #shares({ name, values, others }: ColumnInfo): HTMLElement {
    const plot = make(this.#document, 'span', { class: 'plot shares', 'aria-hidden': 'true' })
    for (const [value, count] of values) {
      const title = `${value}: ${this.#samples(count)}`
      const share = make(this.#document, 'span', { class: 'share', title }, value)
      share.style.flexGrow = String(count)
      share.addEventListener('click', () => this.#events.choose(name, { kind: 'value', value }))
      plot.append(share)
    }
    if (others > 0) {
      const title = localize`Other values: ${this.#samples(others)}`
      const rest = make(this.#document, 'span', { class: 'share rest', title })
      rest.style.flexGrow = String(others)
      plot.append(rest)
    }
    return plot
  }

  #barText(info: ColumnInfo, index: number): string {
    const range = rangeOf(info, index, index)
    const count = this.#samples(info.bars[index]?.count ?? 0)
    if (range.kind === 'value') return `${range.value}: ${count}`
    const number = (it: number) => (info.isWhole ? numberText(this.#document, it) : String(it))
    const { from, to } = range
    return from === to ? `${number(from)}: ${count}` : `${number(from)}–${number(to)}: ${count}`
  }

  #samples(count: number): string {
    return count === 1 ? localize`1 sample` : localize`${numberText(this.#document, count)} samples`
  }
}

/** The numbers of bars, bounds included. */
function rangeOf({ bars, isWhole }: ColumnInfo, low: number, high: number): ColumnChoice {
  const from = bars[low]?.from ?? 0
  const to = bars[high]?.to ?? 0
  return { kind: 'range', from: rounded(from), to: isWhole ? to - 1 : rounded(to) }
}

/** Few digits: a bound is read and edited. */
function rounded(number: number): number {
  return Number(number.toPrecision(6))
}

/** The class of the cells of a column. */
export function classOf(name: string): string {
  return name.startsWith('@') ? name.slice(1) : name === 'tokens' ? 'tokens' : 'value'
}

function titleOf(name: string): string {
  switch (name) {
    case '@words':
      return localize`What a user sees first`
    case '@roles':
      return localize`Messages`
    case '@problems':
      return localize`Problems`
    case 'tokens':
      return localize`Tokens`
    default:
      return name
  }
}
