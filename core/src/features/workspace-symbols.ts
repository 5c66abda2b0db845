/** What can be found by name from anywhere: defined tools and ids of calls. */
import type { Analysis } from '../semantics/analysis.ts'
import { callIdIn } from '../semantics/call-id.ts'
import { factsOf, isCall } from '../semantics/message-facts.ts'
import { rangeIn } from '../semantics/place.ts'
import { declarationsOf } from '../semantics/tool-declarations.ts'
import { fullName } from '../semantics/tool-index.ts'
import type { Range } from '../text/range.ts'

/** A tool or a call. */
export interface WorkspaceSymbol {
  readonly kind: 'tool' | 'call'
  /** The tool as calls write it, or the id of the call. */
  readonly name: string
  /** The tool that the call names; empty for a tool. */
  readonly detail: string
  readonly range: Range
}

/**
 * The tools and calls whose name has the characters of `query` in that order, whatever their case, in document order.
 * Made one by one, and lazily at least per message.
 */
export function* workspaceSymbols(analysis: Analysis, query: string): IterableIterator<WorkspaceSymbol> {
  for (const located of analysis.transcript.segments()) {
    const { segment } = located
    const facts = factsOf(segment)
    if (!facts) continue
    if (isCall(facts)) {
      const { callId, to = '' } = facts
      const place = callId !== undefined && fitsQuery(callId, query) ? callIdIn(analysis, segment) : undefined
      if (place) yield { kind: 'call', name: place.id, detail: to, range: place.range }
    } else if (facts.role === 'developer' || facts.role === 'system') {
      const declarations = declarationsOf(segment)
      if (!declarations) continue
      for (const definition of declarations.definitions) {
        const name = fullName(definition)
        if (!fitsQuery(name, query)) continue
        const range = rangeIn(located, declarations.source.spanOf(definition.nameRange))
        yield { kind: 'tool', name, detail: '', range }
      }
    }
  }
}

/** True if `name` has the characters of `query` in their order, whatever their case: editors rank and mark the rest. */
export function fitsQuery(name: string, query: string): boolean {
  const lower = name.toLowerCase()
  let at = 0
  for (const character of query.toLowerCase()) {
    at = lower.indexOf(character, at) + 1
    if (at === 0) return false
  }
  return true
}
