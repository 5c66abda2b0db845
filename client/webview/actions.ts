/** What the reader does: clicks, keys, copying, links. One listener each, at the root, so messages carry none of their own. */

import { isInlineImage } from '../render/markdown-to-html.ts'
import { localize } from '../render/page-texts.ts'
import type { FromPage } from '../src/preview/preview-protocol.ts'
import { toggleRest } from './card-block.ts'
import { make } from './elements.ts'
import { icon } from './icons.ts'
import type { Conversation } from './message-list.ts'

/** How long a button says that it copied, in milliseconds. */
const noticeTime = 1600

/** What the listeners need of messages; what is absent is not offered: without `editHere`, messages are only read. */
export type ReadMessages = Pick<Conversation, 'element' | 'viewOf'> &
  Partial<Pick<Conversation, 'focusNext' | 'toggleCard' | 'editHere' | 'saveEdited'>>

/** Answers the reader's actions in `conversation`. */
export function listen(
  document: Document,
  conversation: ReadMessages,
  post: (message: FromPage) => void,
): void {
  const root = conversation.element

  root.addEventListener('click', (event) => {
    const target = elementOf(event)
    const link = target?.closest('a[href]')
    if (link) {
      // The editor opens links of its pages by itself; here it must ask first.
      event.preventDefault()
      event.stopPropagation()
      post({ kind: 'openLink', href: link.getAttribute('href') ?? '' })
      return
    }
    const button = target?.closest<HTMLButtonElement>('button[data-action]')
    if (button) act(button)
  })

  root.addEventListener('auxclick', (event) => {
    if (elementOf(event)?.closest('a')) event.preventDefault()
  })

  root.addEventListener('dblclick', (event) => {
    const target = elementOf(event)
    if (target && !target.closest('a, button, .editor')) edit(target)
  })

  root.addEventListener('keydown', (event) => {
    const target = elementOf(event)
    // In the field of a message, page keys move the cursor. VS Code hears of all keys.
    if (!target || event.ctrlKey || event.metaKey || target.closest('.editor')) return
    if (event.key === 'Enter' && target.matches('.message')) {
      if (edit(target)) event.preventDefault()
      return
    }
    const step = stepOf(event)
    if (step !== 0 && conversation.focusNext?.(target, step)) event.preventDefault()
  })

  document.addEventListener('keydown', (event) => {
    const undoes = undoOf(event)
    if (!undoes || !conversation.editHere || elementOf(event)?.closest('input, textarea')) return
    event.preventDefault()
    event.stopPropagation() // VS Code would undo what was typed in a field of the page
    post({ kind: undoes })
  })

  document.addEventListener('keydown', (event) => {
    if (!conversation.saveEdited || commandLetter(event) !== 's' || event.shiftKey) return
    event.preventDefault()
    event.stopPropagation() // VS Code saves the active editor, and a preview beside a text can't be saved
    conversation.saveEdited()
    post({ kind: 'save' })
  })

  function act(button: HTMLButtonElement): void {
    const view = conversation.viewOf(button)
    switch (button.dataset.action) {
      case 'copy-code':
        copy(button, button.closest('figure')?.querySelector('code')?.textContent ?? '')
        break
      case 'copy-message':
        if (view) copy(button, view.text)
        break
      case 'source':
        if (view) post({ kind: 'openSource', id: view.id, line: 0 })
        break
      case 'reply-source':
        if (view) post({ kind: 'openReply', id: view.id })
        break
      case 'menu':
        openMenu(button)
        break
      case 'fold':
        conversation.toggleCard?.(button)
        break
      case 'show-rest':
        toggleRest(button)
        break
      case 'image':
        showImage(button)
        break
    }
  }

  /** The menu is VS Code's own, which opens where a click with the other button would. */
  function openMenu(button: HTMLElement): void {
    const { left, bottom } = button.getBoundingClientRect()
    const { MouseEvent } = document.defaultView as Window & typeof globalThis // the page is in a window
    button.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, clientX: left, clientY: bottom }))
  }

  function copy(button: HTMLElement, text: string): void {
    post({ kind: 'copy', text })
    const label = button.title
    button.replaceChildren(icon(document, 'check'))
    button.classList.add('done')
    button.title = localize`Copied`
    button.setAttribute('aria-label', localize`Copied`)
    setTimeout(() => {
      button.replaceChildren(icon(document, 'copy'))
      button.classList.remove('done')
      button.title = label
      button.setAttribute('aria-label', label)
    }, noticeTime)
  }

  function showImage(button: HTMLElement): void {
    const source = button.dataset.image ?? ''
    if (!isInlineImage(source)) return
    button.replaceWith(make(document, 'img', { src: source, alt: button.dataset.description ?? '' }))
  }

  /** True if something is edited now. */
  function edit(element: Element): boolean {
    const view = conversation.viewOf(element)
    if (!view || !conversation.editHere) return false
    const line = Number(element.closest<HTMLElement>('[data-line]')?.dataset.line ?? 0)
    conversation.editHere({ id: view.id, line })
    return true
  }
}

/** The element on which `event` happened. */
function elementOf({ target }: Event): Element | undefined {
  const node = target as Node | null
  return node?.nodeType === 1 ? (node as Element) : undefined
}

function undoOf(event: KeyboardEvent): 'undo' | 'redo' | undefined {
  const { ctrlKey, shiftKey } = event
  const letter = commandLetter(event)
  if (letter === 'z') return shiftKey ? 'redo' : 'undo'
  return letter === 'y' && ctrlKey && !shiftKey ? 'redo' : undefined
}

/** The key that is pressed with Ctrl or Cmd alone, perhaps with Shift. Caps Lock changes nothing. */
function commandLetter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string | undefined {
  return altKey || ctrlKey === metaKey ? undefined : key.toLowerCase()
}

/** Page keys go from message to message, as in every feed; the arrow keys scroll. */
function stepOf(event: KeyboardEvent): number {
  if (event.altKey) {
    if (event.key === 'ArrowDown') return 1
    return event.key === 'ArrowUp' ? -1 : 0
  }
  if (event.key === 'PageDown') return 1
  return event.key === 'PageUp' ? -1 : 0
}
