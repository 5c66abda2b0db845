/** Renames a call id in the call and in its replies. */

import type { Analysis } from '../semantics/analysis.ts'
import { callIdAt, callIdPlaces } from '../semantics/call-id.ts'
import type { Range, TextEdit } from '../text/range.ts'

/** Edits, or a sentence that says why there are none. */
export type Renaming =
  | { readonly kind: 'edits'; readonly edits: readonly TextEdit[] }
  | { readonly kind: 'refused'; readonly reason: string }

/** What can be renamed at `offset`: the value of a call id; undefined elsewhere. */
export function renameRange(analysis: Analysis, offset: number): Range | undefined {
  return callIdAt(analysis, offset)?.range
}

/** Gives the call id at `offset` the name `id`, wherever it stands. */
export function rename(analysis: Analysis, offset: number, id: string): Renaming {
  const callId = callIdAt(analysis, offset)
  if (!callId) return { kind: 'refused', reason: 'There is no call id here' }
  if (id === '' || /\s/.test(id))
    return { kind: 'refused', reason: 'A call id has no white space and is not empty' }
  const token = analysis.transcript.framing.tokens.find(({ text }) => id.includes(text))
  if (token) return { kind: 'refused', reason: `A call id cannot contain ${token.text}` }
  if (id !== callId.id && analysis.exchanges.withId(id).length > 0) {
    return { kind: 'refused', reason: `\`${id}\` is already the id of another call` }
  }
  const edits = callIdPlaces(analysis, callId.id).map(({ range }) => ({ ...range, text: id }))
  return { kind: 'edits', edits }
}
