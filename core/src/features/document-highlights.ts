/** What belongs together with the thing under the cursor: the places of a call id or of a tool, both ends of a message or literal block. */

import type { Analysis } from '../semantics/analysis.ts'
import { callIdAt, callIdPlaces } from '../semantics/call-id.ts'
import { inputPlaceAt, inputPlaces } from '../semantics/input-places.ts'
import { type Place, rangeIn, tokensTouching } from '../semantics/place.ts'
import { toolPlaceAt, toolPlaces } from '../semantics/tool-places.ts'
import { messageView } from '../syntax/message-view.ts'
import { eachToken, type Token, TokenKind } from '../syntax/token-run.ts'
import { tokensOf } from '../syntax/tokenize.ts'
import type { Range, Span } from '../text/range.ts'
import { isTerminator } from '../vocabulary/tokens.ts'

const messagesAtMost = 2000 // more than an editor shows at once

/** The ranges to highlight, in document order, of a call id or tool those in the nearest messages; empty if nothing belongs together here. */
export function documentHighlights(analysis: Analysis, offset: number): readonly Range[] {
  const input = inputPlaceAt(analysis, offset)
  if (input) return inputPlaces(analysis, input, messagesAtMost).map(({ range }) => range)
  const callId = callIdAt(analysis, offset)
  if (callId) return callIdPlaces(analysis, callId, messagesAtMost).map(({ range }) => range)
  const tool = toolPlaceAt(analysis, offset)
  if (tool) return toolPlaces(analysis, tool, messagesAtMost).map(({ range }) => range)
  for (const place of tokensTouching(analysis, offset)) {
    const spans = partnersOf(place, place.token)
    if (spans.length > 1) return spans.map((span) => rangeIn(place, span))
  }
  return []
}

function partnersOf({ segment }: Place, { kind, from }: Token): readonly Span[] {
  if (segment.kind !== 'message') return []
  if (kind === TokenKind.literal || kind === TokenKind.endLiteral) return literalAround(segment, from)
  const { start, message, terminator } = messageView(segment)
  const isStructure =
    kind === TokenKind.start ||
    kind === TokenKind.message ||
    (terminator?.span.from === from && isTerminator(terminator.kind))
  if (!isStructure) return []
  const separator = segment.framing.headerEnd === 'message-token' ? message : undefined
  return [start, separator, terminator?.span].filter((it) => it !== undefined)
}

function literalAround(segment: Place['segment'], at: number): readonly Span[] {
  let opener: Token | undefined
  for (const token of eachToken(tokensOf(segment))) {
    if (token.kind === TokenKind.literal) opener = token
    if (token.kind !== TokenKind.endLiteral || !opener) continue
    if (opener.from === at || token.from === at) return [opener, token]
  }
  return []
}
