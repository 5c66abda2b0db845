/** Which reply of a conversation answers which call: what the analysis says of its transcript (D12). */
import type { Exchange } from '../semantics/exchange.ts'
import { ExchangeIndex, isCallOrReply } from '../semantics/exchange-index.ts'
import { factsOfMessage } from '../semantics/message.ts'
import type { ConversationMessage } from './conversation.ts'

/** The exchanges that calls and replies take part in, by the index of the message. */
export type ConversationExchanges = ReadonlyMap<number, Exchange<number>>

/** The exchanges of `messages`. Linear. */
export function exchangesOf(messages: readonly ConversationMessage[]): ConversationExchanges {
  const facts = messages.map(factsOfMessage)
  const related = [...facts.keys()].filter((index) => isCallOrReply(facts[index]))
  return new ExchangeIndex({ locate: (index) => ({ index }) }, related, (index) => facts[index]).all
}
