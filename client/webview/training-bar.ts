/** The bar of the training view: how much is trained, what the sample is rendered by, and what is wrong with it. */
import { localizable, localize, localized } from '../render/page-texts.ts'
import {
  type TrainingChoiceName,
  type TrainingTotals,
  trainingChoices,
} from '../src/preview/preview-protocol.ts'
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
    this.element = document.createElement('section')
    this.element.className = 'training-bar'
    this.element.setAttribute('aria-label', localize`What is trained`)
    this.element.hidden = true
    this.#counts = this.#make('p', 'training-counts')
    this.#counts.setAttribute('role', 'status')
    this.#failure = this.#make('p', 'training-failure')
    this.#failure.setAttribute('role', 'alert')
    this.#notes = this.#make('ul', 'training-notes')
    const choices = this.#make('div', 'training-choices')
    choices.setAttribute('role', 'group')
    choices.setAttribute('aria-label', localize`Rendered by`)
    for (const name of trainingChoices) {
      const button = this.#button(() => onChoice(name))
      button.dataset.choice = name
      const value = this.#make('span', 'value')
      button.append(`${localized(names[name])}: `, value)
      this.#values.set(name, value)
      choices.append(button)
    }
    this.#open = this.#button(onOpen)
    this.#open.textContent = localize`Open template`
    choices.append(this.#open)
    this.element.append(this.#counts, choices, this.#failure, this.#notes)
  }

  /** Shows the bar, without numbers, or hides it. */
  show(isShown: boolean): void {
    this.element.hidden = !isShown
    this.#counts.textContent = isShown ? localize`Rendering…` : ''
    this.#counts.dataset.state = ''
    this.#failure.hidden = true
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
    this.#notes.replaceChildren(...notes.map((it) => this.#make('li', '', it)))
  }

  #button(act: () => void): HTMLButtonElement {
    const button = this.#document.createElement('button')
    button.type = 'button'
    button.className = 'text-button'
    button.addEventListener('click', act)
    return button
  }

  #make(tag: string, className: string, text = ''): HTMLElement {
    const element = this.#document.createElement(tag)
    if (className !== '') element.className = className
    element.textContent = text
    return element
  }
}
