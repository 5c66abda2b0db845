/**
 * Which reply answers which call (D12): by call id, or by tool and order where a reply has no id.
 * Updated from the segments that an edit removed and inserted; only their ids and tools are looked at again.
 */

import type { Segment } from '../syntax/segment.ts'
import { withoutFunctionPrefix } from '../vocabulary/roles.ts'
import { factsOf, isCall, isReply, toolNameOf } from './message-facts.ts'

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

/** The part of a transcript that the index needs: the order of its segments. */
export interface SegmentOrder {
  locate(segment: Segment): { readonly index: number } | undefined
}

/** Calls and replies of a document. */
export class ExchangeIndex {
  readonly #order: SegmentOrder
  readonly #byId = new Map<string, Set<Segment>>()
  readonly #byTool = new Map<string, Set<Segment>>()
  /** By tool, the calls and replies without id: where there are none, pairing by id says it all. */
  readonly #withoutId = new Map<string, Set<Segment>>()
  readonly #exchanges = new Map<Segment, Exchange>()
  readonly #unanswered = new Set<Segment>()

  constructor(order: SegmentOrder) {
    this.#order = order
  }

  /** The exchange that `segment` takes part in; undefined if it is neither call nor reply. */
  exchange(segment: Segment): Exchange | undefined {
    return this.#exchanges.get(segment)
  }

  /** The calls without reply, in no particular order. */
  get unanswered(): ReadonlySet<Segment> {
    return this.#unanswered
  }

  /** Every call and reply, in no particular order. */
  segments(): IterableIterator<Segment> {
    return this.#exchanges.keys()
  }

  /** The calls and replies that carry `callId`, in document order. */
  withId(callId: string): readonly Segment[] {
    return this.#inOrder(this.#byId.get(callId))
  }

  /** The calls of `tool` and the replies without id in its name, in document order. The `functions.` prefix is optional. */
  withTool(tool: string): readonly Segment[] {
    return this.#inOrder(this.#byTool.get(withoutFunctionPrefix(tool)))
  }

  /** The tools that are called or reply, each under a name as written, in no particular order. */
  *tools(): IterableIterator<string> {
    for (const [key, segments] of this.#byTool) {
      const [first] = segments
      const facts = first && factsOf(first)
      yield (facts && toolNameOf(facts)) ?? key
    }
  }

  /** All ids in use, in no particular order. */
  ids(): IterableIterator<string> {
    return this.#byId.keys()
  }

  /**
   * Takes over what an edit did. Segments must have their places already.
   *
   * @returns the calls and replies whose exchange may have changed
   */
  update(removed: readonly Segment[], inserted: readonly Segment[]): ReadonlySet<Segment> {
    const ids = new Set<string>()
    const tools = new Set<string>()
    for (const segment of removed) this.#enter(segment, ids, tools, false)
    for (const segment of inserted) this.#enter(segment, ids, tools, true)
    const changed = new Set<Segment>()
    for (const id of ids) this.#pairById(id, changed, tools)
    for (const tool of tools) this.#pairByTool(tool, changed)
    return changed
  }

  #enter(segment: Segment, ids: Set<string>, tools: Set<string>, isNew: boolean): void {
    const facts = factsOf(segment)
    if (!facts || !(isCall(facts) || isReply(facts))) return
    const kind = isCall(facts) ? 'call' : 'reply'
    if (isNew) {
      this.#exchanges.set(segment, { kind, partner: undefined, problem: undefined })
      if (kind === 'call') this.#unanswered.add(segment)
    } else {
      this.#exchanges.delete(segment)
      this.#unanswered.delete(segment)
    }
    if (facts.callId !== undefined) {
      enter(this.#byId, facts.callId, segment, isNew)
      ids.add(facts.callId)
    }
    const tool = toolNameOf(facts)
    if (tool !== undefined) {
      const key = withoutFunctionPrefix(tool)
      enter(this.#byTool, key, segment, isNew)
      if (facts.callId === undefined) enter(this.#withoutId, key, segment, isNew)
      if (facts.callId === undefined || this.#withoutId.has(key)) tools.add(key)
    }
  }

  #pairById(id: string, changed: Set<Segment>, tools: Set<string>): void {
    let firstCall: Segment | undefined
    let open: Segment | undefined
    let answer: Segment | undefined
    const segments = this.#inOrder(this.#byId.get(id))
    for (const segment of segments) {
      const facts = factsOf(segment)
      if (!facts) continue
      if (isCall(facts)) {
        const problem: ExchangeProblem | undefined = firstCall && { kind: 'duplicate-id', first: firstCall }
        this.#set(segment, { kind: 'call', partner: undefined, problem }, changed)
        firstCall ??= segment
        open = segment
        answer = undefined
      } else if (open && !answer) {
        answer = segment
        this.#set(segment, { kind: 'reply', partner: open, problem: undefined }, changed)
        const call = this.#exchanges.get(open)
        this.#set(open, { kind: 'call', partner: segment, problem: call?.problem }, changed)
      } else {
        this.#set(
          segment,
          { kind: 'reply', partner: undefined, problem: unmatched(open, answer, segments) },
          changed,
        )
      }
      const tool = toolNameOf(facts)
      if (tool !== undefined && this.#withoutId.has(withoutFunctionPrefix(tool))) {
        tools.add(withoutFunctionPrefix(tool))
      }
    }
  }

  /**
   * Pairs replies without id with the oldest open call of the tool. A reply whose id no call has still shows that
   * a call without id was answered.
   */
  #pairByTool(tool: string, changed: Set<Segment>): void {
    const open = new OpenCalls()
    for (const segment of this.#inOrder(this.#byTool.get(tool))) {
      const facts = factsOf(segment)
      if (!facts) continue
      const known = this.#exchanges.get(segment)
      const hasId = facts.callId !== undefined
      if (isCall(facts)) {
        const partner = hasId ? known?.partner : undefined
        if (partner && factsOf(partner)?.callId !== undefined) continue
        this.#set(segment, { kind: 'call', partner: undefined, problem: known?.problem }, changed)
        open.add(segment, hasId)
      } else if (!hasId || known?.problem?.kind === 'no-such-call') {
        const call = open.take(hasId)
        this.#set(segment, { kind: 'reply', partner: call, problem: known?.problem }, changed)
        if (!call) continue
        this.#set(
          call,
          { kind: 'call', partner: segment, problem: this.#exchanges.get(call)?.problem },
          changed,
        )
      }
    }
  }

  #set(segment: Segment, exchange: Exchange, changed: Set<Segment>): void {
    this.#exchanges.set(segment, exchange)
    if (exchange.kind === 'call' && !exchange.partner) this.#unanswered.add(segment)
    else this.#unanswered.delete(segment)
    changed.add(segment)
  }

  #inOrder(segments: ReadonlySet<Segment> | undefined): readonly Segment[] {
    if (!segments) return []
    if (segments.size === 1) return [...segments]
    const places = [...segments].map((segment) => ({
      segment,
      index: this.#order.locate(segment)?.index ?? -1,
    }))
    places.sort((one, other) => one.index - other.index)
    return places.map(({ segment }) => segment)
  }
}

/** The calls of one tool that wait for a reply, oldest first. */
class OpenCalls {
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
}

function enter(map: Map<string, Set<Segment>>, key: string, segment: Segment, isNew: boolean): void {
  const known = map.get(key)
  if (!isNew) {
    known?.delete(segment)
    if (known?.size === 0) map.delete(key)
  } else if (known) known.add(segment)
  else map.set(key, new Set([segment]))
}

function unmatched(
  call: Segment | undefined,
  reply: Segment | undefined,
  segments: readonly Segment[],
): ExchangeProblem {
  if (call && reply) return { kind: 'already-answered', call, reply }
  const later = segments.find((segment) => {
    const facts = factsOf(segment)
    return facts !== undefined && isCall(facts)
  })
  return later ? { kind: 'before-call', call: later } : { kind: 'no-such-call' }
}
