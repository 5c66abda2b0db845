/**
 * Formats the white space of a YAML header: none at the ends of lines, one space after the colon of a key and none before
 * it, at most one empty line. Indentation, comments with the space before them, and the inside of values stay.
 */
import { Lexer } from 'yaml'
import type { TextEdit } from '../text/range.ts'
import { type YamlHeader, yamlHeader } from './yaml-header.ts'

// The library's lexer marks with these characters what has no text of its own.
const marks = new Set(['\ufeff', '\x02', '\x18'])
const scalarMark = '\x1f'

interface Lexeme {
  readonly kind: 'blank' | 'line-break' | 'colon' | 'comment' | 'other'
  readonly start: number
  readonly text: string
}

/**
 * The edits, in order, relative to the text of `header`; none if there is a mistake in it, and none if those that are wanted
 * would change what it says without the others.
 */
export function yamlFormatEdits(
  header: YamlHeader,
  isWanted: (edit: TextEdit) => boolean,
): readonly TextEdit[] {
  const { text, value, problems } = header
  if (!value || problems.length > 0 || /\r(?!\n)/.test(text)) return []
  const lexemes = lexemesOf(text)
  const edits: TextEdit[] = []
  let lineBreaks = 1 // the first one of the document always stays: it is the pattern for all that are inserted
  lexemes.forEach(({ kind, start, text: own }, index) => {
    const before = lexemes[index - 1]
    const next = lexemes[index + 1]
    if (kind === 'line-break') {
      lineBreaks++
      if (lineBreaks > 2) edits.push({ start, end: start + own.length, text: '' })
      return
    }
    if (kind !== 'blank') {
      lineBreaks = 0
      return
    }
    const wanted = wantedBlank(own, { before, next })
    if (wanted !== own) edits.push({ start, end: start + own.length, text: wanted })
  })
  const wanted = edits.filter(isWanted)
  const isSafe = saysTheSame(header, edits) && (wanted.length === edits.length || saysTheSame(header, wanted))
  return isSafe ? wanted : []
}

function wantedBlank(
  own: string,
  { before, next }: { readonly before: Lexeme | undefined; readonly next: Lexeme | undefined },
): string {
  if (!next) return own // the first message is after it, and where a line begins says where headers end (D1)
  if (next.kind === 'line-break') return ''
  if (!before || before.kind === 'line-break' || next.kind === 'comment') return own
  if (before.kind === 'colon') return ' '
  return next.kind === 'colon' && before.kind === 'other' ? '' : own
}

function lexemesOf(text: string): readonly Lexeme[] {
  const lexemes: Lexeme[] = []
  let start = 0
  let isScalar = false
  for (const lexeme of new Lexer().lex(text)) {
    const isMark = !isScalar && (marks.has(lexeme) || lexeme === scalarMark)
    if (isMark) {
      isScalar = lexeme === scalarMark
      if (lexeme === '\ufeff') start += lexeme.length
      continue
    }
    lexemes.push({ kind: isScalar ? 'other' : kindOf(lexeme), start, text: lexeme })
    start += lexeme.length
    isScalar = false
  }
  return lexemes
}

function kindOf(lexeme: string): Lexeme['kind'] {
  if (lexeme === '\n' || lexeme === '\r\n') return 'line-break'
  if (lexeme === ':') return 'colon'
  if (lexeme.startsWith('#')) return 'comment'
  return /^[ \t]+$/.test(lexeme) ? 'blank' : 'other'
}

function saysTheSame(header: YamlHeader, edits: readonly TextEdit[]): boolean {
  if (edits.length === 0) return true
  let text = ''
  let from = 0
  for (const { start, end, text: written } of edits) {
    text += header.text.slice(from, start) + written
    from = end
  }
  const after = yamlHeader(text + header.text.slice(from))
  return after.problems.length === 0 && JSON.stringify(after.value) === JSON.stringify(header.value)
}
