/** The part of the messages that a page holds. It is bounded, so the page is small whatever the file is. */
import type { Entry } from './keyed-list.ts'
import type { PageView } from './page-view.ts'

/** How much a page holds at once. */
export interface WindowLimits {
  readonly messages: number
  /** UTF-16 code units of all messages together; one message is always shown. */
  readonly text: number
  /** UTF-16 code units of one message; the rest is left off. */
  readonly messageText: number
}

/** Several screens of short messages, and no more text than a browser lays out without a pause. */
export const defaultLimits: WindowLimits = { messages: 120, text: 600_000, messageText: 200_000 }

/** A stretch of the messages. */
export interface PageWindow<Shown> {
  /** Index of the first message among all. */
  readonly first: number
  readonly messages: readonly Shown[]
}

/** The window around the message at `index`, which grows to both sides until a limit is met. */
export function windowAround<Message, Shown extends { readonly id: string }>(
  view: PageView<Message, Shown>,
  entries: readonly Entry<Message>[],
  index: number,
  limits: WindowLimits,
): PageWindow<Shown> {
  const centre = Math.max(0, Math.min(index, entries.length - 1))
  const behind: Shown[] = []
  const before: Shown[] = []
  let text = 0
  const grow = (side: Shown[], entry: Entry<Message> | undefined): boolean => {
    const count = behind.length + before.length
    const message = entry?.ref.read()
    if (!entry || !message || count >= limits.messages) return false
    const length = Math.min(view.textLength(message), limits.messageText)
    if (count > 0 && text + length > limits.text) return false
    text += length
    side.push(view.shown(entry.id, message, limits.messageText))
    return true
  }
  let growsDown = true
  let growsUp = true
  while (growsDown || growsUp) {
    growsDown &&= grow(behind, entries[centre + behind.length])
    growsUp &&= grow(before, entries[centre - 1 - before.length])
  }
  return { first: centre - before.length, messages: [...before.reverse(), ...behind] }
}
