/** The context view: what a model would be sent crosses, hidden text too, under kinds of its own. Only a reader's command begins it. */

import type { PromptMessage } from '../../../core/src/internal.ts'
import { localize } from '../../../core/src/internal.ts'
import type { CountedMessage, PromptEntry } from './context-source.ts'
import { cutText, type PageView } from './page-view.ts'
import type { ContextMessage, ContextPart } from './preview-protocol.ts'

/** Everything that is sent, and what is left out. */
export const contextView: PageView<PromptEntry, ContextMessage> = {
  showsHidden: true,
  textsOf: ({ kind, parts }) => (kind === 'messages' ? parts.map((it) => it.text) : []),
  shown: contextMessage,
  textLength: ({ messages }) => messages.reduce((sum, { message }) => sum + message.content.length, 0),
  open: (settings) => ({ kind: 'contextOpen', ...settings }),
  update: (update) => ({ kind: 'contextUpdate', ...update }),
  summary: (totals) => ('sent' in totals ? { kind: 'contextTotals', totals } : undefined),
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
  const { author, channel, recipient, contentType, content } = message
  const text = cutText(content, room)
  const labels = [channel, recipient === undefined ? undefined : localize`to ${recipient}`, contentType]
  return {
    fate: message.fate,
    author,
    labels: labels.filter((it) => it !== undefined),
    text,
    omitted: content.length - text.length,
    ...whyOf(message),
    ...(tokens !== undefined && { tokens }),
  }
}

/** Long ids are cut: they are there to be recognised. */
const longestId = 80

function whyOf({
  fate,
  insteadOf,
}: PromptMessage): { readonly why: string; readonly section: string } | undefined {
  switch (fate) {
    case 'sent':
      if (insteadOf === undefined) return undefined
      return {
        why: localize`Sent in place of the reply to call ${insteadOf.slice(0, longestId)}: replies of a tool are sent in the order of its calls.`,
        section: localize`2.2 §12.7, as Harmony does`,
      }
    case 'dropped':
      return {
        why: localize`Not sent: an answer has followed this reasoning.`,
        section: '2.2 §7, §12.7',
      }
    case 'unresolved':
      return {
        why: localize`Sent: this reasoning is kept until the assistant has answered.`,
        section: '2.2 §7, §12.7',
      }
    case 'behind-answer':
      return {
        why: localize`Sent: only reasoning before the first answer is dropped.`,
        section: localize`2.2 §12.7, as Harmony does (D24)`,
      }
    default:
      return fate satisfies never
  }
}
