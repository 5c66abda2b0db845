/** Which reply of a conversation answers which call: what the analysis says of its transcript (D12). */
import type { Exchange } from '../semantics/exchange.ts'
import { isNamedReplyHeader } from '../semantics/message-facts.ts'
import { type Exchanges, pairById, pairByTool } from '../semantics/pairing.ts'
import { roleOf, withoutFunctionPrefix } from '../vocabulary/roles.ts'
import { type ConversationMessage, isCallMessage } from './conversation.ts'

/** The exchanges that calls and replies take part in, by the index of the message. */
export type ConversationExchanges = ReadonlyMap<number, Exchange<number>>

/** The exchanges of `messages`. Linear. */
export function exchangesOf(messages: readonly ConversationMessage[]): ConversationExchanges {
  const found = new Map<number, Exchange<number>>()
  const byId = new Map<string, number[]>()
  const byTool = new Map<string, { readonly parties: number[]; hasSomeWithoutId: boolean }>()
  for (const [index, message] of messages.entries()) {
    const isCall = isCallMessage(message)
    if (!isCall && !isReplyMessage(message)) continue
    const { callId } = message
    const tool = toolOf(message)
    if (callId === undefined) {
      found.set(index, { kind: isCall ? 'call' : 'reply', partner: undefined, problem: undefined })
    } else entryOf(byId, callId, () => []).push(index)
    if (tool === undefined) continue
    const ofTool = entryOf(byTool, tool, () => ({ parties: [], hasSomeWithoutId: false }))
    ofTool.parties.push(index)
    if (callId === undefined) ofTool.hasSomeWithoutId = true
  }
  const at = (index: number) => messages[index] as ConversationMessage // indexes come from the list
  const exchanges: Exchanges<number> = {
    isCall: (index) => isCallMessage(at(index)),
    toolOf: (index) => toolOf(at(index)),
    idOf: (index) => at(index).callId,
    get: (index) => found.get(index),
    set: (index, exchange) => found.set(index, exchange),
  }
  for (const parties of byId.values()) pairById(parties, exchanges)
  for (const { parties, hasSomeWithoutId } of byTool.values())
    if (hasSomeWithoutId) pairByTool(parties, exchanges)
  return found
}

/** True for a tool's reply, and for one under a name that is no role. */
export function isReplyMessage({ role, to, callId }: ConversationMessage): boolean {
  return role === 'tool' || (roleOf(role) === undefined && isNamedReplyHeader({ roleWord: role, to, callId }))
}

function toolOf(message: ConversationMessage): string | undefined {
  const { role, name, to } = message
  const tool = isCallMessage(message) ? to : role === 'tool' ? name : role
  return tool === undefined ? undefined : withoutFunctionPrefix(tool)
}

function entryOf<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
