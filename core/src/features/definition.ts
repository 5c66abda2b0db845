/** Where a call id is introduced: from a reply to its call, and from a call to its reply. */

import type { Analysis } from '../semantics/analysis.ts'
import { callIdAt, callIdIn } from '../semantics/call-id.ts'
import { factsOf } from '../semantics/message-facts.ts'
import { tokensTouching } from '../semantics/place.ts'
import { messageView } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import type { Range } from '../text/range.ts'

/** The way from one message to another. */
export interface Definition {
  /** What leads there. */
  readonly origin: Range
  /** The whole of the other message. */
  readonly target: Range
  /** What to select in it: the call id, else its head. */
  readonly selection: Range
}

/**
 * The other end of the exchange at `offset`, asked on the call id, or on the tool's name where there are no ids.
 * Undefined elsewhere, and where there is no other end.
 */
export function definition(analysis: Analysis, offset: number): Definition | undefined {
  const origin = callIdAt(analysis, offset) ?? toolNameAt(analysis, offset)
  const partner = origin && analysis.exchanges.exchange(origin.segment)?.partner
  const located = partner && analysis.transcript.locate(partner)
  if (!origin || !located) return undefined
  const { segment, start } = located
  const { roleWord, start: startToken, end } = messageView(segment)
  const target = { start, end: start + end }
  const head = { start, end: start + (roleWord?.span.to ?? startToken.to) }
  return { origin: origin.range, target, selection: callIdIn(analysis, segment)?.range ?? head }
}

/** The tool's name in the header of a call or reply: the value of `to=` or `name=`, or the role of an older reply. */
function toolNameAt(
  analysis: Analysis,
  offset: number,
): { readonly segment: Segment; readonly range: Range } | undefined {
  for (const { segment, start, token } of tokensTouching(analysis, offset)) {
    const facts = factsOf(segment)
    if (!facts) continue
    const { attributes, roleWord } = messageView(segment)
    const words = [roleWord, ...attributes.map(({ value }) => value)]
    const word = words.find((it) => it?.span.from === token.from)
    if (!word || (word.text !== facts.to && word.text !== facts.name)) continue
    return { segment, range: { start: start + word.span.from, end: start + word.span.to } }
  }
  return undefined
}
