/** What the words of the text mean, for colours that a grammar cannot know: effect, literal text, escapes, who sees it. */

import type { Analysis } from '../semantics/analysis.ts'
import { factsOf } from '../semantics/message-facts.ts'
import { templateOf } from '../semantics/template-body.ts'
import { TemplateWords } from '../semantics/template-tokens.ts'
import { isVisible } from '../semantics/visibility.ts'
import { TokenBuffer, TokenKind } from '../syntax/token-run.ts'
import { passingTokensOf } from '../syntax/tokenize.ts'
import type { Range, Span } from '../text/range.ts'

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

/** The tokens that touch `range`, in document order, made one by one. In a prompt, they include the words of its templates. */
export function* semanticTokens(analysis: Analysis, range: Range): IterableIterator<SemanticToken> {
  const { transcript } = analysis
  const buffer = new TokenBuffer()
  const first = transcript.segmentAt(Math.max(0, Math.min(range.start, transcript.length)))
  for (const { segment, start } of transcript.segments(first.index)) {
    if (start > range.end) return
    const facts = factsOf(segment)
    const hidden: readonly SemanticTokenModifier[] = facts && !isVisible(facts) ? ['hidden'] : []
    const template = analysis.settings.inputs && templateOf(segment)
    const words = new TemplateWords(template, Math.max(0, range.start - start))
    const { kinds, ends, count } = passingTokensOf(segment, buffer)
    let attribute = ''
    let end = 0
    for (let index = 0; index < count && start + end <= range.end; index++) {
      const kind = kinds[index] as TokenKind
      const from = end
      end = ends[index] ?? from
      if (kind === TokenKind.attributeName) attribute = segment.text.slice(from, end)
      if (start + end < range.start) continue
      if (kind === TokenKind.text) {
        for (const { from: at, to, type } of textTokens(words, { from, to: end }, hidden.length > 0)) {
          if (start + at > range.end) break
          if (start + to >= range.start) yield { start: start + at, end: start + to, type, modifiers: hidden }
        }
        continue
      }
      const type = typeOf(kind, attribute)
      if (!type) continue
      const modifiers: readonly SemanticTokenModifier[] =
        kind === TokenKind.strayToken ? [...hidden, 'inactive'] : hidden
      yield { start: start + from, end: start + end, type, modifiers }
    }
  }
}

/** The words of a template in a stretch of text and, where that is hidden, the text between them. */
function* textTokens(words: TemplateWords, { from, to }: Span, isHidden: boolean) {
  let at = from
  for (; words.next && words.next.from < to; words.advance()) {
    const { type, ...word } = words.next
    const begin = Math.max(at, word.from)
    const end = Math.min(word.to, to)
    if (isHidden && begin > at) yield { from: at, to: begin, type: 'text' } as const
    if (end > begin) yield { from: begin, to: end, type }
    at = Math.max(at, end)
    if (word.to > to) break // it continues after an escape
  }
  if (isHidden && at < to) yield { from: at, to, type: 'text' } as const
}

function typeOf(kind: TokenKind, attribute: string): SemanticTokenType | undefined {
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
