/** What the hash of a sample is made of (S9): its messages, whatever form it is in and whatever else its line has. */
import { type Conversation, isCallMessage, textOf } from '../conversation/conversation.ts'
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

/** The SHA-256 digest of a text in UTF-8, which platforms have. */
export type Digest = (text: string) => Uint8Array | Promise<Uint8Array>

/** The hash of `conversation` as review files have it. */
export async function conversationHash(conversation: Conversation, digest: Digest): Promise<string> {
  const bytes = await digest(canonicalConversation(conversation))
  return `sha256:${[...bytes].map((it) => it.toString(16).padStart(2, '0')).join('')}`
}
