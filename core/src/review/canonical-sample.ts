/** What the hash of a sample is made of (S9): its messages, whatever form it is in and whatever else its line has. */
import {
  type Conversation,
  type ConversationMessage,
  isCallMessage,
  textOf,
} from '../conversation/conversation.ts'
import type { SampleView } from '../query/sample-view.ts'
import { factsOfMessage } from '../semantics/message.ts'
import { usualChannel } from '../semantics/message-kind.ts'

/** What of a message counts, besides its text: whose it is and what it is for. */
export type CanonicalFields = readonly [
  role: string,
  name: string | null,
  channel: string | null,
  to: string | null,
  call: number | null,
  contentType: string | null,
]

/**
 * What counts of each message of a conversation, in order. Call ids are numbered, because forms write them differently; how messages
 * end, and how their text is escaped, does not matter.
 */
export function canonicalFields({ messages }: Conversation): readonly CanonicalFields[] {
  const ids = new Map<string, number>()
  const numberOf = (id: string | undefined) => {
    if (id === undefined) return null
    if (!ids.has(id)) ids.set(id, ids.size + 1)
    return ids.get(id) ?? null
  }
  return messages.map((message) => {
    const { role, name = null, to = null, callId, contentType = null } = message
    return [role, name, canonicalChannel(message), to, numberOf(callId), contentType]
  })
}

function canonicalChannel(message: ConversationMessage): string | null {
  const facts = factsOfMessage(message)
  const isOfTool = message.role === 'tool' || isCallMessage(message)
  return (isOfTool ? usualChannel(facts) : (facts.channel ?? message.channel)) ?? null
}

/** The messages of `conversation` as text that is equal for equal conversations. */
function canonicalConversation(conversation: Conversation): string {
  const { messages } = conversation
  const fields = canonicalFields(conversation)
  return JSON.stringify(messages.map((message, index) => [...(fields[index] ?? []), textOf(message)]))
}

/** The same of a sample: of all its branches, or its source if it cannot be read as a conversation. */
export function canonicalSample({
  conversations,
  source,
}: Pick<SampleView, 'conversations' | 'source'>): string {
  return conversations.length === 0 ? source : conversations.map(canonicalConversation).join('\n')
}
