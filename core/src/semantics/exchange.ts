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

/** Why a reply with an id has no call; `answered` is the last exchange before it, and `anyCall` a call with its id. */
export function whyUnpaired(
  answered: { readonly call: Segment; readonly reply: Segment } | undefined,
  anyCall: Segment | undefined,
): ExchangeProblem {
  if (answered) return { kind: 'already-answered', ...answered }
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

/** The calls of one id that wait for a reply; mostly one. */
export class OpenCallsOfId {
  readonly #all: Segment[] = []
  readonly #byTool = new Map<string | undefined, Segment[]>()
  readonly #taken = new Set<Segment>()
  #next = 0
  readonly #nextOfTool = new Map<string | undefined, number>()

  add(call: Segment, tool: string | undefined): void {
    this.#all.push(call)
    const ofTool = this.#byTool.get(tool)
    if (ofTool) ofTool.push(call)
    else this.#byTool.set(tool, [call])
  }

  /** Takes the oldest call of `tool`, or else the oldest one. */
  take(tool: string | undefined): Segment | undefined {
    const call = this.#takeOfTool(tool) ?? this.#takeAny()
    if (call) this.#taken.add(call)
    return call
  }

  /** The calls that nobody took. */
  left(): readonly Segment[] {
    return this.#all.filter((call) => !this.#taken.has(call))
  }

  #takeOfTool(tool: string | undefined): Segment | undefined {
    const calls = this.#byTool.get(tool)
    if (!calls) return undefined
    let next = this.#nextOfTool.get(tool) ?? 0
    while (next < calls.length && this.#taken.has(calls[next] as Segment)) next++
    this.#nextOfTool.set(tool, next)
    return calls[next]
  }

  #takeAny(): Segment | undefined {
    while (this.#next < this.#all.length && this.#taken.has(this.#all[this.#next] as Segment)) this.#next++
    return this.#all[this.#next]
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
