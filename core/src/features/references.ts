/** Every place where a call id or the name of a tool stands. */

import type { Analysis } from '../semantics/analysis.ts'
import { callIdAt, callIdPlaces } from '../semantics/call-id.ts'
import { factsOf, isCall } from '../semantics/message-facts.ts'
import { toolPlaceAt, toolPlaces } from '../semantics/tool-places.ts'
import type { Range } from '../text/range.ts'

/** What belongs to the answer. */
export interface ReferenceOptions {
  /** True if calls, which introduce the id, or definitions of the tool belong to it. */
  readonly includeDeclaration: boolean
}

/** The places of the call id or tool at `offset`, in document order; empty if there is none. */
export function references(
  analysis: Analysis,
  offset: number,
  { includeDeclaration }: ReferenceOptions,
): readonly Range[] {
  const callId = callIdAt(analysis, offset)
  if (!callId) return referencesOfTool(analysis, offset, { includeDeclaration })
  return callIdPlaces(analysis, callId.id)
    .filter(({ segment }) => {
      const facts = factsOf(segment)
      return includeDeclaration || (facts !== undefined && !isCall(facts))
    })
    .map(({ range }) => range)
}

function referencesOfTool(
  analysis: Analysis,
  offset: number,
  { includeDeclaration }: ReferenceOptions,
): readonly Range[] {
  const tool = toolPlaceAt(analysis, offset)
  if (!tool) return []
  return toolPlaces(analysis, tool.name)
    .filter(({ kind }) => includeDeclaration || kind !== 'definition')
    .map(({ range }) => range)
}
