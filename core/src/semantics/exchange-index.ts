/**
 * Which reply answers which call (D12): by call id, or by tool and order where a reply has no id.
 * Updated from the segments that an edit removed and inserted; only their ids and tools are looked at again.
 */

import type { Segment } from '../syntax/segment.ts'
import { countWhile } from '../text/count-while.ts'
import { withoutFunctionPrefix } from '../vocabulary/roles.ts'
import { type Exchange, type ExchangeProblem, isSameExchange } from './exchange.ts'
import type { DecidingFacts } from './message.ts'
import { isCall, isNamedReply, isReply, toolNameOf } from './message-facts.ts'
import { type Exchanges, pairById, pairByTool } from './pairing.ts'

export type { Exchange, ExchangeProblem } from './exchange.ts'

/** The part of a transcript that the index needs: the order of its segments. */
export interface SegmentOrder<Party = Segment> {
  locate(party: Party): { readonly index: number } | undefined
}

/** Calls and replies of a document, or of any other list of messages. */
export class ExchangeIndex<Party = Segment> {
  readonly #order: SegmentOrder<Party>
  readonly #factsOf: (party: Party) => DecidingFacts | undefined
  readonly #byId = new Map<string, Party[]>()
  readonly #byTool = new Map<string, ToolBucket<Party>>()
  readonly #exchanges = new Map<Party, Exchange<Party>>()
  readonly #unanswered = new Set<Party>()
  readonly #pairing: Exchanges<Party> = {
    isCall: (segment) => isCallFacts(this.#factsOf(segment)),
    toolOf: (segment) => toolKeyOf(this.#factsOf(segment)),
    idOf: (segment) => this.#factsOf(segment)?.callId,
    get: (segment) => this.#exchanges.get(segment),
    set: (segment, exchange) => this.#set(segment, exchange),
  }
  /** Whose exchange became another one, while an edit is taken over. */
  #changed: Set<Party> | undefined

  /**
   * @param segments all calls and replies, in document order
   * @param factsOf what a segment is; undefined for what is not a message
   */
  constructor(
    order: SegmentOrder<Party>,
    segments: Iterable<Party>,
    factsOf: (party: Party) => DecidingFacts | undefined,
  ) {
    this.#order = order
    this.#factsOf = factsOf
    for (const segment of segments) this.#add(segment)
    for (const bucket of this.#byId.values()) pairById(bucket, this.#pairing)
    for (const bucket of this.#byTool.values())
      if (bucket.withoutId > 0) pairByTool(bucket.segments, this.#pairing)
  }

  /** The exchanges of all calls and replies, in no particular order. */
  get all(): ReadonlyMap<Party, Exchange<Party>> {
    return this.#exchanges
  }

  /** Every call and reply, in no particular order. */
  segments(): IterableIterator<Party> {
    return this.#exchanges.keys()
  }

  /** The exchange that `segment` takes part in; undefined if it is neither call nor reply. */
  exchange(segment: Party): Exchange<Party> | undefined {
    return this.#exchanges.get(segment)
  }

  /** The calls without reply, in no particular order. */
  get unanswered(): ReadonlySet<Party> {
    return this.#unanswered
  }

  /** The calls and replies that carry `callId`, in document order. */
  withId(callId: string): readonly Party[] {
    return this.#byId.get(callId) ?? []
  }

  /** The calls of `tool` and the replies in its name, in document order. The `functions.` prefix is optional. */
  withTool(tool: string): readonly Party[] {
    return this.#byTool.get(withoutFunctionPrefix(tool))?.segments ?? []
  }

  /** True if `tool` is called anywhere. The `functions.` prefix is optional. */
  isCalled(tool: string): boolean {
    return (this.#byTool.get(withoutFunctionPrefix(tool))?.calls ?? 0) > 0
  }

  /** The same as {@link withTool}, for readers who do not care about order. */
  ofTool(tool: string): Iterable<Party> {
    return this.withTool(tool)
  }

  /** The tool that `segment` calls or replies for, without the `functions.` prefix; undefined if it is neither call nor reply. */
  toolOf(segment: Party): string | undefined {
    return this.#exchanges.has(segment) ? toolKeyOf(this.#factsOf(segment)) : undefined
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
  update(removed: readonly Party[], inserted: readonly Party[]): ReadonlySet<Party> {
    const changed = new Set<Party>()
    this.#changed = changed
    const gone = removed.filter((it) => isCallOrReply(this.#factsOf(it)))
    const fresh = inserted.filter((it) => isCallOrReply(this.#factsOf(it)))
    if (!this.#replaceOne(gone, fresh)) this.#pairAgain(gone, fresh)
    this.#changed = undefined
    return changed
  }

  /**
   * Typing in a call or reply gives it other text and the same part: it is put in the place of the old one, instead of
   * pairing all calls and replies of its id or tool again. False if the edit was anything else, or if what is wrong with
   * another one of its id points to it.
   */
  #replaceOne([old, ...others]: readonly Party[], [fresh, ...more]: readonly Party[]): boolean {
    if (!old || !fresh || others.length > 0 || more.length > 0) return false
    const facts = this.#factsOf(old)
    const freshFacts = this.#factsOf(fresh)
    if (!facts || !freshFacts || facts.callId !== freshFacts.callId) return false
    const tool = toolKeyOf(facts)
    if (tool === undefined || tool !== toolKeyOf(freshFacts) || isCall(facts) !== isCall(freshFacts))
      return false
    const bucket = this.#byTool.get(tool)
    const exchange = this.#exchanges.get(old)
    const ofId = facts.callId === undefined ? [] : this.#byId.get(facts.callId)
    if (!bucket || !exchange || !ofId || ofId.some((it) => pointsTo(this.#exchanges.get(it)?.problem, old)))
      return false
    if (!this.#putInPlaceOf(bucket.segments, old, fresh)) return false
    if (facts.callId !== undefined && !this.#putInPlaceOf(ofId, old, fresh)) return false
    this.#forget(old)
    this.#set(fresh, exchange)
    const partner = exchange.partner && this.#exchanges.get(exchange.partner)
    if (exchange.partner && partner) this.#set(exchange.partner, { ...partner, partner: fresh })
    return true
  }

  /** False if `fresh` is not where `old` was among `segments`. */
  #putInPlaceOf(segments: Party[], old: Party, fresh: Party): boolean {
    const at = segments.indexOf(old)
    const before = segments[at - 1]
    const behind = segments[at + 1]
    if (before && this.#indexOf(before) > this.#indexOf(fresh)) return false
    if (behind && this.#indexOf(behind) < this.#indexOf(fresh)) return false
    segments[at] = fresh
    return true
  }

  /** Pairs the calls and replies of all ids and tools that an edit touched. */
  #pairAgain(removed: readonly Party[], inserted: readonly Party[]): void {
    const ids = new Set<string>()
    const tools = new Map<string, ToolCounts>()
    for (const segment of [...removed, ...inserted]) {
      const facts = this.#factsOf(segment)
      if (facts?.callId !== undefined) ids.add(facts.callId)
      const tool = toolKeyOf(facts)
      if (tool !== undefined && !tools.has(tool)) tools.set(tool, { ...(this.#byTool.get(tool) ?? none) })
    }
    this.#remove(removed, ids, tools.keys())
    for (const segment of inserted) this.#add(segment)
    for (const id of ids) {
      const segments = this.#byId.get(id) ?? []
      pairById(segments, this.#pairing)
      for (const segment of segments) {
        const tool = toolKeyOf(this.#factsOf(segment))
        if (tool !== undefined && !tools.has(tool)) tools.set(tool, this.#byTool.get(tool) ?? none)
      }
    }
    for (const [tool, before] of tools) {
      const bucket = this.#byTool.get(tool)
      if (!bucket) continue
      if (before.withoutId > 0 || bucket.withoutId > 0) pairByTool(bucket.segments, this.#pairing)
      // A reply to a tool that is not called is judged differently.
      const isJudgedAnew = before.calls > 0 !== bucket.calls > 0
      if (isJudgedAnew) for (const segment of bucket.segments) this.#changed?.add(segment)
    }
  }

  #add(segment: Party): void {
    const facts = this.#factsOf(segment)
    if (!facts) return
    const tool = toolKeyOf(facts)
    if (facts.callId === undefined) {
      this.#set(segment, { kind: kindOf(facts), partner: undefined, problem: undefined })
    } else {
      this.#insert(
        entryOf(this.#byId, facts.callId, () => []),
        segment,
      )
    }
    if (tool === undefined) return
    const bucket = entryOf(this.#byTool, tool, () => ({ segments: [], calls: 0, withoutId: 0 }))
    this.#insert(bucket.segments, segment)
    if (isCall(facts)) bucket.calls++
    if (facts.callId === undefined) bucket.withoutId++
  }

  /** Takes `removed` out, which carry some of `ids` and are about some of `tools`. */
  #remove(removed: readonly Party[], ids: Iterable<string>, tools: Iterable<string>): void {
    for (const segment of removed) {
      this.#forget(segment)
      const facts = this.#factsOf(segment)
      const bucket = this.#byTool.get(toolKeyOf(facts) ?? '')
      if (!facts || !bucket) continue
      if (isCall(facts)) bucket.calls--
      if (facts.callId === undefined) bucket.withoutId--
    }
    const gone = new Set(removed)
    for (const id of ids) {
      const left = without(this.#byId.get(id) ?? [], gone)
      if (left.length > 0) this.#byId.set(id, left)
      else this.#byId.delete(id)
    }
    for (const tool of tools) {
      const bucket = this.#byTool.get(tool)
      if (!bucket) continue
      bucket.segments = without(bucket.segments, gone)
      if (bucket.segments.length === 0) this.#byTool.delete(tool)
    }
  }

  /** Puts `segment` into `segments`, which are in document order. */
  #insert(segments: Party[], segment: Party): void {
    const last = segments.at(-1)
    const isBuilt = this.#changed !== undefined // while it is not, segments come in order
    if (!isBuilt || !last || this.#indexOf(last) < this.#indexOf(segment)) {
      segments.push(segment)
      return
    }
    const index = this.#indexOf(segment)
    const place = countWhile(segments.length, (it) => this.#indexOf(segments[it] as Party) < index)
    segments.splice(place, 0, segment)
  }

  #indexOf(segment: Party): number {
    return this.#order.locate(segment)?.index ?? -1
  }

  #set(segment: Party, exchange: Exchange<Party>): void {
    const before = this.#exchanges.get(segment)
    if (isSameExchange(before, exchange)) return
    this.#exchanges.set(segment, exchange)
    this.#changed?.add(segment)
    if (isUnanswered(exchange) === isUnanswered(before)) return
    if (isUnanswered(exchange)) this.#unanswered.add(segment)
    else this.#unanswered.delete(segment)
  }

  #forget(segment: Party): void {
    this.#exchanges.delete(segment)
    this.#unanswered.delete(segment)
    this.#changed?.delete(segment)
  }
}

function isUnanswered(exchange: Exchange<unknown> | undefined): boolean {
  return exchange?.kind === 'call' && exchange.partner === undefined
}

/** True if `problem` is explained with `party`. */
function pointsTo<Party>(problem: ExchangeProblem<Party> | undefined, party: Party): boolean {
  return problem !== undefined && Object.values(problem).includes(party)
}

interface ToolCounts {
  calls: number
  /** How many of the calls and replies have no id. */
  withoutId: number
}

const none: ToolCounts = { calls: 0, withoutId: 0 }

/** The calls of one tool and the replies in its name. */
interface ToolBucket<Party> extends ToolCounts {
  /** In document order. */
  segments: Party[]
}

/** True for a call or reply. */
export function isCallOrReply(facts: DecidingFacts | undefined): boolean {
  return facts !== undefined && (isReply(facts) || isCall(facts) || isNamedReply(facts))
}

function isCallFacts(facts: DecidingFacts | undefined): boolean {
  return facts !== undefined && isCall(facts)
}

function kindOf(facts: DecidingFacts): 'call' | 'reply' {
  return isCall(facts) ? 'call' : 'reply'
}

function toolKeyOf(facts: DecidingFacts | undefined): string | undefined {
  const tool = facts && toolNameOf(facts)
  return tool === undefined ? undefined : withoutFunctionPrefix(tool)
}

function entryOf<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

/** `segments` without those that are `gone`; the same array where it is only one, as for each keystroke. */
function without<Party>(segments: Party[], gone: ReadonlySet<Party>): Party[] {
  if (gone.size > 1) return segments.filter((it) => !gone.has(it))
  for (const segment of gone) {
    const index = segments.indexOf(segment)
    if (index !== -1) segments.splice(index, 1)
  }
  return segments
}
