/** The switch at the top of the page: which view of the transcript is shown, and the ways to the others. */

import { localizable, localize, localized } from '../render/page-texts.ts'
import { type PreviewView, previewViews } from '../src/preview/preview-protocol.ts'
import { make } from './elements.ts'

const names: Readonly<Record<PreviewView, string>> = {
  user: localizable`What the user sees`,
  everything: localizable`Everything`,
  context: localizable`What the model gets next`,
  training: localizable`Training`,
  replay: localizable`Replay`,
}

/** A row of buttons, one for each view. */
export class ViewSwitch {
  readonly element: HTMLElement
  readonly #buttons = new Map<PreviewView, HTMLButtonElement>()

  /** @param onChoice called when the reader chooses a view; {@link show} follows when it is there */
  constructor(document: Document, onChoice: (view: PreviewView) => void) {
    this.element = make(document, 'nav', { class: 'views', 'aria-label': localize`View` })
    for (const view of previewViews) {
      const button = make(document, 'button', { 'data-view': view }, localized(names[view]))
      button.addEventListener('click', () => onChoice(view))
      this.#buttons.set(view, button)
      this.element.append(button)
    }
    this.show('user')
  }

  /** Marks the view that is on the page. */
  show(view: PreviewView): void {
    for (const [name, button] of this.#buttons) button.setAttribute('aria-pressed', String(name === view))
  }
}
