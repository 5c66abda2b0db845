/** What grammar and parser must agree on: where control tokens, escapes and literal texts are, written as lines of text. */
import type { IGrammar } from 'vscode-textmate'
import { eachToken, type Token, TokenKind, Transcript, tokensOf } from '../../core/src/internal.ts'
import { scopedLines } from './textmate-grammar.ts'

/** The marks of `text` by the parser: `OFFSET CATEGORY TEXT`. */
export function parserMarks(text: string): string[] {
  const marks: string[] = []
  for (const { segment, start } of Transcript.parse(text).segments()) {
    for (const token of eachToken(tokensOf(segment))) {
      const category = categoryOf(token)
      if (category === undefined) continue
      marks.push(`${start + token.from} ${category} ${segment.text.slice(token.from, token.to)}`)
    }
  }
  return marks
}

/** True if a literal block of `text` is closed nowhere: the parser knows, but a grammar sees no later lines. */
export function hasOpenLiteral(text: string): boolean {
  return [...Transcript.parse(text).segments()].some(({ segment }) => segment.hasOpenLiteral)
}

/** True for tokens that begin, divide or end messages. Markers inside a body may be lost in what an embedded grammar takes whole. */
export function isStructural(mark: string): boolean {
  return / token <\|(?:start|im_start|channel|message|constrain|call|return|end|im_end)\|>$/.test(mark)
}

function categoryOf({ kind }: Token): string | undefined {
  if (kind > TokenKind.none && kind <= TokenKind.sequenceEnd) return 'token'
  switch (kind) {
    case TokenKind.escape:
      return 'escape'
    case TokenKind.role:
      return 'role'
    case TokenKind.attributeName:
      return 'attribute'
    case TokenKind.channelName:
      return 'channel'
    default:
      return undefined
  }
}

const categories: readonly (readonly [string, RegExp])[] = [
  ['token', /^keyword\.control\..+\.openchatml$/],
  ['escape', /^constant\.character\.escape\.openchatml$/],
  ['role', /^(?:entity\.name\.type\.role|variable\.other\.unknown-role)\.openchatml$/],
  ['attribute', /^variable\.(?:parameter\.attribute|other\.unknown-attribute)\.openchatml$/],
  ['channel', /^(?:constant\.language\.channel|invalid\.illegal\.(?:unknown|further)-channel)\.openchatml$/],
]

/** The same by the grammar. */
export function grammarMarks(grammar: IGrammar, text: string): string[] {
  const marks: string[] = []
  let lineStart = 0
  for (const line of scopedLines(grammar, text)) {
    for (const token of line.tokens) {
      const scope = token.scopes.at(-1) ?? ''
      const category = categories.find(([, pattern]) => pattern.test(scope))?.[0]
      // `to=assistant` names a role as well, but as a value.
      if (category === undefined || (category === 'role' && line.text[token.from - 1] === '=')) continue
      marks.push(`${lineStart + token.from} ${category} ${category === 'escape' ? '<' : token.text}`)
    }
    lineStart += line.text.length + (text.startsWith('\r\n', lineStart + line.text.length) ? 2 : 1)
  }
  return marks
}
