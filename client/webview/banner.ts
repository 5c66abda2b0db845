/** Says above everything else that hidden text is shown, for as long as it is; in the context view, also how much is sent. */
import { localizable, localize, localized } from '../render/page-texts.ts'
import type { ContextTotals } from '../src/preview/preview-protocol.ts'
import { numberText, tokensText } from './number-text.ts'

/** What the page shows besides what users see: nothing, or one of these. */
export type HiddenMode = 'debug' | 'context'

const words: Readonly<Record<HiddenMode, readonly [string, string]>> = {
  debug: [localizable`Debug view.`, localizable` Dimmed messages are hidden from users.`],
  context: [
    localizable`Context view.`,
    localizable` What the model is sent next, with text that is hidden from users.`,
  ],
}

/** The line at the top of the page. */
export class Banner {
  readonly element: HTMLElement
  readonly #document: Document
  readonly #text: HTMLElement
  readonly #totals: HTMLElement

  /** @param onLeave called when the reader wants only what users see */
  constructor(document: Document, onLeave: () => void) {
    this.#document = document
    this.element = document.createElement('aside')
    this.element.hidden = true
    this.#text = document.createElement('p')
    this.#totals = document.createElement('p')
    this.#totals.className = 'totals'
    this.#totals.setAttribute('role', 'status')
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'text-button'
    button.textContent = localize`Show only what users see`
    button.addEventListener('click', onLeave)
    this.element.append(this.#text, this.#totals, button)
  }

  /** Pixels that it covers at the top of the screen. */
  get height(): number {
    return this.element.getBoundingClientRect().height
  }

  /** Shows the words of `mode`, or nothing. */
  show(mode: HiddenMode | undefined): void {
    this.element.hidden = mode === undefined
    this.#text.replaceChildren()
    this.#totals.replaceChildren()
    this.#totals.hidden = mode !== 'context'
    if (mode === undefined) return
    this.element.className = `banner ${mode}-banner`
    this.element.setAttribute('aria-label', mode === 'debug' ? localize`Debug view` : localize`Context view`)
    const [title, explanation] = words[mode]
    const strong = this.#document.createElement('strong')
    strong.textContent = localized(title)
    this.#text.append(strong, localized(explanation))
    this.#totals.textContent = mode === 'context' ? localize`Counting tokens …` : ''
  }

  /** Says how much is sent. */
  setTotals(totals: ContextTotals): void {
    this.#totals.dataset.state = totals.state
    this.#totals.replaceChildren(...this.#totalsOf(totals))
  }

  #totalsOf({
    sent,
    dropped,
    sentMessages,
    droppedMessages,
    state,
    progress,
  }: ContextTotals): (Node | string)[] {
    if (state === 'failed') return [localize`Tokens cannot be counted: the language server does not answer.`]
    if (state === 'counting') return [localize`Counting tokens … ${Math.floor(100 * (progress ?? 0))} %`]
    const number = this.#document.createElement('strong')
    number.textContent = tokensText(this.#document, sent)
    const messages =
      sentMessages === 1
        ? localize` in 1 message`
        : localize` in ${numberText(this.#document, sentMessages)} messages`
    if (droppedMessages === 0) return [number, `${messages}.`]
    const spent = tokensText(this.#document, dropped)
    return [number, localize`${messages}; ${spent} of spent reasoning left out.`]
  }
}
