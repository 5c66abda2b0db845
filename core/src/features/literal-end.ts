/** The end that a literal block needs when its beginning was just typed. */
import type { Analysis } from '../semantics/analysis.ts'
import { placeBehind, tokenAt } from '../semantics/place.ts'
import { messageView } from '../syntax/message-view.ts'
import { TokenKind } from '../syntax/token-run.ts'
import { tokensOf } from '../syntax/tokenize.ts'
import { ControlKind, coreTokens, isTerminator } from '../vocabulary/tokens.ts'

/** Tokens that were in force before a block began to hold them: a block that a person means seldom begins so. */
const structure = coreTokens
  .filter(({ kind }) => kind === ControlKind.start || isTerminator(kind))
  .map(({ text }) => text)

/**
 * What to insert at `offset`, after a literal token: its end token, if nothing closes the block, or if what closes it
 * is after tokens that were in force until now. Undefined elsewhere.
 */
export function literalEndAt(analysis: Analysis, offset: number): string | undefined {
  const { endLiteral } = analysis.transcript.framing
  const { segment, offset: at } = placeBehind(analysis, offset)
  if (endLiteral === undefined || segment.kind !== 'message' || at === 0) return undefined
  const token = tokenAt(tokensOf(segment), at - 1)
  if (token?.to !== at) return undefined
  const isBody = token.from >= (messageView(segment).body?.from ?? at)
  const isLiteral = segment.framing.matcher.tokenAt(segment.text, token.from).kind === ControlKind.literal
  const isOpen = isBody && isLiteral && token.kind === TokenKind.strayToken
  if (isOpen) return endLiteral
  if (token.kind !== TokenKind.literal) return undefined
  const content = segment.text.slice(at, segment.text.indexOf(endLiteral, at))
  return structure.some((it) => content.includes(it)) ? endLiteral : undefined
}
