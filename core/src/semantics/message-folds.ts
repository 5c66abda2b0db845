/** What can be folded within a message: its body, literal blocks, JSON, tool definitions, and what Markdown consists of. */
import { markdownBlocks } from '../embedded/markdown-blocks.ts'
import { markdownGroups } from '../embedded/markdown-groups.ts'
import { type MessageView, viewMessage } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import { eachToken, TokenKind } from '../syntax/token-run.ts'
import { tokensOf } from '../syntax/tokenize.ts'
import { nextLineBreak } from '../text/line-breaks.ts'
import type { Span } from '../text/range.ts'
import { contentTypes } from '../vocabulary/attributes.ts'
import { isMarkdown, withoutLiterals } from './body-parts.ts'
import { factsOf } from './message-facts.ts'

/** What is folded within a message. */
export type MessageFoldKind = 'message' | 'body' | 'literal' | 'brackets' | MarkdownFoldKind

type MarkdownFoldKind = 'section' | 'region' | 'item' | 'code'

/** A stretch that can be folded, relative to its segment. */
export interface FoldSpan<Kind extends string> extends Span {
  readonly kind: Kind
}

/** The folds of a message that ends at `end`, in order of the text, outer before inner; some may be within a line. */
export function messageFolds(segment: Segment, end: number): readonly FoldSpan<MessageFoldKind>[] {
  const view = viewMessage(segment)
  const folds: FoldSpan<MessageFoldKind>[] = [{ kind: 'message', from: 0, to: end }]
  const { body } = view
  if (!body) return folds
  if (nextLineBreak(segment.text, 0, body.from) < body.from - 1) {
    folds.push({ kind: 'body', from: view.message?.from ?? body.from, to: end })
  }
  const inner = [
    ...(view.isPlainBody ? [] : literalFolds(segment)),
    ...(view.isPlainBody && hasBrackets(segment, view) ? bracketFolds(segment, body) : []),
    ...markdownFolds(segment, body),
  ]
  // No call takes as many arguments as a long body has folds.
  return folds.concat(inner.sort((one, other) => one.from - other.from || other.to - one.to))
}

const sectionsAtMost = 1000 // of one message
const groupsAtMost = 5000 // as above: editors take no more folds of a whole document

/** Sections below a heading, regions, items of lists, and fenced code. */
function markdownFolds(segment: Segment, body: Span): readonly FoldSpan<MarkdownFoldKind>[] {
  const facts = factsOf(segment)
  if (!facts || !isMarkdown(facts)) return []
  const text = withoutLiterals(segment, body)
  const { sections, fences } = markdownBlocks(text, { sections: sectionsAtMost })
  const found: FoldSpan<MarkdownFoldKind>[] = []
  for (const section of sections) {
    // Empty lines between sections stay.
    const end = visibleEnd(text, section.end)
    if (end <= section.titleEnd) continue
    found.push({ kind: 'section', from: body.from + section.start, to: body.from + end })
  }
  for (const { start, end } of fences) {
    found.push({ kind: 'code', from: body.from + start, to: body.from + end })
  }
  for (const { kind, start, end } of markdownGroups(text, fences, { groups: groupsAtMost })) {
    found.push({ kind, from: body.from + start, to: body.from + end })
  }
  return found
}

/** Where the text before `end` ends that says something. */
export function visibleEnd(text: string, end: number): number {
  let at = end
  while (at > 0 && text.charCodeAt(at - 1) <= 32) at--
  return at
}

function* literalFolds(segment: Segment): IterableIterator<FoldSpan<'literal'>> {
  let from: number | undefined
  for (const token of eachToken(tokensOf(segment))) {
    if (token.kind === TokenKind.literal) from = token.from
    if (token.kind !== TokenKind.endLiteral || from === undefined) continue
    yield { kind: 'literal', from, to: token.to }
    from = undefined
  }
}

const json = contentTypes[0]?.name

/** Bodies of JSON, and instructions, where namespaces of tools are. */
function hasBrackets(segment: Segment, { role }: MessageView): boolean {
  const facts = factsOf(segment)
  return (
    facts?.constraint === json || facts?.contentType === json || role === 'developer' || role === 'system'
  )
}

const deepest = 64 // levels

/** Pairs of `{}` and `[]` outside double-quoted strings. */
function* bracketFolds({ text }: Segment, body: Span): IterableIterator<FoldSpan<'brackets'>> {
  const open: number[] = []
  let lineStart = body.from
  let isFirstInLine = false // true where nothing but white space is before it in a line that begins in the body
  for (let at = body.from; at < body.to; at++) {
    const character = text.charAt(at)
    if (character === '"') at = endOfString(text, at, body.to)
    else if (character === '{' || character === '[') {
      if (open.length < deepest) open.push(at)
    } else if (character === '}' || character === ']') {
      const from = open.pop()
      // The line of the closing bracket stays in sight.
      if (from !== undefined && from < lineStart && isFirstInLine) {
        yield { kind: 'brackets', from, to: lineStart - 1 }
      }
    }
    // A string may end with its line.
    if (text.charCodeAt(at) === lineFeed) {
      lineStart = at + 1
      isFirstInLine = true
    } else if (isFirstInLine && character.trim() !== '') isFirstInLine = false
  }
}

/** The closing quote, or the end of the line: prose has lone quotes. */
function endOfString(text: string, from: number, to: number): number {
  for (let at = from + 1; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code === quote || code === lineFeed) return at
    if (code === backslash) at++
  }
  return to
}

const quote = 34
const backslash = 92
const lineFeed = 10
