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
  let first = centre
  let last = centre
  let text = 0
  const fits = (entry: Entry | undefined): entry is Entry => {
    if (!entry || last - first >= limits.messages) return false
    const length = Math.min(textLength(entry.message), limits.messageText)
    if (first < last && text + length > limits.text) return false
    text += length
    return true
  }
  let grows = true
  while (grows) {
    grows = false
    if (fits(entries[last])) {
      last++
      grows = true
    }
    if (fits(entries[first - 1])) {
      first--
      grows = true
    }
  }
  return {
    first,
    messages: entries
      .slice(first, last)
      .map(({ id, message }) => pageMessage(id, message, limits.messageText)),
  }
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
  return part.text.length <= room ? part.text : part.text.slice(0, room)
}

function textLength(message: VisibleMessage): number {
  let length = 0
  for (const part of message.parts) length += part.text.length
  return length
}
