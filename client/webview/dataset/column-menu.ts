/** A menu that opens at an element of the page, for the mouse and for the keyboard. */

import { make } from '../elements.ts'

/** An item of a menu. */
export interface MenuItem {
  readonly text: string
  /** Set for an item that is on or off. */
  readonly isChecked?: boolean
  run(): void
}

/** Opens a menu with `items` at `anchor`, which gets the focus back. An item that is on or off leaves the menu open. */
export function openMenu(anchor: HTMLElement, label: string, items: () => readonly MenuItem[]): void {
  const { ownerDocument: document } = anchor
  document.querySelector('.menu')?.remove()
  const menu = make(document, 'div', { class: 'menu', role: 'menu', 'aria-label': label })
  const close = () => {
    if (!menu.isConnected) return
    menu.remove()
    anchor.focus()
  }
  const show = (active: number) => {
    menu.replaceChildren(
      ...items().map(({ text, isChecked, run }) => {
        const state =
          isChecked === undefined
            ? { role: 'menuitem' }
            : { role: 'menuitemcheckbox', 'aria-checked': String(isChecked) }
        const item = make(document, 'button', { ...state, tabindex: -1 }, text)
        item.addEventListener('click', () => {
          const index = [...menu.children].indexOf(item)
          if (isChecked === undefined) close()
          run()
          if (isChecked !== undefined) show(index)
        })
        return item
      }),
    )
    ;(menu.children[active] as HTMLElement | undefined)?.focus()
  }
  const search = new MenuSearch(menu)
  menu.addEventListener('keydown', (event) => {
    const { children } = menu
    const at = [...children].indexOf(document.activeElement ?? menu)
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: (at + 1) % children.length,
      ArrowUp: (at + children.length - 1) % children.length,
      Home: 0,
      End: children.length - 1,
    }
    const target = steps[event.key] ?? search.itemFor(event, at)
    event.stopPropagation()
    if (target !== undefined) (children[target] as HTMLElement | undefined)?.focus()
    else if (event.key === 'Escape' || event.key === 'Tab') close()
    else return
    event.preventDefault()
  })
  menu.addEventListener('focusout', ({ relatedTarget }) => {
    // Items that are drawn again lose the focus for a moment.
    if (relatedTarget instanceof Object && !menu.contains(relatedTarget as Node)) menu.remove()
  })
  const { left, bottom } = anchor.getBoundingClientRect()
  document.body.append(menu)
  menu.style.left = `${Math.max(0, Math.min(left, document.documentElement.clientWidth - menu.offsetWidth - 8))}px`
  menu.style.top = `${bottom}px`
  show(0)
}

const pause = 800 // milliseconds after which a letter begins another word

/** Finds items by their first letters; the same letter again goes on to the next item that begins with it. */
class MenuSearch {
  readonly #menu: HTMLElement
  #typed = ''
  #typedAt = 0 // milliseconds

  constructor(menu: HTMLElement) {
    this.#menu = menu
  }

  /** The index of the item to go to from the item at index `active`; undefined for keys that look for none, or find none. */
  itemFor({ key, timeStamp, ctrlKey, metaKey, altKey }: KeyboardEvent, active: number): number | undefined {
    if ([...key].length !== 1 || key === ' ' || ctrlKey || metaKey || altKey) return undefined
    const letter = key.toLowerCase()
    this.#typed = timeStamp - this.#typedAt < pause ? this.#typed + letter : letter
    this.#typedAt = timeStamp
    const isRepeated = this.#typed === letter.repeat(this.#typed.length / letter.length)
    const word = isRepeated ? letter : this.#typed
    const texts = [...this.#menu.children].map(({ textContent }) => (textContent ?? '').toLowerCase())
    const from = isRepeated ? active + 1 : Math.max(0, active)
    const order = [...texts.keys()].map((step) => (from + step) % texts.length)
    return order.find((index) => texts[index]?.startsWith(word))
  }
}
