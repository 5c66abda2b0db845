/** Every place of a call id, or of the name of a tool or an input. */

import type { Analysis } from '../semantics/analysis.ts'
import { callIdAt, callIdPlaces } from '../semantics/call-id.ts'
import { inputPlaceAt, inputPlaces } from '../semantics/input-places.ts'
import { factsOf, isCall } from '../semantics/message-facts.ts'
import { toolPlaceAt, toolPlaces } from '../semantics/tool-places.ts'
import type { Range } from '../text/range.ts'

/** What belongs to the answer. */
export interface ReferenceOptions {
  /** True if calls, which introduce the id, or definitions of the tool belong to it. */
  readonly includeDeclaration: boolean
}

/** The messages whose places one answer has; an editor lists no more. */
export const referencesAtMost = 20_000

/**
 * The places of the call id, tool, or input at `offset`, in document order; empty if there is none. Where more than
 * {@link referencesAtMost} messages have it, those in the nearest ones.
 */
export function references(
  analysis: Analysis,
  offset: number,
  { includeDeclaration }: ReferenceOptions,
): readonly Range[] {
  const input = inputPlaceAt(analysis, offset)
  if (input) {
    return inputPlaces(analysis, input, referencesAtMost)
      .filter(({ kind }) => includeDeclaration || kind !== 'declaration')
      .map(({ range }) => range)
  }
  const callId = callIdAt(analysis, offset)
  if (!callId) return referencesOfTool(analysis, offset, { includeDeclaration })
  return callIdPlaces(analysis, callId, referencesAtMost)
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
  return toolPlaces(analysis, tool, referencesAtMost)
    .filter(({ kind }) => includeDeclaration || kind !== 'definition')
    .map(({ range }) => range)
}
