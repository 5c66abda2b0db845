/** The part of the visible messages that a page holds. It is bounded, so the page is small whatever the file is. */
import type { VisibleMessage, VisiblePart } from '../../../core/src/index.ts'
import type { Entry } from './keyed-list.ts'
import type { PageMessage, PagePart } from './protocol.ts'

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

/** A stretch of the visible messages. */
export interface PageWindow {
  /** Index of the first message among all visible ones. */
  readonly first: number
  readonly messages: readonly PageMessage[]
}

/** The window around the message at `index`, which grows to both sides until a limit is met. */
export function windowAround(entries: readonly Entry[], index: number, limits: WindowLimits): PageWindow {
  const centre = Math.max(0, Math.min(index, entries.length - 1))
  const behind: PageMessage[] = []
  const before: PageMessage[] = []
  let text = 0
  const grow = (side: PageMessage[], entry: Entry | undefined): boolean => {
    const count = behind.length + before.length
    const message = entry?.ref.read()
    if (!entry || !message || count >= limits.messages) return false
    const length = Math.min(textLength(message), limits.messageText)
    if (count > 0 && text + length > limits.text) return false
    text += length
    side.push(pageMessage(entry.id, message, limits.messageText))
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

/** What crosses to the page of one message. Each field is named here; nothing is passed through. */
function pageMessage(id: string, message: VisibleMessage, limit: number): PageMessage {
  const parts: PagePart[] = []
  let room = limit
  for (const part of message.parts) {
    if (room <= 0) break
    parts.push({ kind: part.kind, text: cut(part, room) })
    room -= part.text.length
  }
  return {
    id,
    role: message.role,
    ...(message.name === undefined ? {} : { name: message.name }),
    isPreamble: message.intent === 'preamble',
    parts,
    isTruncated: message.truncated,
    omitted: Math.max(0, textLength(message) - limit),
  }
}

function cut(part: VisiblePart, room: number): string {
  if (part.text.length <= room) return part.text
  const isPair = /[\uD800-\uDBFF]/.test(part.text.charAt(room - 1))
  return part.text.slice(0, isPair ? room - 1 : room)
}

function textLength(message: VisibleMessage): number {
  let length = 0
  for (const part of message.parts) length += part.text.length
  return length
}
