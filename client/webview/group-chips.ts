/** The tools of *Everything*: chips that filter by group, what opens and closes all cards, and how values are shown. */

import { localizable, localize, localized } from '../render/page-texts.ts'
import {
  type EverythingCounts,
  type EverythingGroup,
  everythingGroups,
  type GroupChoice,
} from '../src/preview/preview-protocol.ts'
import { make } from './elements.ts'
import type { JsonDisplay } from './json-display.ts'
import { numberText } from './number-text.ts'

const names: Readonly<Record<EverythingGroup, string>> = {
  reasoning: localizable`Reasoning`,
  tools: localizable`Tools`,
  instructions: localizable`Instructions`,
  problems: localizable`Problems`,
}

/** What the reader does with them. */
export interface ChipActions {
  /** Shows the messages of this choice only. */
  readonly onGroups: (choice: GroupChoice) => void
  /** Opens or closes all cards. */
  readonly onAll: (isOpen: boolean) => void
}

/** The line of chips. */
export class GroupChips {
  readonly element: HTMLElement
  readonly #document: Document
  readonly #onGroups: ChipActions['onGroups']
  readonly #without = new Set<EverythingGroup>()
  readonly #chips = new Map<EverythingGroup, HTMLButtonElement>()

  constructor(document: Document, display: JsonDisplay, { onGroups, onAll }: ChipActions) {
    this.#document = document
    this.#onGroups = onGroups
    this.element = make(document, 'section', {
      class: 'chips',
      'aria-label': localize`Filter and display`,
      hidden: true,
    })
    for (const group of everythingGroups) {
      const chip = this.#button('filter', localized(names[group]), () => {
        // What is left out comes back; what is shown becomes the only thing, or one of them.
        if (!this.#without.delete(group)) press(chip, !isPressed(chip))
        this.#choose()
      })
      chip.dataset.group = group
      press(chip, false)
      this.#chips.set(group, chip)
    }
    this.element.append(make(document, 'span', 'push'))
    this.#button('', localize`Expand all`, () => onAll(true))
    this.#button('', localize`Collapse all`, () => onAll(false))
    this.element.append(...display.buttons())
  }

  /** Shows the chips, with none of them chosen, or nothing. */
  show(isShown: boolean): void {
    this.element.hidden = !isShown
    this.#without.clear()
    for (const chip of this.#chips.values()) press(chip, false)
    this.#markLeftOut()
  }

  /** Leaves out the messages of `group`, until its chip is clicked. */
  hide(group: EverythingGroup): void {
    this.#without.add(group)
    press(this.#chips.get(group), false)
    this.#choose()
  }

  /** Shows the messages of `group` alone. */
  choose(group: EverythingGroup): void {
    this.#without.clear()
    for (const [name, chip] of this.#chips) press(chip, name === group)
    this.#choose()
  }

  #choose(): void {
    this.#markLeftOut()
    this.#onGroups({
      groups: everythingGroups.filter((it) => isPressed(this.#chips.get(it))),
      without: [...this.#without],
    })
  }

  #markLeftOut(): void {
    for (const [group, chip] of this.#chips) {
      const isOut = this.#without.has(group)
      chip.classList.toggle('without', isOut)
      chip.title = isOut ? localize`Left out. Click to show it again` : ''
    }
  }

  /** Says how many messages each group has. */
  setCounts(counts: EverythingCounts): void {
    for (const [group, chip] of this.#chips) {
      const count = counts[group]
      chip.textContent = `${localized(names[group])} ${numberText(this.#document, count)}`
      chip.disabled = count === 0 && !isPressed(chip)
    }
  }

  #button(className: string, text: string, act: () => void): HTMLButtonElement {
    const button = make(this.#document, 'button', `chip-button ${className}`, text)
    button.addEventListener('click', act)
    this.element.append(button)
    return button
  }
}

function press(button: HTMLButtonElement | undefined, isOn: boolean): void {
  button?.setAttribute('aria-pressed', String(isOn))
}

function isPressed(button: HTMLButtonElement | undefined): boolean {
  return button?.getAttribute('aria-pressed') === 'true'
}
