/**
 * How JSON and the values of cards are shown: laid out or as written, wrapped or not. It is one choice for a whole page, with
 * buttons wherever such text is.
 */

import { localizable, localized } from '../render/page-texts.ts'
import { make } from './elements.ts'

/** What a reader can switch on, with its name, and what the style sheet asks of the root for. */
const switches = {
  raw: { name: localizable`Raw`, isOn: false },
  wrap: { name: localizable`Wrap`, isOn: true },
}

type Switch = keyof typeof switches

/** The choice of one page. */
export class JsonDisplay {
  readonly #root: HTMLElement
  readonly #onLayout: () => void
  readonly #isOn: Record<Switch, boolean> = { raw: switches.raw.isOn, wrap: switches.wrap.isOn }

  /**
   * @param root contains all that is shown, and says in `data-raw` and `data-wrap` how
   * @param onLayout called when JSON has to be shown in another layout
   */
  constructor(root: HTMLElement, onLayout: () => void) {
    this.#root = root
    this.#onLayout = onLayout
    root.addEventListener('click', ({ target }) => {
      const button = (target as Element | null)?.closest?.<HTMLElement>('button[data-action]')
      const action = button?.dataset.action
      if (button && (action === 'raw' || action === 'wrap')) this.#toggle(action, button)
    })
    this.#show()
  }

  /** True if JSON is shown as it is written. */
  get isRaw(): boolean {
    return this.#isOn.raw
  }

  /** A button for each switch. */
  buttons(): HTMLButtonElement[] {
    return (Object.keys(switches) as Switch[]).map((it) =>
      make(
        this.#root.ownerDocument,
        'button',
        { class: 'chip-button', 'data-action': it, 'aria-pressed': String(this.#isOn[it]) },
        localized(switches[it].name),
      ),
    )
  }

  #toggle(name: Switch, button: HTMLElement): void {
    this.#isOn[name] = !this.#isOn[name]
    this.#show()
    const message = button.closest('article')
    if (name === 'raw') this.#onLayout()
    // The message may have been drawn again: the focus stays on the button that the reader pressed.
    if (!button.isConnected) message?.querySelector<HTMLElement>(`[data-action="${name}"]`)?.focus()
  }

  #show(): void {
    for (const name of Object.keys(switches) as Switch[]) {
      const isOn = String(this.#isOn[name])
      this.#root.dataset[name] = isOn
      for (const it of this.#root.querySelectorAll(`button[data-action="${name}"]`))
        it.setAttribute('aria-pressed', isOn)
    }
  }
}
