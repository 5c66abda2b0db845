/**
 * Which reply answers which call (D12): by call id, or by tool and order where a reply has no id.
 * Updated from the segments that an edit removed and inserted; only their ids and tools are looked at again.
 */

import type { Segment } from '../syntax/segment.ts'
import { withoutFunctionPrefix } from '../vocabulary/roles.ts'
import { factsOf, isCall, isReply, type MessageFacts, toolNameOf } from './message-facts.ts'

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
  readonly #byId = new Map<string, Segment[]>()
  readonly #byTool = new Map<string, Segment[]>()
  /** By tool, how many calls and replies have no id: where there are none, pairing by id says it all. */
  readonly #withoutId = new Map<string, number>()
  readonly #exchanges = new Map<Segment, Exchange>()
  readonly #unanswered = new Set<Segment>()

  /** @param segments the segments of the document; all, in document order */
  constructor(order: SegmentOrder, segments: Iterable<Segment>) {
    this.#order = order
    for (const segment of segments) this.#add(segment, relatedFacts(segment))
    const tools = new Set(this.#withoutId.keys())
    for (const bucket of this.#byId.values()) this.#pairById(bucket)
    for (const tool of tools) this.#pairByTool(this.#byTool.get(tool) ?? [])
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
    return this.#byId.get(callId) ?? []
  }

  /** The calls of `tool` and the replies in its name, in document order. The `functions.` prefix is optional. */
  withTool(tool: string): readonly Segment[] {
    return this.#inOrder(this.#byTool.get(withoutFunctionPrefix(tool)) ?? [])
  }

  /** The calls of `tool` and the replies in its name, in no particular order; cheaper than {@link withTool}. */
  ofTool(tool: string): Iterable<Segment> {
    return this.#byTool.get(withoutFunctionPrefix(tool)) ?? []
  }

  /** All ids in use, in no particular order. */
  ids(): IterableIterator<string> {
    return this.#byId.keys()
  }

  /** All tools that are called or reply, without the `functions.` prefix, in no particular order. */
  tools(): IterableIterator<string> {
    return this.#byTool.keys()
  }

  /**
   * Takes over what an edit did. Segments must have their places already.
   *
   * @returns the calls and replies whose exchange may have changed
   */
  update(removed: readonly Segment[], inserted: readonly Segment[]): ReadonlySet<Segment> {
    const ids = new Set<string>()
    const tools = new Set<string>()
    const note = (facts: MessageFacts) => {
      if (facts.callId !== undefined) ids.add(facts.callId)
      const tool = toolKeyOf(facts)
      if (tool !== undefined && this.#withoutId.has(tool)) tools.add(tool)
    }
    for (const segment of removed) {
      const facts = relatedFacts(segment)
      if (!facts) continue
      note(facts)
      this.#remove(segment, facts)
    }
    for (const segment of inserted) {
      const facts = relatedFacts(segment)
      if (!facts) continue
      this.#add(segment, facts)
      note(facts)
    }
    const changed = new Set<Segment>()
    for (const id of ids) {
      const bucket = this.#byId.get(id)
      if (!bucket) continue
      const ordered = this.#inOrder(bucket)
      this.#byId.set(id, ordered)
      this.#pairById(ordered)
      for (const segment of ordered) {
        changed.add(segment)
        const tool = toolKeyOf(relatedFacts(segment))
        if (tool !== undefined && this.#withoutId.has(tool)) tools.add(tool)
      }
    }
    for (const tool of tools) {
      const ordered = this.#inOrder(this.#byTool.get(tool) ?? [])
      if (ordered.length === 0) continue
      this.#byTool.set(tool, ordered)
      this.#pairByTool(ordered)
      for (const segment of ordered) changed.add(segment)
    }
    return changed
  }

  #add(segment: Segment, facts: MessageFacts | undefined): void {
    if (!facts) return
    const tool = toolKeyOf(facts)
    if (facts.callId !== undefined) put(this.#byId, facts.callId, segment)
    else {
      this.#set(segment, { kind: kindOf(facts), partner: undefined, problem: undefined })
      if (tool !== undefined) this.#withoutId.set(tool, (this.#withoutId.get(tool) ?? 0) + 1)
    }
    if (tool !== undefined) put(this.#byTool, tool, segment)
  }

  #remove(segment: Segment, facts: MessageFacts): void {
    this.#exchanges.delete(segment)
    this.#unanswered.delete(segment)
    const tool = toolKeyOf(facts)
    if (facts.callId !== undefined) take(this.#byId, facts.callId, segment)
    if (tool === undefined) return
    take(this.#byTool, tool, segment)
    if (facts.callId !== undefined) return
    const left = (this.#withoutId.get(tool) ?? 0) - 1
    if (left > 0) this.#withoutId.set(tool, left)
    else this.#withoutId.delete(tool)
  }

  /** Pairs the calls and replies of one id, which come in document order. */
  #pairById(segments: readonly Segment[]): void {
    let firstCall: Segment | undefined
    let open: Segment | undefined
    let openProblem: ExchangeProblem | undefined
    let answer: Segment | undefined
    const anyCall = segments.find((it) => this.#isCall(it))
    for (const segment of segments) {
      if (this.#isCall(segment)) {
        openProblem = firstCall && { kind: 'duplicate-id', first: firstCall }
        this.#set(segment, { kind: 'call', partner: undefined, problem: openProblem })
        firstCall ??= segment
        open = segment
        answer = undefined
      } else if (open && !answer) {
        answer = segment
        this.#set(segment, { kind: 'reply', partner: open, problem: undefined })
        this.#set(open, { kind: 'call', partner: segment, problem: openProblem })
      } else if (open && answer) {
        const problem: ExchangeProblem = { kind: 'already-answered', call: open, reply: answer }
        this.#set(segment, { kind: 'reply', partner: undefined, problem })
      } else {
        const problem: ExchangeProblem = anyCall
          ? { kind: 'before-call', call: anyCall }
          : { kind: 'no-such-call' }
        this.#set(segment, { kind: 'reply', partner: undefined, problem })
      }
    }
  }

  /**
   * Pairs replies without id with the oldest open call of the tool. A reply whose id no call has still shows that
   * a call without id was answered.
   */
  #pairByTool(segments: readonly Segment[]): void {
    const open = new OpenCalls()
    for (const segment of segments) {
      const known = this.#exchanges.get(segment)
      const hasId = factsOf(segment)?.callId !== undefined
      if (this.#isCall(segment)) {
        const partner = hasId ? known?.partner : undefined
        if (partner && factsOf(partner)?.callId !== undefined) continue
        this.#set(segment, { kind: 'call', partner: undefined, problem: known?.problem })
        open.add(segment, hasId)
      } else if (!hasId || known?.problem?.kind === 'no-such-call') {
        const call = open.take(hasId)
        this.#set(segment, { kind: 'reply', partner: call, problem: known?.problem })
        if (!call) continue
        this.#set(call, { kind: 'call', partner: segment, problem: this.#exchanges.get(call)?.problem })
      }
    }
  }

  #isCall(segment: Segment): boolean {
    const facts = factsOf(segment)
    return facts !== undefined && isCall(facts)
  }

  #set(segment: Segment, exchange: Exchange): void {
    this.#exchanges.set(segment, exchange)
    if (exchange.kind === 'call' && !exchange.partner) this.#unanswered.add(segment)
    else if (exchange.kind === 'call') this.#unanswered.delete(segment)
  }

  #inOrder(segments: Segment[]): Segment[] {
    if (segments.length < 2) return segments
    const places = segments.map((segment) => ({ segment, index: this.#order.locate(segment)?.index ?? -1 }))
    places.sort((one, other) => one.index - other.index)
    return places.map(({ segment }) => segment)
  }
}

/** The facts of a call or reply; undefined for every other segment. */
function relatedFacts(segment: Segment): MessageFacts | undefined {
  const facts = factsOf(segment)
  return facts && (isReply(facts) || isCall(facts)) ? facts : undefined
}

function kindOf(facts: MessageFacts): 'call' | 'reply' {
  return isCall(facts) ? 'call' : 'reply'
}

function toolKeyOf(facts: MessageFacts | undefined): string | undefined {
  const tool = facts && toolNameOf(facts)
  return tool === undefined ? undefined : withoutFunctionPrefix(tool)
}

function put(map: Map<string, Segment[]>, key: string, segment: Segment): void {
  const known = map.get(key)
  if (known) known.push(segment)
  else map.set(key, [segment])
}

function take(map: Map<string, Segment[]>, key: string, segment: Segment): void {
  const known = map.get(key)
  const index = known?.indexOf(segment) ?? -1
  if (!known || index === -1) return
  known.splice(index, 1)
  if (known.length === 0) map.delete(key)
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
