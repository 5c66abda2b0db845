/** How many messages users do not see: each number leads to these messages in *Everything*. */

import { localize } from '../render/page-texts.ts'
import { type EverythingGroup, everythingGroups, type HiddenCounts } from '../src/preview/preview-protocol.ts'
import { make, textButton } from './elements.ts'
import { numberText } from './number-text.ts'

/** A line above the conversation; nothing where nothing is hidden. */
export class HiddenCountsView {
  readonly element: HTMLElement
  readonly #document: Document
  readonly #onChoose: (group: EverythingGroup) => void

  /** @param onChoose called when the reader wants to see the messages of a group */
  constructor(document: Document, onChoose: (group: EverythingGroup) => void) {
    this.#document = document
    this.#onChoose = onChoose
    this.element = make(document, 'nav', {
      class: 'hidden-counts',
      'aria-label': localize`Hidden messages`,
    })
    this.show(undefined)
  }

  /** Shows the numbers, or nothing. */
  show(counts: HiddenCounts | undefined): void {
    const groups = everythingGroups.filter((it) => counts && counts[it] > 0)
    this.element.hidden = groups.length === 0
    this.element.replaceChildren(
      ...groups.map((group) => {
        const count = counts?.[group] ?? 0
        const text = textOf(group, count, numberText(this.#document, count))
        return textButton(this.#document, text, () => this.#onChoose(group))
      }),
    )
  }
}

function textOf(group: EverythingGroup, count: number, number: string): string {
  const isOne = count === 1
  switch (group) {
    case 'reasoning':
      return isOne ? localize`1 hidden reasoning message` : localize`${number} hidden reasoning messages`
    case 'tools':
      return isOne ? localize`1 hidden tool call` : localize`${number} hidden tool calls`
    case 'instructions':
      return isOne ? localize`1 hidden instruction` : localize`${number} hidden instructions`
    case 'problems':
      return isOne
        ? localize`1 message hidden because of an error`
        : localize`${number} messages hidden because of errors`
    default:
      return group satisfies never
  }
}
