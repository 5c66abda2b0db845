/** Every place where a call id stands. */

import type { Analysis } from '../semantics/analysis.ts'
import { callIdAt, callIdPlaces } from '../semantics/call-id.ts'
import { factsOf, isCall } from '../semantics/message-facts.ts'
import type { Range } from '../text/range.ts'

/** What belongs to the answer. */
export interface ReferenceOptions {
  /** True if calls, which introduce the id, belong to it. */
  readonly includeDeclaration: boolean
}

/** The places of the call id at `offset` in document order; empty if there is none. */
export function references(
  analysis: Analysis,
  offset: number,
  { includeDeclaration }: ReferenceOptions,
): readonly Range[] {
  const callId = callIdAt(analysis, offset)
  if (!callId) return []
  return callIdPlaces(analysis, callId.id)
    .filter(({ segment }) => {
      const facts = factsOf(segment)
      return includeDeclaration || (facts !== undefined && !isCall(facts))
    })
    .map(({ range }) => range)
}
