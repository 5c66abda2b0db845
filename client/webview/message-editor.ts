/** Editing a message where it is read: its text in a field in the place of what it looks like. */
import { localize } from '../render/page-texts.ts'
import { MessageView } from './message-element.ts'
import type { View } from './view.ts'

/** Begins to edit `view`, unless it cannot be edited here. `save` gets the text that the message had, and the new one. */
export function editInPlace(
  document: Document,
  view: View,
  save: (before: string, text: string) => void,
): boolean {
  if (!(view instanceof MessageView) || view.message.omitted > 0) return false
  if (view.element.querySelector('.editor')) return true
  const before = view.text
  const field = document.createElement('textarea')
  field.value = before
  field.dir = 'auto'
  field.spellcheck = false
  field.rows = Math.min(30, before.split('\n').length + 1)
  field.setAttribute('aria-label', localize`Text of the message`)
  const shown = field.value // line breaks as the field has them
  const editor = document.createElement('div')
  editor.className = 'editor'
  const end = () => {
    editor.remove()
    view.content.hidden = false
    view.element.focus()
  }
  const finish = () => {
    if (field.value !== shown) save(before, field.value)
    end()
  }
  field.addEventListener('keydown', (event) => {
    event.stopPropagation() // page keys move the cursor here
    if (event.key === 'Escape') end()
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) finish()
    else return
    event.preventDefault()
  })
  const buttons = document.createElement('p')
  for (const [label, act] of [
    [localize`Save (Ctrl+Enter)`, finish],
    [localize`Cancel (Escape)`, end],
  ] as const) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'text-button'
    button.textContent = label
    button.addEventListener('click', act)
    buttons.append(button)
  }
  editor.append(field, buttons)
  view.content.hidden = true
  view.content.after(editor)
  field.focus()
  return true
}
