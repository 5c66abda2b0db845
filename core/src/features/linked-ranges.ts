/** Places that are edited together: the id of a call and of its replies. */
import type { Analysis } from '../semantics/analysis.ts'
import { callIdAt, callIdPlaces } from '../semantics/call-id.ts'
import type { Range } from '../text/range.ts'

/** The ranges that are typed in at once when the cursor is at `offset`; empty if nothing is linked there. */
export function linkedRanges(analysis: Analysis, offset: number): readonly Range[] {
  const callId = callIdAt(analysis, offset)
  if (!callId || offset < callId.range.start || callId.range.end < offset) return []
  const places = callIdPlaces(analysis, callId.id)
  return places.length > 1 ? places.map(({ range }) => range) : []
}
