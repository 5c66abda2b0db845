/**
 * Pairs replies with calls (D12): by call id, or by tool and order where there is no id. The only place that decides it, for the
 * analysis of a transcript as for conversions.
 */
import type { Exchange, ExchangeProblem } from './exchange.ts'

/** What pairing asks of calls and replies, and where it writes down what it finds. */
export interface Exchanges<Party> {
  isCall(party: Party): boolean
  /** The tool that is called or replies, without the `functions.` prefix. */
  toolOf(party: Party): string | undefined
  idOf(party: Party): string | undefined
  get(party: Party): Exchange<Party> | undefined
  set(party: Party, exchange: Exchange<Party>): void
}

/**
 * Pairs the calls and replies of one id, which come in document order. Where several calls carry the id, a reply
 * belongs to the oldest open one of its tool, or else to the oldest open one.
 */
export function pairById<Party>(parties: readonly Party[], exchanges: Exchanges<Party>): void {
  if (pairAlone(parties, exchanges)) return
  const firstCall = parties.find((it) => exchanges.isCall(it))
  const open = new OpenCallsOfId<Party>()
  let answered: { readonly call: Party; readonly reply: Party } | undefined
  const duplicate: ExchangeProblem<Party> | undefined =
    firstCall === undefined ? undefined : { kind: 'duplicate-id', first: firstCall }
  const setCall = (call: Party, partner: Party | undefined) => {
    exchanges.set(call, { kind: 'call', partner, problem: call === firstCall ? undefined : duplicate })
  }
  for (const party of parties) {
    const tool = exchanges.toolOf(party)
    if (exchanges.isCall(party)) {
      open.add(party, tool)
      continue
    }
    const call = open.take(tool)
    if (call !== undefined) {
      answered = { call, reply: party }
      setCall(call, party)
    }
    const problem = call === undefined ? whyUnpaired(answered, firstCall) : undefined
    exchanges.set(party, { kind: 'reply', partner: call, problem })
  }
  for (const call of open.left()) setCall(call, undefined)
}

/** Pairs a call with the reply after it where nothing else has their id, as it should be; false elsewhere. */
function pairAlone<Party>([call, reply, other]: readonly Party[], exchanges: Exchanges<Party>): boolean {
  if (call === undefined || other !== undefined || !exchanges.isCall(call)) return false
  if (reply !== undefined && exchanges.isCall(reply)) return false
  exchanges.set(call, { kind: 'call', partner: reply, problem: undefined })
  if (reply !== undefined) exchanges.set(reply, { kind: 'reply', partner: call, problem: undefined })
  return true
}

/** Why a reply with an id has no call; `answered` is the last exchange before it, and `anyCall` a call with its id. */
function whyUnpaired<Party>(
  answered: { readonly call: Party; readonly reply: Party } | undefined,
  anyCall: Party | undefined,
): ExchangeProblem<Party> {
  if (answered) return { kind: 'already-answered', ...answered }
  return anyCall === undefined ? { kind: 'no-such-call' } : { kind: 'before-call', call: anyCall }
}

/**
 * Pairs replies without id with the oldest open call of their tool; `parties` are its calls and replies in document order, and
 * those with an id are paired by it already. A reply whose id no call has still shows that a call without id was answered.
 */
export function pairByTool<Party>(parties: readonly Party[], exchanges: Exchanges<Party>): void {
  const open = new OpenCalls<Party>()
  for (const party of parties) {
    const known = exchanges.get(party)
    const hasId = exchanges.idOf(party) !== undefined
    if (exchanges.isCall(party)) {
      const partner = hasId ? known?.partner : undefined
      if (partner === undefined || exchanges.idOf(partner) === undefined) open.add(party, hasId)
    } else if (!hasId || known?.problem?.kind === 'no-such-call') {
      const call = open.take(hasId)
      exchanges.set(party, { kind: 'reply', partner: call, problem: known?.problem })
      if (call !== undefined)
        exchanges.set(call, { kind: 'call', partner: party, problem: exchanges.get(call)?.problem })
    }
  }
  for (const call of open.left()) {
    exchanges.set(call, { kind: 'call', partner: undefined, problem: exchanges.get(call)?.problem })
  }
}

/** The calls of one id that wait for a reply; mostly one. */
class OpenCallsOfId<Party> {
  readonly #all: Party[] = []
  readonly #byTool = new Map<string | undefined, Party[]>()
  readonly #taken = new Set<Party>()
  #next = 0
  readonly #nextOfTool = new Map<string | undefined, number>()

  add(call: Party, tool: string | undefined): void {
    this.#all.push(call)
    const ofTool = this.#byTool.get(tool)
    if (ofTool) ofTool.push(call)
    else this.#byTool.set(tool, [call])
  }

  /** Takes the oldest call of `tool`, or else the oldest one. */
  take(tool: string | undefined): Party | undefined {
    const call = this.#takeOfTool(tool) ?? this.#takeAny()
    if (call !== undefined) this.#taken.add(call)
    return call
  }

  /** The calls that have no reply yet. */
  left(): readonly Party[] {
    return this.#all.filter((call) => !this.#taken.has(call))
  }

  #takeOfTool(tool: string | undefined): Party | undefined {
    const calls = this.#byTool.get(tool)
    if (!calls) return undefined
    let next = this.#nextOfTool.get(tool) ?? 0
    while (next < calls.length && this.#taken.has(calls[next] as Party)) next++
    this.#nextOfTool.set(tool, next)
    return calls[next]
  }

  #takeAny(): Party | undefined {
    while (this.#next < this.#all.length && this.#taken.has(this.#all[this.#next] as Party)) this.#next++
    return this.#all[this.#next]
  }
}

/** The calls of one tool that wait for a reply, oldest first. */
class OpenCalls<Party> {
  readonly #calls: Party[] = []
  readonly #callsWithoutId: Party[] = []
  readonly #taken = new Set<Party>()
  #next = 0
  #nextWithoutId = 0

  add(call: Party, hasId: boolean): void {
    this.#calls.push(call)
    if (!hasId) this.#callsWithoutId.push(call)
  }

  /** Takes the oldest call, or the oldest one without id. */
  take(onlyWithoutId: boolean): Party | undefined {
    const calls = onlyWithoutId ? this.#callsWithoutId : this.#calls
    let next = onlyWithoutId ? this.#nextWithoutId : this.#next
    while (next < calls.length && this.#taken.has(calls[next] as Party)) next++
    const call = calls[next]
    if (call !== undefined) this.#taken.add(call)
    // A call that is taken is passed over the next time; after the last one, another may be added.
    if (onlyWithoutId) this.#nextWithoutId = next
    else this.#next = next
    return call
  }

  /** The calls that have no reply yet. */
  left(): readonly Party[] {
    return this.#calls.filter((call) => !this.#taken.has(call))
  }
}
