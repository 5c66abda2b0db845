/** An exchange: what a call or reply is part of, and what is wrong with it as such (D12). */
import type { Segment } from '../syntax/segment.ts'

/** What is wrong with a call or reply as part of an exchange. */
export type ExchangeProblem =
  | { readonly kind: 'duplicate-id'; readonly first: Segment }
  | { readonly kind: 'no-such-call' }
  | { readonly kind: 'before-call'; readonly call: Segment }
  | { readonly kind: 'already-answered'; readonly call: Segment; readonly reply: Segment }

/** A call or reply and its other end. */
export interface Exchange {
  readonly kind: 'call' | 'reply'
  /** The reply to a call, or the call of a reply; undefined while there is none. */
  readonly partner: Segment | undefined
  readonly problem: ExchangeProblem | undefined
}

/** Why a reply with an id has no call; `open` is the call before it, and `answer` what answered that. */
export function whyUnpaired(
  open: Segment | undefined,
  answer: Segment | undefined,
  anyCall: Segment | undefined,
): ExchangeProblem {
  if (open && answer) return { kind: 'already-answered', call: open, reply: answer }
  return anyCall ? { kind: 'before-call', call: anyCall } : { kind: 'no-such-call' }
}

/** True if two answers about a segment say the same. */
export function isSameExchange(one: Exchange | undefined, other: Exchange): boolean {
  return (
    one !== undefined &&
    one.kind === other.kind &&
    one.partner === other.partner &&
    isSameProblem(one.problem, other.problem)
  )
}

function isSameProblem(one: ExchangeProblem | undefined, other: ExchangeProblem | undefined): boolean {
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

/** The calls of one tool that wait for a reply, oldest first. */
export class OpenCalls {
  readonly #calls: Segment[] = []
  readonly #callsWithoutId: Segment[] = []
  readonly #taken = new Set<Segment>()
  #next = 0
  #nextWithoutId = 0

  add(call: Segment, hasId: boolean): void {
    this.#calls.push(call)
    if (!hasId) this.#callsWithoutId.push(call)
  }

  /** Takes the oldest call, or the oldest one without id. */
  take(onlyWithoutId: boolean): Segment | undefined {
    const calls = onlyWithoutId ? this.#callsWithoutId : this.#calls
    let next = onlyWithoutId ? this.#nextWithoutId : this.#next
    while (next < calls.length && this.#taken.has(calls[next] as Segment)) next++
    const call = calls[next]
    if (call) this.#taken.add(call)
    if (onlyWithoutId) this.#nextWithoutId = next + 1
    else this.#next = next + 1
    return call
  }

  /** The calls that nobody took. */
  left(): readonly Segment[] {
    return this.#calls.filter((call) => !this.#taken.has(call))
  }
}
