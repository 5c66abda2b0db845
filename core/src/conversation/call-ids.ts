/** Ids for calls and replies that have none, or that share one, so that each reply answers the call it answered before (D12). */
import { isCallOrReply } from '../semantics/exchange-index.ts'
import { factsOfMessage } from '../semantics/message.ts'
import { localize } from '../text/localize.ts'
import type { Range } from '../text/range.ts'
import { type Conversation, type ConversationMessage, isCallMessage } from './conversation.ts'
import { exchangesOf } from './conversation-exchanges.ts'
import type { LossList } from './loss.ts'

/**
 * The messages with an id on every call and on every reply that answers one. A pair takes the id that one of its ends has, unless
 * others have it too; new ids count up. A reply that answers no call keeps what it has. An id that had to change is noted.
 */
export function withCallIds(
  messages: readonly ConversationMessage[],
  losses: LossList,
): readonly ConversationMessage[] {
  return messages.some(lacksId) ? new CallIds(messages, losses).withIds(false) : messages
}

/** `conversation` with the ids that {@link withCallIds} gives. */
export function identified(conversation: Conversation, losses: LossList): Conversation {
  return { ...conversation, messages: withCallIds(conversation.messages, losses) }
}

/** As {@link withCallIds}, and no two calls share an id: for forms in which only the id says which call a reply answers. */
export function withDistinctCallIds(
  messages: readonly ConversationMessage[],
  losses: LossList,
): readonly ConversationMessage[] {
  return messages.some(lacksId) || haveSharedIds(messages)
    ? new CallIds(messages, losses).withIds(true)
    : messages
}

function lacksId(message: ConversationMessage): boolean {
  return message.callId === undefined && isCallOrReply(factsOfMessage(message))
}

function haveSharedIds(messages: readonly ConversationMessage[]): boolean {
  const ids = new Set<string>()
  for (const message of messages) {
    const { callId } = message
    if (callId === undefined || !isCallMessage(message)) continue
    if (ids.has(callId)) return true
    ids.add(callId)
  }
  return false
}

/** Who carries an id. */
interface Carriers {
  /** The index of the first call. */
  firstCall: number | undefined
  nCalls: number
  nReplies: number
}

class CallIds {
  readonly #messages: readonly ConversationMessage[]
  readonly #losses: LossList
  readonly #carriers = new Map<string, Carriers>()
  #last = 0

  constructor(messages: readonly ConversationMessage[], losses: LossList) {
    this.#messages = messages
    this.#losses = losses
    for (const [index, message] of messages.entries()) {
      if (message.callId === undefined) continue
      const carriers = this.#carriers.get(message.callId) ?? { firstCall: undefined, nCalls: 0, nReplies: 0 }
      this.#carriers.set(message.callId, carriers)
      if (isCallMessage(message)) {
        carriers.nCalls++
        carriers.firstCall ??= index
      } else carriers.nReplies++
    }
  }

  withIds(areDistinct: boolean): readonly ConversationMessage[] {
    const result = [...this.#messages]
    for (const [index, { kind, partner }] of exchangesOf(this.#messages)) {
      if (kind !== 'call') continue
      const call = this.#messages[index] as ConversationMessage // exchanges are of these messages
      const reply = partner === undefined ? undefined : this.#messages[partner]
      const id = this.#idOfCall(index, call, reply, areDistinct)
      if (call.callId !== id) result[index] = this.#withId(call, id)
      if (partner === undefined || !reply || reply.callId === id) continue
      if (areDistinct || reply.callId !== undefined || this.#mayJoin(index, id))
        result[partner] = this.#withId(reply, id)
    }
    return result
  }

  #idOfCall(
    index: number,
    { callId }: ConversationMessage,
    reply: ConversationMessage | undefined,
    areDistinct: boolean,
  ): string {
    if (callId !== undefined) {
      const isOthers = areDistinct && this.#carriers.get(callId)?.firstCall !== index
      return isOthers ? this.#fresh() : callId
    }
    // Where others have the id of the reply, the call would be paired with one of them.
    const carriers = reply?.callId === undefined ? undefined : this.#carriers.get(reply.callId)
    return reply?.callId !== undefined && carriers?.nReplies === 1 ? reply.callId : this.#fresh()
  }

  /** True if a reply that gets `id` of the call at `index` answers that one, and no other call with the id. */
  #mayJoin(index: number, id: string): boolean {
    const carriers = this.#carriers.get(id)
    if (!carriers || carriers.nCalls <= 1) return true
    return carriers.firstCall === index && carriers.nReplies === 0
  }

  #withId(message: ConversationMessage, callId: string): ConversationMessage {
    if (message.callId !== undefined) this.#noteChange(message.callId, callId, message.range)
    return { ...message, callId }
  }

  #noteChange(before: string, after: string, range: Range | undefined): void {
    const message = localize`The call ID \`${before}\` becomes \`${after}\`, because other messages have it too`
    this.#losses.add('call-id', message, range)
  }

  #fresh(): string {
    do this.#last++
    while (this.#carriers.has(`call_${this.#last}`))
    return `call_${this.#last}`
  }
}
