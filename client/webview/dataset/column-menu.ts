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
  menu.addEventListener('keydown', (event) => {
    const { children } = menu
    const at = [...children].indexOf(document.activeElement ?? menu)
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: (at + 1) % children.length,
      ArrowUp: (at + children.length - 1) % children.length,
      Home: 0,
      End: children.length - 1,
    }
    const target = steps[event.key]
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
