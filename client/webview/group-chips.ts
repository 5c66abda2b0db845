/** The tools of *Everything*: chips that filter by group, what opens and closes all cards, and how text is shown. */
import { localizable, localize, localized } from '../render/page-texts.ts'
import {
  type EverythingCounts,
  type EverythingGroup,
  everythingGroups,
} from '../src/preview/preview-protocol.ts'
import { numberText } from './number-text.ts'

const names: Readonly<Record<EverythingGroup, string>> = {
  reasoning: localizable`Reasoning`,
  tools: localizable`Tools`,
  instructions: localizable`Instructions`,
  problems: localizable`Problems`,
}

/** What the reader does with them. */
export interface ChipActions {
  /** Shows these groups only; all messages if there are none. */
  readonly onGroups: (groups: readonly EverythingGroup[]) => void
  /** Opens or closes all cards. */
  readonly onAll: (isOpen: boolean) => void
}

/** The line of chips. */
export class GroupChips {
  readonly element: HTMLElement
  readonly #document: Document
  readonly #chips = new Map<EverythingGroup, HTMLButtonElement>()

  /** @param root carries what is set for the whole page, as classes */
  constructor(document: Document, root: HTMLElement, { onGroups, onAll }: ChipActions) {
    this.#document = document
    this.element = document.createElement('section')
    this.element.className = 'chips'
    this.element.setAttribute('aria-label', localize`Filter and display`)
    this.element.hidden = true
    for (const group of everythingGroups) {
      const chip = this.#button('filter', localized(names[group]), () => {
        press(chip, !isPressed(chip))
        onGroups(everythingGroups.filter((it) => isPressed(this.#chips.get(it))))
      })
      chip.dataset.group = group
      press(chip, false)
      this.#chips.set(group, chip)
    }
    const space = document.createElement('span')
    space.className = 'push'
    this.element.append(space)
    this.#button('', localize`Expand all`, () => onAll(true))
    this.#button('', localize`Collapse all`, () => onAll(false))
    for (const [name, label, isOn] of [
      ['raw', localize`Raw`, false],
      ['wrapped', localize`Wrap`, true],
    ] as const) {
      const toggle = this.#button('', label, () => {
        press(toggle, root.classList.toggle(name))
      })
      root.classList.toggle(name, isOn)
      press(toggle, isOn)
    }
  }

  /** Shows the chips, with none of them chosen, or nothing. */
  show(isShown: boolean): void {
    this.element.hidden = !isShown
    for (const chip of this.#chips.values()) press(chip, false)
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
    const button = this.#document.createElement('button')
    button.type = 'button'
    button.className = `chip-button ${className}`
    button.textContent = text
    button.addEventListener('click', act)
    this.element.append(button)
    return button
  }
}

function press(button: HTMLButtonElement, isOn: boolean): void {
  button.setAttribute('aria-pressed', String(isOn))
}

function isPressed(button: HTMLButtonElement | undefined): boolean {
  return button?.getAttribute('aria-pressed') === 'true'
}
