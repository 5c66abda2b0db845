/** The field in which a note is written. */
import { localize } from '../../render/page-texts.ts'
import { make } from '../elements.ts'

/** What a note is about: a message, or without one the sample. */
export interface NoteSubject {
  readonly message?: number
  readonly branch?: string
}

/** What the field reports. */
export interface NoteEvents {
  save(note: NoteSubject & { readonly text: string }): void
  cancel(): void
  /** What {@link NoteField.subject} is now. */
  changed(subject: NoteSubject | undefined): void
}

const hintId = 'note-hint'

/** The field; hidden while no note is written. */
export class NoteField {
  readonly element: HTMLElement
  readonly #label: HTMLElement
  readonly #field: HTMLTextAreaElement
  readonly #events: NoteEvents
  #subject: NoteSubject | undefined

  constructor(document: Document, events: NoteEvents) {
    this.#events = events
    this.#label = make(document, 'label', { class: 'note-label', for: 'note-field' })
    const field = { id: 'note-field', rows: 3, maxlength: 10_000 }
    this.#field = make(document, 'textarea', field)
    const keys = localize`Enter saves, Shift+Enter inserts a line break, Escape cancels.`
    const hint = make(document, 'p', { class: 'note-hint', id: hintId }, keys)
    this.element = make(document, 'form', { class: 'note', hidden: true }, this.#label, this.#field, hint)
    const cancel = () => {
      this.close()
      events.cancel()
    }
    this.#field.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') {
        event.stopPropagation() // which would end the review
        cancel()
      } else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
        event.preventDefault()
        const note = { text: this.#field.value.trim(), ...this.#subject }
        this.close()
        events.save(note)
      }
    })
  }

  /** What the note is about that is written; undefined while none is. */
  get subject(): NoteSubject | undefined {
    return this.#subject
  }

  /** Asks for a note; `text` is the one that is there, and `describedBy` the ids of elements that say what it is about. */
  open(label: string, text: string, subject: NoteSubject, describedBy = ''): void {
    this.#label.textContent = label
    this.#field.value = text
    this.#field.setAttribute('aria-describedby', `${describedBy} ${hintId}`.trim())
    this.element.hidden = false
    this.#field.focus()
    this.#field.select()
    this.#tell(subject)
  }

  /** Leaves what was written. */
  close(): void {
    this.element.hidden = true
    this.#tell(undefined)
  }

  #tell(subject: NoteSubject | undefined): void {
    this.#subject = subject
    this.#events.changed(subject)
  }
}
