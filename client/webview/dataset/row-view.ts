/** One row of the list. What a dataset says gets in as text nodes only. */

import { localize } from '../../render/page-texts.ts'
import type { BadRow, GoodRow, ListedColumn, Row, SampleKind } from '../../src/datasets/dataset-protocol.ts'
import { make } from '../elements.ts'
import { hiddenKindText } from '../hidden-kind-text.ts'
import { icon } from '../icons.ts'
import { mistakeMessage } from '../mistake-message.ts'
import { numberText } from '../number-text.ts'
import { classOf } from './column-head.ts'

/** A row. */
export class RowView {
  /** The element of the row. */
  readonly element: HTMLElement
  readonly #document: Document
  /** By the names of their columns. */
  readonly #cells: ReadonlyMap<string, HTMLElement>
  readonly #label: HTMLElement
  readonly #decision: HTMLElement
  #shown: Row | undefined
  #samples: SampleKind = 'lines'

  constructor(document: Document, index: number, columns: readonly ListedColumn[]) {
    this.#document = document
    const cell = (className: string, ...children: Node[]) =>
      make(document, 'span', { class: `cell ${className}`, role: 'gridcell' }, ...children)
    // Not a form control: keys go to the list, and the state of the row says whether it is marked.
    const mark = { class: 'mark', 'data-action': 'mark', title: localize`Mark for comparison` }
    this.#label = make(document, 'span', 'label')
    this.#decision = make(document, 'span', 'decision')
    this.#cells = new Map(columns.map(({ name }) => [name, cell(classOf(name))]))
    this.element = make(
      document,
      'div',
      { class: 'row waiting', id: `sample-${index}`, role: 'row', 'aria-rowindex': index + 2 },
      cell('number', make(document, 'span', mark, icon(document, 'check')), this.#label, this.#decision),
      ...this.#cells.values(),
    )
  }

  /** What numbers are those of. */
  setKind(samples: SampleKind): void {
    this.#samples = samples
  }

  /** True for the row with the focus. */
  setActive(isActive: boolean): void {
    this.element.classList.toggle('active', isActive)
  }

  /** True for a row that is to be compared. */
  setMarked(isMarked: boolean): void {
    this.element.setAttribute('aria-selected', String(isMarked))
  }

  /** Shows what is decided on the sample. */
  setDecision(decision: string | undefined): void {
    if (this.#decision.textContent === (decision ?? '')) return
    this.#decision.textContent = decision ?? ''
    this.#decision.className = `decision ${decision ?? ''}`
  }

  /** Shows `row`; undefined while it is not known. */
  show(row: Row | undefined, isMarked: boolean): void {
    this.setMarked(isMarked)
    if (row === this.#shown) return
    this.#shown = row
    this.element.classList.toggle('waiting', row === undefined)
    this.element.classList.toggle('bad', row?.content.kind === 'bad')
    if (!row) {
      for (const cell of this.#cells.values()) cell.replaceChildren()
      this.#label.textContent = ''
      return
    }
    const number = numberText(this.#document, row.number)
    this.#label.textContent = number
    this.#label.title = row.origin ?? titleOf(this.#samples, number)
    for (const [name, cell] of this.#cells) cell.replaceChildren(...this.#content(name, row))
  }

  #content(name: string, row: Row): readonly (HTMLElement | string)[] {
    const { content } = row
    if (content.kind === 'bad') return this.#badContent(name, row, content)
    switch (name) {
      case '@words':
        return [
          content.words === ''
            ? make(this.#document, 'span', 'nothing', localize`Nothing that users see`)
            : this.#words(content),
          ...this.#hidden(content),
          this.#actions(['open', localize`Open`], ['preview', localize`Preview`]), // with the keyboard: Enter, Shift+Enter
        ]
      case '@roles':
        return this.#roles(content)
      case '@problems':
        return this.#problems(content)
      case 'tokens':
        return content.tokens === undefined ? [] : [numberText(this.#document, content.tokens)]
      default: {
        const [, value] = content.values?.find(([column]) => column === name) ?? []
        return value === undefined ? [] : [String(value)]
      }
    }
  }

  #badContent(name: string, { number, origin }: Row, content: BadRow): readonly (HTMLElement | string)[] {
    switch (name) {
      case '@words': {
        const message = mistakeMessage(this.#document, { samples: this.#samples, number, origin, content })
        return content.isUnknownForm ? [message, this.#actions(['form', localize`Choose Form…`])] : [message]
      }
      case '@problems':
        return [make(this.#document, 'span', 'badge error', localize`Cannot be read`)]
      default:
        return []
    }
  }

  #words({ words, marks = [] }: GoodRow): HTMLElement {
    const element = make(this.#document, 'span', 'first')
    let at = 0
    for (const { from, to } of marks) {
      const mark = make(this.#document, 'mark', 'hit', words.slice(from, to))
      element.append(words.slice(at, from), mark)
      at = to
    }
    element.append(words.slice(at))
    return element
  }

  /** Where the query found something that users do not see. */
  #hidden({ hidden = [] }: GoodRow): HTMLElement[] {
    return hidden.length === 0
      ? []
      : [make(this.#document, 'span', 'hidden-hits', hidden.map(hiddenKindText).join(' · '))]
  }

  /** Buttons for the mouse; what they do is in commands, too. */
  #actions(...actions: readonly (readonly [name: string, text: string])[]): HTMLElement {
    const buttons = actions.map(([name, text]) =>
      make(this.#document, 'span', { class: 'action', 'data-action': name }, text),
    )
    return make(this.#document, 'span', { class: 'actions', 'aria-hidden': 'true' }, ...buttons)
  }

  #roles({ roles }: GoodRow): HTMLElement[] {
    return roles.map(({ role, count }) => {
      const known = ['system', 'developer', 'user', 'assistant', 'tool'].includes(role)
      const text = `${role} ${numberText(this.#document, count)}`
      const dot = make(this.#document, 'span', 'dot')
      return make(this.#document, 'span', `role ${known ? role : 'other'}`, dot, text)
    })
  }

  #problems({ errors, warnings, hints, losses, code }: GoodRow): HTMLElement[] {
    const badges: HTMLElement[] = []
    const badge = (kind: string, text: string) =>
      badges.push(make(this.#document, 'span', { class: `badge ${kind}`, title: code }, text))
    if (errors > 0) badge('error', errors === 1 ? localize`1 error` : localize`${errors} errors`)
    if (warnings > 0) badge('warning', warnings === 1 ? localize`1 warning` : localize`${warnings} warnings`)
    if (hints > 0) badge('hint', hints === 1 ? localize`1 hint` : localize`${hints} hints`)
    if (losses > 0) badge('loss', losses === 1 ? localize`1 loss` : localize`${losses} losses`)
    return badges
  }
}

function titleOf(samples: SampleKind, number: string): string {
  switch (samples) {
    case 'lines':
      return localize`Line ${number}`
    case 'list':
      return localize`Place ${number} in the list`
    case 'rows':
      return localize`Row ${number}`
  }
}
