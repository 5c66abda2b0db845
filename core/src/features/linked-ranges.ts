/** Places that are edited together: the id of a call and of its replies. */
import type { Analysis } from '../semantics/analysis.ts'
import { callIdAt, callIdPlaces } from '../semantics/call-id.ts'
import type { Range } from '../text/range.ts'

const placesAtMost = 1000 // that change with every character

/**
 * The ranges that are typed in at once when the cursor is at `offset`; empty if nothing is linked there, or more places than
 * can be changed with every character.
 */
export function linkedRanges(analysis: Analysis, offset: number): readonly Range[] {
  const callId = callIdAt(analysis, offset)
  if (!callId || offset < callId.range.start || callId.range.end < offset) return []
  if (analysis.exchanges.withId(callId.id).length > placesAtMost) return []
  const places = callIdPlaces(analysis, callId, placesAtMost)
  return places.length > 1 ? places.map(({ range }) => range) : []
}
