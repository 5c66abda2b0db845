/** The bar of the training view: how much is trained, what the sample is rendered by, and what is wrong with it. */

import { localizable, localize, localized } from '../render/page-texts.ts'
import {
  type TrainingChoiceName,
  type TrainingTotals,
  trainingChoices,
} from '../src/preview/preview-protocol.ts'
import { make, textButton } from './elements.ts'
import { numberText } from './number-text.ts'

const names: Readonly<Record<TrainingChoiceName, string>> = {
  template: localizable`Template`,
  tokenizer: localizable`Tokenizer`,
  mask: localizable`Mask`,
  length: localizable`Maximum length`,
}

/** The bar, under the banner. */
export class TrainingBar {
  readonly element: HTMLElement
  readonly #document: Document
  readonly #counts: HTMLElement
  readonly #failure: HTMLElement
  readonly #notes: HTMLElement
  readonly #values = new Map<TrainingChoiceName, HTMLElement>()
  readonly #open: HTMLButtonElement

  /**
   * @param onChoice called when the reader wants to choose
   * @param onOpen called when the reader wants to see the template
   */
  constructor(document: Document, onChoice: (name: TrainingChoiceName) => void, onOpen: () => void) {
    this.#document = document
    this.#counts = make(document, 'p', { class: 'training-counts', role: 'status' })
    this.#failure = make(document, 'p', { class: 'training-failure', role: 'alert' })
    this.#notes = make(document, 'ul', 'training-notes')
    const choices = make(document, 'div', {
      class: 'training-choices',
      role: 'group',
      'aria-label': localize`Rendered by`,
    })
    for (const name of trainingChoices) {
      const button = textButton(document, `${localized(names[name])}: `, () => onChoice(name))
      button.dataset.choice = name
      const value = make(document, 'span', 'value')
      button.append(value)
      this.#values.set(name, value)
      choices.append(button)
    }
    this.#open = textButton(document, localize`Open template`, onOpen)
    choices.append(this.#open)
    this.element = make(
      document,
      'section',
      { class: 'training-bar', 'aria-label': localize`What is trained`, hidden: true },
      this.#counts,
      choices,
      this.#failure,
      this.#notes,
    )
  }

  /** Shows the bar, without numbers, or hides it. */
  show(isShown: boolean): void {
    this.element.hidden = !isShown
    this.#counts.textContent = isShown ? localize`Rendering…` : ''
    this.#counts.dataset.state = ''
    this.#failure.hidden = true
    this.#failure.textContent = '' // which may quote hidden text
    this.#open.hidden = true
    this.#notes.replaceChildren()
    for (const it of this.#values.values()) it.textContent = ''
  }

  /** Shows what is known now. */
  setTotals({ state, trained, total, unit, choices, hasTemplateFile, notes, failure }: TrainingTotals): void {
    for (const [name, element] of this.#values) element.textContent = choices[name]
    this.#open.hidden = !hasTemplateFile
    this.#counts.dataset.state = state
    this.#failure.hidden = failure === undefined
    this.#failure.textContent = failure ?? ''
    if (state === 'rendering') {
      if (total === 0) this.#counts.textContent = localize`Rendering…`
      return
    }
    const [some, all] = [trained, total].map((it) => numberText(this.#document, it))
    const words =
      unit === 'tokens'
        ? localize`${some ?? ''} of ${all ?? ''} tokens trained`
        : localize`${some ?? ''} of ${all ?? ''} characters trained`
    this.#counts.textContent = state === 'failed' ? localize`Nothing is rendered` : words
    this.#notes.replaceChildren(...notes.map((it) => make(this.#document, 'li', '', it)))
  }
}
