/** Editing a message where it is read: its text in a field in the place of what it looks like. What was typed is never lost. */

import { localize } from '../render/page-texts.ts'
import { make, textButton } from './elements.ts'
import type { View } from './view.ts'

/** What an editor needs from the list around it. */
export interface EditorOptions {
  /** Gets the text that the message had, and the new one. */
  readonly save: (before: string, text: string) => void
  /** Gets what {@link save} would get now, for a page that is closed before it can save; no text if there is nothing to save. */
  readonly keep: (before: string, text: string | undefined) => void
  /** Called when the field is gone. @param isDone true if the reader said so, and did not go elsewhere */
  readonly onEnd: (isDone: boolean) => void
}

/** Milliseconds from a key to keeping what was typed: a long text is not sent at each key. */
const keepDelay = 100

/**
 * The field for the text of a message. Ctrl+Enter saves and Escape takes everything back; when the focus goes elsewhere, the text
 * is saved, and the field stays only if that is outside of the page. What could not be saved stays in its field until the reader
 * decides: saving it would replace the changes of others.
 */
export class MessageEditor {
  /** The message. */
  readonly id: string
  readonly #options: EditorOptions
  readonly #element: HTMLElement
  readonly #field: HTMLTextAreaElement
  /** What Escape takes back: what the message said when the field opened, or when a save was refused. */
  #original: string
  /** What the message says, as far as is known here. */
  #saved: string
  /** The same as the field has it, whose line breaks are its own; undefined if that would not be what it has. */
  #shown: string | undefined
  #isOver = false
  #isRefused = false
  #keeping: ReturnType<typeof setTimeout> | undefined
  #isKept = false

  /** @param text what the message says */
  constructor(document: Document, view: View, text: string, options: EditorOptions) {
    this.id = view.id
    this.#options = options
    this.#original = text
    this.#saved = text
    this.#field = make(document, 'textarea', {
      dir: 'auto',
      spellcheck: 'false',
      rows: Math.min(30, text.split('\n').length + 1),
      'aria-label': localize`Text of the message`,
    })
    this.#field.value = text
    this.#shown = this.#field.value
    this.#field.addEventListener('keydown', (event) => this.#pressed(event))
    this.#field.addEventListener('input', () => this.#keepSoon())
    const buttons = make(
      document,
      'p',
      {},
      textButton(document, localize`Save (Ctrl+Enter)`, () => this.#finish()),
      textButton(document, localize`Cancel (Escape)`, () => this.#cancel()),
    )
    this.#element = make(document, 'div', 'editor', this.#field, buttons)
    this.#element.addEventListener('focusout', ({ relatedTarget }) => {
      if (this.#isRefused || this.#element.contains(relatedTarget as Node | null)) return
      if (relatedTarget || document.hasFocus()) this.leave()
      else this.save()
    })
    view.content.before(this.#element) // which hides it
    this.#field.focus()
  }

  /** True while the field has what could not be saved. */
  get isRefused(): boolean {
    return this.#isRefused
  }

  /** Gives the field the focus. */
  focus(): void {
    this.#field.focus()
  }

  /** Saves what was typed, if anything was. */
  save(): void {
    const { value } = this.#field
    if (this.#isOver || value === this.#shown) return
    this.#options.save(this.#saved, value)
    this.#saved = value
    this.#shown = value
    this.#isRefused = false
  }

  /** Saves, and ends; the focus is elsewhere, or the message goes. */
  leave(): void {
    if (this.#isRefused) this.#keepRefused()
    else this.save()
    this.#end(false)
  }

  /** What was written could not be saved; `text` is what the message says. The field has `draft` again. */
  refuse(text: string, draft: string): void {
    this.#isRefused = true
    this.#original = text
    this.#saved = text
    this.#shown = undefined
    if (this.#field.value !== draft) this.#field.value = draft
    this.#field.focus()
    this.#keepSoon()
  }

  #keepSoon(): void {
    this.#keeping ??= setTimeout(() => this.#keep(), keepDelay)
  }

  #keep(): void {
    this.#keeping = undefined
    const { value } = this.#field
    this.#isKept = value !== this.#shown
    this.#options.keep(this.#isRefused ? value : this.#saved, this.#isKept ? value : undefined)
  }

  /** Nothing is left to keep. */
  #forget(): void {
    clearTimeout(this.#keeping)
    this.#keeping = undefined
    if (this.#isKept) this.#options.keep(this.#saved, undefined)
    this.#isKept = false
  }

  #pressed(event: KeyboardEvent): void {
    if (event.isComposing) return // the key is for the input method
    if (event.key === 'Escape') this.#cancel()
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) this.#finish()
    else return
    event.preventDefault()
  }

  #finish(): void {
    this.save()
    this.#end(true)
  }

  #cancel(): void {
    if (this.#saved !== this.#original) this.#options.save(this.#saved, this.#original)
    this.#end(true)
  }

  /** The text was not written for what the message says now: said so, it is refused again, and comes back to where it can be kept. */
  #keepRefused(): void {
    const { value } = this.#field
    if (!this.#isOver) this.#options.save(value, value)
  }

  #end(isDone: boolean): void {
    if (this.#isOver) return
    this.#isOver = true // before the field goes, and with it the focus
    this.#forget()
    this.#element.remove()
    this.#options.onEnd(isDone)
  }
}
