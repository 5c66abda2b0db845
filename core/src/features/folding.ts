/**
 * What can be folded: the header, turns, messages, runs of hidden messages, bodies, literal blocks, JSON, tool definitions,
 * and sections and code of Markdown.
 */

import type { Located } from '../document/segment-list.ts'
import { markdownBlocks } from '../embedded/markdown-blocks.ts'
import type { HeaderEntry } from '../embedded/yaml-header.ts'
import type { Analysis } from '../semantics/analysis.ts'
import { isMarkdown, withoutLiterals } from '../semantics/body-parts.ts'
import { factsOf } from '../semantics/message-facts.ts'
import { isVisible } from '../semantics/visibility.ts'
import { type MessageView, viewMessage } from '../syntax/message-view.ts'
import { preambleView } from '../syntax/preamble-view.ts'
import type { Segment } from '../syntax/segment.ts'
import { eachToken, TokenKind } from '../syntax/token-run.ts'
import { tokensOf } from '../syntax/tokenize.ts'
import { nextLineBreak } from '../text/line-breaks.ts'
import { perValue } from '../text/memo.ts'
import type { Range, Span } from '../text/range.ts'
import { contentTypes } from '../vocabulary/attributes.ts'

/** What is folded. */
export type FoldKind =
  | 'header'
  | 'key'
  | 'turn'
  | 'run'
  | 'message'
  | 'body'
  | 'literal'
  | 'brackets'
  | 'section'
  | 'code'

/** A foldable stretch of the document. Whether it covers more than a line is for the editor to see. */
export interface Fold extends Range {
  readonly kind: FoldKind
}

/** The folds in document order, outer before inner, made one by one. Stretches within one line are left out. */
export function* folds(analysis: Analysis): IterableIterator<Fold> {
  const { transcript } = analysis
  let run: Located[] = []
  for (const located of transcript.segments()) {
    if (isInRun(located.segment)) {
      run.push(located)
      if (run.length < longestRun) continue
    }
    yield* foldsOfRun(run)
    if (run.length === 0 || run.at(-1) !== located) {
      yield* foldsOfSegment(analysis, located)
      yield* foldOfTurn(analysis, located)
    }
    run = []
  }
  yield* foldsOfRun(run)
}

/**
 * What follows the last message of the user in a turn, up to the next turn. It begins at the end of that message, so that
 * a question of several lines has a fold of its own, and stays to be read when the answers are folded.
 */
function* foldOfTurn({ transcript }: Analysis, { segment, start, index }: Located): IterableIterator<Fold> {
  if (factsOf(segment)?.role !== 'user') return
  let last: Located | undefined
  for (const located of transcript.segments(index + 1)) {
    if (factsOf(located.segment)?.role === 'user') break
    last = located
  }
  if (last) yield { kind: 'turn', start: start + endOf(segment), end: last.start + endOf(last.segment) }
}

const longestRun = 1000 // keeps the answer lazy; longer work between two answers folds in parts

/** Hidden messages of the assistant and of tools: the work between what users see. */
function isInRun(segment: Segment): boolean {
  const facts = factsOf(segment)
  return facts !== undefined && (facts.role === 'assistant' || facts.role === 'tool') && !isVisible(facts)
}

function* foldsOfRun(run: readonly Located[]): IterableIterator<Fold> {
  const [first] = run
  const last = run.at(-1)
  if (first && last && first !== last) {
    yield { kind: 'run', start: first.start, end: last.start + endOf(last.segment) }
  }
  for (const located of run) yield* foldsOfMessage(located)
}

function* foldsOfSegment(analysis: Analysis, located: Located): IterableIterator<Fold> {
  const { segment, start } = located
  switch (segment.kind) {
    case 'preamble':
      yield* foldsOfHeader(analysis, start)
      break
    case 'message':
      yield* foldsOfMessage(located)
      break
    case 'file':
    case 'fim':
      yield* ifManyLines(segment, { kind: 'body', from: 0, to: endOf(segment) }, start)
      break
    default:
      segment.kind satisfies never
  }
}

/** Where the visible part of a segment ends: white space and stray text behind a message stay outside. */
function endOf(segment: Segment): number {
  return segment.kind === 'message'
    ? trimmedEnd(segment, viewMessage(segment).end)
    : trimmedEnd(segment, segment.length)
}

function trimmedEnd({ text }: Segment, end: number): number {
  let at = end
  while (at > 0 && text.charCodeAt(at - 1) <= 32) at--
  return at
}

function* foldsOfHeader(analysis: Analysis, start: number): IterableIterator<Fold> {
  const { preamble } = analysis
  const { yaml, fences } = preambleView(preamble)
  const from = fences[0]?.from ?? (yaml && firstVisible(preamble, yaml))
  if (from === undefined) return
  const to = fences.length > 1 ? (fences.at(-1)?.to ?? from) : trimmedEnd(preamble, yaml?.to ?? from)
  yield* ifManyLines(preamble, { kind: 'header', from, to }, start)
  const { yaml: header, offset } = analysis.header
  for (const entry of header.entries) yield* foldsOfEntry(preamble, entry, start + offset)
}

function* foldsOfEntry(preamble: Segment, entry: HeaderEntry, origin: number): IterableIterator<Fold> {
  const span = { kind: 'key' as const, from: origin + entry.range.start, to: origin + entry.range.end }
  yield* ifManyLines(preamble, { ...span, to: Math.max(span.from, trimmedEnd(preamble, span.to)) }, 0)
  for (const child of entry.children) yield* foldsOfEntry(preamble, child, origin)
}

function firstVisible({ text }: Segment, { from, to }: Span): number {
  let at = from
  while (at < to && text.charCodeAt(at) <= 32) at++
  return at
}

function* foldsOfMessage(located: Located): IterableIterator<Fold> {
  const { segment, start } = located
  if (isOneLine(segment)) return
  const view = viewMessage(segment)
  yield* ifManyLines(segment, { kind: 'message', from: 0, to: endOf(segment) }, start)
  if (!view.body) return
  if (hasLineBreak(segment, 0, view.body.from - 1)) {
    yield* ifManyLines(
      segment,
      { kind: 'body', from: view.message?.from ?? view.body.from, to: endOf(segment) },
      start,
    )
  }
  const inner = [
    ...(view.isPlainBody ? [] : foldsOfLiterals(located)),
    ...(view.isPlainBody && hasBrackets(segment, view) ? foldsOfBrackets(located, view.body) : []),
    ...foldsOfMarkdown(located),
  ]
  yield* inner.sort((one, other) => one.start - other.start || other.end - one.end)
}

const sectionsAtMost = 1000 // of one message

interface MarkdownFold extends Span {
  readonly kind: 'section' | 'code'
}

/** Sections below a heading, and fenced code. */
function* foldsOfMarkdown({ segment, start }: Located): IterableIterator<Fold> {
  for (const { kind, from, to } of markdownFolds(segment))
    yield { kind, start: start + from, end: start + to }
}

const markdownFolds = perValue((segment: Segment): readonly MarkdownFold[] => {
  const facts = factsOf(segment)
  const { body } = viewMessage(segment)
  if (!facts || !body || !isMarkdown(facts)) return []
  const text = withoutLiterals(segment, body)
  const { sections, fences } = markdownBlocks(text, { sections: sectionsAtMost })
  const found: MarkdownFold[] = []
  for (const section of sections) {
    const end = lineEndBefore(text, section.end)
    if (end <= section.titleEnd) continue
    found.push({ kind: 'section', from: body.from + section.start, to: body.from + end })
  }
  for (const { start, end } of fences) {
    found.push({ kind: 'code', from: body.from + start, to: body.from + end })
  }
  return found
})

/** Where the last line ends that says something: empty lines between sections stay. */
function lineEndBefore(text: string, end: number): number {
  let at = end
  while (at > 0 && text.charCodeAt(at - 1) <= 32) at--
  return at
}

/** True if nothing but white space stands behind the first line: most messages of a large file. */
function isOneLine(segment: Segment): boolean {
  return !hasLineBreak(segment, 0, trimmedEnd(segment, segment.length))
}

function* foldsOfLiterals({ segment, start }: Located): IterableIterator<Fold> {
  let from: number | undefined
  for (const token of eachToken(tokensOf(segment))) {
    if (token.kind === TokenKind.literal) from = token.from
    if (token.kind !== TokenKind.endLiteral || from === undefined) continue
    yield* ifManyLines(segment, { kind: 'literal', from, to: token.to }, start)
    from = undefined
  }
}

const json = contentTypes[0]?.name

/** Bodies of JSON, and instructions, where namespaces of tools stand. */
function hasBrackets(segment: Segment, { role }: MessageView): boolean {
  const facts = factsOf(segment)
  return (
    facts?.constraint === json || facts?.contentType === json || role === 'developer' || role === 'system'
  )
}

const deepest = 64 // levels; nobody folds deeper

/** Pairs of `{}` and `[]` outside double-quoted strings, outer before inner. */
function* foldsOfBrackets({ segment, start }: Located, body: Span): IterableIterator<Fold> {
  const { text } = segment
  const open: number[] = []
  const found: Span[] = []
  for (let at = body.from; at < body.to; at++) {
    const character = text.charAt(at)
    if (character === '"') at = endOfString(text, at, body.to)
    else if (character === '{' || character === '[') {
      if (open.length < deepest) open.push(at)
    } else if (character === '}' || character === ']') {
      const from = open.pop()
      if (from !== undefined) found.push({ from, to: at })
    }
  }
  found.sort((one, other) => one.from - other.from)
  for (const { from, to } of found) {
    // The line of the closing bracket stays in sight.
    const lineStart = startOfLine(text, to)
    if (text.slice(lineStart, to).trim() !== '') continue
    if (hasLineBreak(segment, from, lineStart - 1))
      yield { kind: 'brackets', start: start + from, end: start + lineStart - 1 }
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

function startOfLine(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1
}

function* ifManyLines(
  segment: Segment,
  { kind, from, to }: Span & { readonly kind: FoldKind },
  start: number,
): IterableIterator<Fold> {
  if (from < to && hasLineBreak(segment, from, to)) yield { kind, start: start + from, end: start + to }
}

function hasLineBreak({ text, lineBreaks }: Segment, from: number, to: number): boolean {
  if (lineBreaks === 0 || from >= to) return false
  return nextLineBreak(text, from, to) < to
}

const quote = 34
const backslash = 92
const lineFeed = 10
