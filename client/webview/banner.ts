/** Says above everything else that hidden text is shown, for as long as it is; in the context view, also how much is sent. */
import type { ContextTotals } from '../src/preview/protocol.ts'

/** What the page shows besides what users see: nothing, or one of these. */
export type HiddenMode = 'debug' | 'context'

const words: Readonly<Record<HiddenMode, readonly [string, string]>> = {
  debug: ['Debug view.', ' Dimmed messages are hidden from users.'],
  context: ['Context view.', ' What the model is sent next, with text that is hidden from users.'],
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
    button.textContent = 'Show only what users see'
    button.addEventListener('click', onLeave)
    this.element.append(this.#text, this.#totals, button)
  }

  /** Shows the words of `mode`, or nothing. */
  show(mode: HiddenMode | undefined): void {
    this.element.hidden = mode === undefined
    this.#text.replaceChildren()
    this.#totals.replaceChildren()
    this.#totals.hidden = mode !== 'context'
    if (mode === undefined) return
    this.element.className = `banner ${mode}-banner`
    this.element.setAttribute('aria-label', mode === 'debug' ? 'Debug view' : 'Context view')
    const [title, explanation] = words[mode]
    const strong = this.#document.createElement('strong')
    strong.textContent = title
    this.#text.append(strong, explanation)
    this.#totals.textContent = mode === 'context' ? 'Counting tokens …' : ''
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
    if (state === 'failed') return ['Tokens cannot be counted: the language server does not answer.']
    if (state === 'counting') return [`Counting tokens … ${Math.floor(100 * (progress ?? 0))} %`]
    const number = this.#document.createElement('strong')
    number.textContent = `${counted(sent, 'token')}`
    const rest = ` in ${counted(sentMessages, 'message')}`
    if (droppedMessages === 0) return [number, `${rest}.`]
    return [number, `${rest}; ${counted(dropped, 'token')} of spent reasoning left out.`]
  }
}

/** `1 token`, `1,234 tokens`. */
export function counted(count: number, unit: string): string {
  return `${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`
}
