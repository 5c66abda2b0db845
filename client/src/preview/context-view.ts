/** The context view: what a model would be sent crosses, hidden text too, under kinds of its own. Only a reader's command begins it. */

import type { PromptFate } from '../../../core/src/index.ts'
import { localize } from '../../../core/src/index.ts'
import type { CountedMessage, PromptEntry } from './context-source.ts'
import { cutText, type PageView } from './page-view.ts'
import type { ContextMessage, ContextPart } from './protocol.ts'

/** Everything that is sent, and what is left out. */
export const contextView: PageView<PromptEntry, ContextMessage> = {
  shown: contextMessage,
  textLength: ({ messages }) => messages.reduce((sum, { message }) => sum + message.content.length, 0),
  open: (settings) => ({ kind: 'contextOpen', ...settings }),
  update: (update) => ({ kind: 'contextUpdate', ...update }),
  summary: (totals) => ({ kind: 'contextTotals', totals }),
}

function contextMessage(
  id: string,
  { kind, author, messages, tokens }: PromptEntry,
  limit: number,
): ContextMessage {
  let room = limit
  const parts = messages.map((counted) => {
    const part = contextPart(counted, Math.max(0, room))
    room -= part.text.length
    return part
  })
  return { kind, id, author, parts, ...(tokens !== undefined && { tokens }) }
}

function contextPart({ message, tokens }: CountedMessage, room: number): ContextPart {
  const { fate, author, channel, recipient, contentType, content } = message
  const text = cutText(content, room)
  const labels = [channel, recipient === undefined ? undefined : localize`to ${recipient}`, contentType]
  return {
    fate,
    author,
    labels: labels.filter((it) => it !== undefined),
    text,
    omitted: content.length - text.length,
    ...whyOf(fate),
    ...(tokens !== undefined && { tokens }),
  }
}

function whyOf(fate: PromptFate): { readonly why: string; readonly section: string } | undefined {
  switch (fate) {
    case 'sent':
      return undefined
    case 'dropped':
      return { why: 'Not sent: an answer has followed this reasoning.', section: '2.2 §7, §12.7' }
    case 'unresolved':
      return {
        why: 'Sent: this reasoning is kept until the assistant has answered.',
        section: '2.2 §7, §12.7',
      }
    case 'behind-answer':
      return {
        why: 'Sent: only reasoning before the first answer is dropped.',
        section: '2.2 §12.7, as Harmony does (D24)',
      }
    default:
      return fate satisfies never
  }
}
