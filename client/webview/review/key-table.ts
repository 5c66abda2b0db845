/** All keys of review mode, as they are by default. */
import { localizable, localize, localized } from '../../render/page-texts.ts'
import { make } from '../elements.ts'

const keys: readonly (readonly [key: string, does: string])[] = [
  ['k', localizable`Keep the sample`],
  ['x', localizable`Reject the sample`],
  ['f', localizable`Fix the sample: open it, and come back when it is saved`],
  ['1 – 9', localizable`Add or remove a label`],
  ['n', localizable`Write a note on the sample`],
  ['c', localizable`Write a note on the message with the focus, or the first one on the screen`],
  ['←  →', localizable`Previous and next sample`],
  ['⇧→', localizable`Next undecided sample`],
  ['u  Ctrl+Z', localizable`Undo the last decision, label, or note`],
  ['y', localizable`Confirm a stale decision`],
  ['Alt+←  Alt+→', localizable`Prefer the left or right side of a pair`],
  ['=', localizable`Reject a pair as a tie`],
  ['s', localizable`Swap the sides of a pair`],
  ['h', localizable`Show or hide what users do not see`],
  ['t', localizable`Show what a model is trained on, next to the list`],
  ['m', localizable`Show or hide the other fields of the sample`],
  ['Page Up  Page Down', localizable`Previous and next message`],
  ['?', localizable`Show or hide these keys`],
  ['Esc', localizable`End the review`],
]

/** The table. */
export class KeyTable {
  readonly element: HTMLElement
  readonly #close: () => void

  /** @param closed is called when the reader is done with it */
  constructor(document: Document, closed: () => void) {
    this.#close = closed
    const list = keys.flatMap(([key, does]) => [
      make(document, 'dt', {}, make(document, 'kbd', '', key)),
      make(document, 'dd', '', localized(does)),
    ])
    const hint = localize`Each key runs a command of the category OpenChatML Review. Change the keys in Keyboard Shortcuts.`
    this.element = make(
      document,
      'section',
      { class: 'keys', 'aria-label': localize`Keys`, tabindex: 0, hidden: true }, // in a low pane, it scrolls
      make(document, 'h3', '', localize`Keys`),
      make(document, 'dl', {}, ...list),
      make(document, 'p', 'note-hint', hint),
    )
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return
      event.stopPropagation() // which would end the review
      this.toggle()
    })
  }

  /** Shows the table, or hides it. */
  toggle(): void {
    this.element.hidden = !this.element.hidden
    if (this.element.hidden) this.#close()
    else this.element.focus()
  }
}
