/** How often each defined tool is called, shown above its definition. */

import type { Analysis } from '../semantics/analysis.ts'
import { factsOf, isCall } from '../semantics/message-facts.ts'
import { rangeIn } from '../semantics/place.ts'
import { declarationsOf } from '../semantics/tool-declarations.ts'
import { fullName, keyOf } from '../semantics/tool-index.ts'
import { placesIn } from '../semantics/tool-places.ts'
import { localize } from '../text/localize.ts'
import type { Range } from '../text/range.ts'

/** A note above a definition. */
export interface ToolLens {
  /** The name of the tool in its definition. */
  readonly range: Range
  /** `3 calls`. */
  readonly title: string
  /** Where the calls name the tool, in document order; at most a thousand. */
  readonly calls: readonly Range[]
}

const callsAtMost = 1000 // of one list
const callsOfAll = 100_000 // of all lists together: a tool may be defined as often as it is called

interface Calls {
  readonly total: number
  readonly ranges: readonly Range[]
}

/** The lenses in document order, made one by one. */
export function* toolLenses(analysis: Analysis): IterableIterator<ToolLens> {
  const known = new Map<string, Calls>()
  const wrapped = analysis.transcript.framing.name === 'chatml' ? wrappedCalls(analysis) : undefined
  let left = callsOfAll
  for (const segment of analysis.tools.segments()) {
    const declarations = declarationsOf(segment)
    const located = analysis.transcript.locate(segment)
    if (!declarations || !located) continue
    for (const definition of declarations.definitions) {
      const key = keyOf(definition)
      const calls =
        known.get(key) ?? callsOf(analysis, key, wrapped?.get(analysis.tools.keyOf(fullName(definition))))
      known.set(key, calls)
      const listed = calls.ranges.slice(0, left)
      left -= listed.length
      yield {
        range: rangeIn(located, declarations.source.spanOf(definition.nameRange)),
        title: calls.total === 1 ? localize`1 call` : localize`${calls.total} calls`,
        calls: listed,
      }
    }
  }
}

/** The calls of a tool; `wrapped` are those that no header names. */
function callsOf(analysis: Analysis, key: string, wrapped: Calls | undefined): Calls {
  const ranges: Range[] = []
  let total = 0
  for (const segment of analysis.exchanges.ofTool(key)) {
    const facts = factsOf(segment)
    if (!facts || !isCall(facts)) continue
    total++
    if (total > callsAtMost) continue
    for (const place of placesIn(analysis, segment)) ranges.push(place.whole)
  }
  if (total === 0 && wrapped) return wrapped
  return { total, ranges: ranges.sort((one, other) => one.start - other.start) }
}

/** The calls that no header names, which 0.1 has, by tool; found in one pass for all tools. */
function wrappedCalls(analysis: Analysis): ReadonlyMap<string, Calls> {
  const byTool = new Map<string, { total: number; readonly ranges: Range[] }>()
  for (const { segment } of analysis.transcript.segments()) {
    if (segment.kind !== 'message') continue
    for (const { kind, name, whole } of placesIn(analysis, segment)) {
      if (kind !== 'call') continue
      const key = analysis.tools.keyOf(name)
      const calls = byTool.get(key) ?? { total: 0, ranges: [] }
      byTool.set(key, calls)
      calls.total++
      if (calls.ranges.length < callsAtMost) calls.ranges.push(whole)
    }
  }
  return byTool
}
