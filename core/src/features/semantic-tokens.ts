/** What the words of the text mean, for colours that a grammar cannot know: effect, literal text, escapes, who sees it. */

import type { Analysis } from '../semantics/analysis.ts'
import { factsOf } from '../semantics/message-facts.ts'
import { isVisible } from '../semantics/visibility.ts'
import { messageView } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import { eachToken, type Token, TokenKind } from '../syntax/token-run.ts'
import { tokensOf } from '../syntax/tokenize.ts'
import type { Range } from '../text/range.ts'

/** The types of tokens, of which most editors know the colours. */
export const semanticTokenTypes = [
  'keyword',
  'type',
  'enumMember',
  'property',
  'operator',
  'string',
  'variable',
  'function',
  'regexp',
  'comment',
] as const

/** The modifiers of tokens. */
export const semanticTokenModifiers = ['hidden', 'inactive'] as const

/** One of {@link semanticTokenTypes}. */
export type SemanticTokenType = (typeof semanticTokenTypes)[number]

/** One of {@link semanticTokenModifiers}. */
export type SemanticTokenModifier = (typeof semanticTokenModifiers)[number]

/** A token with a meaning; it may go over several lines. */
export interface SemanticToken extends Range {
  readonly type: SemanticTokenType
  readonly modifiers: readonly SemanticTokenModifier[]
}

/** The tokens that touch `range`, in document order, made one by one. */
export function* semanticTokens(analysis: Analysis, range: Range): IterableIterator<SemanticToken> {
  const { transcript } = analysis
  const first = transcript.segmentAt(Math.max(0, Math.min(range.start, transcript.length)))
  for (const { segment, start } of transcript.segments(first.index)) {
    if (start > range.end) return
    const facts = factsOf(segment)
    const hidden: readonly SemanticTokenModifier[] = facts && !isVisible(facts) ? ['hidden'] : []
    for (const token of eachToken(tokensOf(segment))) {
      if (start + token.to < range.start || start + token.from > range.end) continue
      const type = typeOf(segment, token)
      if (!type) continue
      const modifiers: readonly SemanticTokenModifier[] =
        token.kind === TokenKind.strayToken ? [...hidden, 'inactive'] : hidden
      yield { start: start + token.from, end: start + token.to, type, modifiers }
    }
  }
}

function typeOf(segment: Segment, { kind, from }: Token): SemanticTokenType | undefined {
  switch (kind) {
    case TokenKind.role:
      return 'type'
    case TokenKind.channelName:
      return 'enumMember'
    case TokenKind.constraintName:
    case TokenKind.word:
      return 'type'
    case TokenKind.attributeName:
      return 'property'
    case TokenKind.equals:
      return 'operator'
    case TokenKind.attributeValue:
      return typeOfValue(segment, from)
    case TokenKind.literalText:
    case TokenKind.escapedToken:
      return 'string'
    case TokenKind.escape:
      return 'regexp'
    case TokenKind.strayToken:
      return 'string'
    case TokenKind.stray:
      return 'comment'
    default:
      return kind > TokenKind.none && kind < TokenKind.byteOrderMark ? 'keyword' : undefined
  }
}

/** Ids and names of tools stand for something; other values are words. */
function typeOfValue(segment: Segment, from: number): SemanticTokenType {
  const name = messageView(segment).attributes.find(({ value }) => value?.span.from === from)?.name.text
  if (name === 'call_id') return 'variable'
  return name === 'to' || name === 'name' ? 'function' : 'string'
}
