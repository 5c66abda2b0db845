/**
 * An exchange: what a call or reply is part of, and what is wrong with it as such (D12). A `Party` is whatever stands for a call
 * or a reply: a segment of a transcript, or the index of a message.
 */
import type { Segment } from '../syntax/segment.ts'

/** What is wrong with a call or reply as part of an exchange. */
export type ExchangeProblem<Party = Segment> =
  | { readonly kind: 'duplicate-id'; readonly first: Party }
  | { readonly kind: 'no-such-call' }
  | { readonly kind: 'before-call'; readonly call: Party }
  | { readonly kind: 'already-answered'; readonly call: Party; readonly reply: Party }

/** A call or reply and its other end. */
export interface Exchange<Party = Segment> {
  readonly kind: 'call' | 'reply'
  /** The reply to a call, or the call of a reply; undefined while there is none. */
  readonly partner: Party | undefined
  readonly problem: ExchangeProblem<Party> | undefined
}

/** True if two answers about a segment say the same. */
export function isSameExchange<Party>(one: Exchange<Party> | undefined, other: Exchange<Party>): boolean {
  return (
    one !== undefined &&
    one.kind === other.kind &&
    one.partner === other.partner &&
    isSameProblem(one.problem, other.problem)
  )
}

function isSameProblem<Party>(
  one: ExchangeProblem<Party> | undefined,
  other: ExchangeProblem<Party> | undefined,
): boolean {
  if (one === other) return true
  if (!one || !other) return false
  switch (one.kind) {
    case 'duplicate-id':
      return other.kind === one.kind && other.first === one.first
    case 'no-such-call':
      return other.kind === one.kind
    case 'before-call':
      return other.kind === one.kind && other.call === one.call
    case 'already-answered':
      return other.kind === one.kind && other.call === one.call && other.reply === one.reply
    default:
      return one satisfies never
  }
}
