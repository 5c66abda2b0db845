/** Says above everything else that hidden text is shown, for as long as it is; with the next prompt, also how much is sent. */
import { localizable, localize, localized } from '../render/page-texts.ts'
import type { ContextTotals, PreviewView } from '../src/preview/preview-protocol.ts'
import { make, textButton } from './elements.ts'
import { numberText, tokensText } from './number-text.ts'

const contextWords = [
  localizable`Hidden text is shown.`,
  localizable`This is what the model is sent next.`,
] as const
const unfilled = localizable`This prompt is not filled: its template tags are counted as they are written. Use Show Filled Prompt… to see what the model is sent.`

/** What it says in each view that shows hidden text; a view without words here has no banner. */
const words: Readonly<Partial<Record<PreviewView, readonly [string, string]>>> = {
  everything: [localizable`Hidden text is shown.`, localizable`Framed text is hidden from users.`],
  context: contextWords,
  training: [localizable`Hidden text is shown.`, localizable`This is what a model is trained on.`],
}

/** The line at the top of the page. */
export class Banner {
  readonly element: HTMLElement
  readonly #document: Document
  readonly #text: HTMLElement
  readonly #explanation: HTMLElement
  readonly #totals: HTMLElement

  /** @param onLeave called when the reader wants only what users see */
  constructor(document: Document, onLeave: () => void) {
    this.#document = document
    this.#text = make(document, 'p')
    this.#explanation = make(document, 'span')
    this.#totals = make(document, 'p', { class: 'totals', role: 'status' })
    const button = textButton(document, localize`Show only what users see`, onLeave)
    this.element = make(document, 'aside', { hidden: true }, this.#text, this.#totals, button)
  }

  /** Shows the words of `view`, or nothing. */
  show(view: PreviewView): void {
    const said = words[view]
    this.element.hidden = said === undefined
    this.#text.replaceChildren()
    this.#totals.replaceChildren()
    this.#totals.hidden = view !== 'context'
    if (!said) return
    this.element.className = `banner ${view}-banner`
    this.element.setAttribute('aria-label', localize`Hidden text`)
    const [title, explanation] = said
    this.#explanation.textContent = localized(explanation)
    this.#text.append(make(this.#document, 'strong', '', localized(title)), ' ', this.#explanation)
    this.#totals.textContent = view === 'context' ? localize`Counting tokens…` : ''
  }

  /** Says how much is sent. */
  setTotals(totals: ContextTotals): void {
    this.#explanation.textContent = localized(totals.isTemplate ? unfilled : contextWords[1])
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
    if (state === 'counting') return [localize`Counting tokens… ${Math.floor(100 * (progress ?? 0))}%`]
    const number = make(this.#document, 'strong', '', tokensText(this.#document, sent))
    const messages =
      sentMessages === 1
        ? localize` in 1 message`
        : localize` in ${numberText(this.#document, sentMessages)} messages`
    if (droppedMessages === 0) return [number, `${messages}.`]
    const spent = tokensText(this.#document, dropped)
    return [number, localize`${messages}; ${spent} of spent reasoning left out.`]
  }
}
