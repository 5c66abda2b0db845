/** What the hash of a sample is made of (S9): its messages, whatever form it is in and whatever else its line has. */
import { type Conversation, isCallMessage, textOf } from '../conversation/conversation.ts'
import type { SampleView } from '../query/sample-view.ts'
import { factsOfMessage } from '../semantics/message.ts'
import { usualChannel } from '../semantics/message-kind.ts'

/**
 * The messages of `conversation` as text that is equal for equal conversations. Call ids are numbered, because forms write them
 * differently; how messages end, and how their text is escaped, does not matter.
 */
export function canonicalConversation({ messages }: Conversation): string {
  const ids = new Map<string, number>()
  const numberOf = (id: string | undefined) => {
    if (id === undefined) return null
    if (!ids.has(id)) ids.set(id, ids.size + 1)
    return ids.get(id) ?? null
  }
  const canonical = messages.map((message) => {
    const { role, name = null, channel = null, to = null, callId, contentType = null } = message
    const facts = factsOfMessage(message)
    const isOfTool = isCallMessage(message) || role === 'tool'
    const spoken = isOfTool ? usualChannel(facts) : (facts.channel ?? channel)
    return [role, name, spoken, to, numberOf(callId), contentType, textOf(message)]
  })
  return JSON.stringify(canonical)
}

/** The same of a sample: of all its branches, or its source if it cannot be read as a conversation. */
export function canonicalSample({ conversations, source }: SampleView): string {
  return conversations.length === 0 ? source : conversations.map(canonicalConversation).join('\n')
}

/** A SHA-256 digest as review files have it. */
export function hashText(digest: Uint8Array): string {
  return `sha256:${[...digest].map((it) => it.toString(16).padStart(2, '0')).join('')}`
}
