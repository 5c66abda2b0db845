/** The order of replies for Harmony, which pairs them with calls by tool and order alone. */
import { localize } from '../text/localize.ts'
import { withoutFunctionPrefix } from '../vocabulary/roles.ts'
import { type ConversationMessage, changed } from './conversation.ts'
import { type ConversationExchanges, exchangesOf } from './conversation-exchanges.ts'
import type { LossList } from './loss.ts'

/**
 * Harmony pairs replies by tool and order: those of one tool that follow one another go in the order of its calls. Where that does
 * not help, it is noted that a reply answers another call.
 */
export function inCallOrder(
  messages: readonly ConversationMessage[],
  losses: LossList,
): readonly ConversationMessage[] {
  const exchanges = exchangesOf(messages)
  if (exchanges.size === 0) return messages
  const order = messages.map((_, index) => index)
  for (let from = 0; from < order.length; ) {
    let to = from
    while (messages[to]?.role === 'tool') to++
    if (to - from > 1) sortReplies(order, from, to, { messages, exchanges }, losses)
    from = Math.max(to, from + 1)
  }
  const result = order.map((index) => messages[index] as ConversationMessage) // the order is one of these
  const places = new Map(order.map((index, place) => [index, place]))
  const after = exchangesOf(result.map((it) => changed(it, { callId: undefined })))
  for (const [index, { kind, partner }] of exchanges) {
    if (kind !== 'reply') continue
    const place = places.get(index)
    const other = place === undefined ? undefined : after.get(place)?.partner
    if (other === (partner === undefined ? undefined : places.get(partner))) continue
    const message = localize`Harmony pairs calls and replies by tool and order, so this reply would answer another call or none`
    losses.add('pairing', message, messages[index]?.range)
  }
  return result
}

/** Sorts the replies of each tool between `from` and `to` among their own places. */
function sortReplies(
  order: number[],
  from: number,
  to: number,
  {
    messages,
    exchanges,
  }: { readonly messages: readonly ConversationMessage[]; readonly exchanges: ConversationExchanges },
  losses: LossList,
): void {
  const replies = messages.slice(from, to)
  const sorted = inOrderOfCalls(
    replies.map(({ name = '' }, nth) => ({ tool: name, call: exchanges.get(from + nth)?.partner })),
  )
  for (const [place, source] of sorted.entries()) {
    if (source === place) continue
    losses.add('order', localize`Replies are put in the order of their calls`, messages[from]?.range)
    order[from + place] = from + source
  }
}

/** A reply among those that follow one another. */
interface ReplyInRun {
  /** As written. */
  readonly tool: string
  /** Where its call is; undefined if it has none. */
  readonly call: number | undefined
}

/** For each place among replies that follow one another, which of them goes there: those of one tool change places among themselves. */
export function inOrderOfCalls(replies: readonly ReplyInRun[]): readonly number[] {
  const order = replies.map((_, index) => index)
  const byTool = new Map<string, { readonly index: number; readonly call: number }[]>()
  for (const [index, { tool, call }] of replies.entries()) {
    if (call === undefined) continue
    const key = withoutFunctionPrefix(tool)
    const known = byTool.get(key)
    if (known) known.push({ index, call })
    else byTool.set(key, [{ index, call }])
  }
  for (const ofTool of byTool.values()) {
    const sorted = ofTool.toSorted((one, other) => one.call - other.call)
    ofTool.forEach(({ index }, place) => {
      order[index] = sorted[place]?.index ?? index
    })
  }
  return order
}
