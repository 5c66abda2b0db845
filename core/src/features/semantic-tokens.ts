/** What the words of the text mean, for colours that a grammar cannot know: effect, literal text, escapes, who sees it. */

import type { Analysis } from '../semantics/analysis.ts'
import { factsOf } from '../semantics/message-facts.ts'
import { isVisible } from '../semantics/visibility.ts'
import { eachToken, type Token, TokenKind } from '../syntax/token-run.ts'
import { tokensOf } from '../syntax/tokenize.ts'
import type { Range } from '../text/range.ts'

/**
 * The types of tokens, of which most editors know the colours. `text` has none, so that the colours of the languages in
 * bodies stay: it is there for its modifier, and only where that is `hidden`.
 */
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
  'text',
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
    let attribute = ''
    for (const token of eachToken(tokensOf(segment))) {
      if (token.kind === TokenKind.attributeName) attribute = segment.text.slice(token.from, token.to)
      if (start + token.to < range.start || start + token.from > range.end) continue
      const type = token.kind === TokenKind.text ? hidden.length > 0 && 'text' : typeOf(token, attribute)
      if (!type) continue
      const modifiers: readonly SemanticTokenModifier[] =
        token.kind === TokenKind.strayToken ? [...hidden, 'inactive'] : hidden
      yield { start: start + token.from, end: start + token.to, type, modifiers }
    }
  }
}

function typeOf({ kind }: Token, attribute: string): SemanticTokenType | undefined {
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
      return typeOfValue(attribute)
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
function typeOfValue(attribute: string): SemanticTokenType {
  if (attribute === 'call_id') return 'variable'
  return attribute === 'to' || attribute === 'name' ? 'function' : 'string'
}
