/**
 * Finds the `namespace NAME { … }` blocks of a body and cuts them into members, each a text of its own: what is wrong in
 * one member stays in it. Types are not read here. One pass; strings and comments are skipped, brackets are counted.
 */
import { lineStartAt, nextLineBreak } from '../text/line-breaks.ts'
import { localize } from '../text/localize.ts'
import type { Range } from '../text/range.ts'
import { firstLine, trimmedEnd } from './embedded-problem.ts'
import type { DefinitionProblem } from './tool-definition.ts'

/** A member of a namespace: `type NAME = …`. */
export interface NamespaceMember {
  readonly name: string
  readonly nameRange: Range
  /** From `type` to the semicolon. */
  readonly range: Range
  /** The comments above. */
  readonly description: string
  /** Where the comments above begin, or the member itself. */
  readonly start: number
  /** False if its brackets do not close before the next member begins. */
  readonly isClosed: boolean
}

/** A namespace block. */
export interface NamespaceBlock {
  readonly name: string
  readonly nameRange: Range
  readonly range: Range
  readonly description: string
  readonly members: readonly NamespaceMember[]
  readonly problems: readonly DefinitionProblem[]
}

const keyword = 'namespace'
const blockOpening = /namespace[ \t]+([^\s{]+)\s*\{/y
const memberOpening = /(?:export[ \t]+|declare[ \t]+)*type[ \t]+([^\s=]+)[ \t]*=/y
/** What can only begin something new, so that whatever is still open was never closed. */
const resynchronisation =
  /[ \t]*(?:(?:export[ \t]+|declare[ \t]+)*type[ \t]+[^\s=]+[ \t]*=|\}[ \t]*\/\/[ \t]*namespace\b|namespace[ \t]+[^\s{]+\s*\{|#{1,3}[ \t])/y

/** The blocks of `text` in order. */
export function namespaceBlocks(text: string): readonly NamespaceBlock[] {
  const blocks: NamespaceBlock[] = []
  let at = 0
  for (;;) {
    const found = text.indexOf(keyword, at)
    if (found === -1) return blocks
    const opening = /^[ \t]*(?:(?:export|declare)[ \t]+)*$/.test(lineBefore(text, found))
      ? matchAt(blockOpening, text, found)
      : undefined
    if (opening) {
      const block = readBlock(text, found, opening)
      blocks.push(block)
      at = block.range.end
    } else at = found + keyword.length
  }
}

function readBlock(text: string, start: number, opening: RegExpExecArray): NamespaceBlock {
  const name = opening[1] ?? ''
  const nameStart = text.indexOf(name, start + keyword.length)
  const nameRange = { start: nameStart, end: nameStart + name.length }
  const members: NamespaceMember[] = []
  const problems: DefinitionProblem[] = []
  const lineStart = start - lineBefore(text, start).length
  const description = commentText(text.slice(commentsAbove(text, lineStart), lineStart))
  let at = start + opening[0].length
  const done = (end: number): NamespaceBlock => ({
    name,
    nameRange,
    range: { start, end },
    description,
    members,
    problems,
  })
  for (;;) {
    at = skipBlank(text, at)
    if (text.charAt(at) === '}') return done(at + 1)
    const member = matchAt(memberOpening, text, at)
    if (member) {
      const { end, isClosed } = memberEnd(text, at + member[0].length)
      members.push(memberAt(text, at, { match: member, end, isClosed }))
      at = end
      continue
    }
    const isOver = at >= text.length || matchAt(resynchronisation, text, at) !== undefined
    if (isOver) {
      problems.push({
        kind: 'unclosed-namespace',
        range: nameRange,
        message: localize`The namespace is not closed`,
      })
      return done(at)
    }
    const stray = firstLine(text, at, text.length)
    if (problems.length === 0) {
      const message = localize`A namespace holds definitions of the form \`type NAME = (_: { … }) => any;\``
      problems.push({ kind: 'stray-text', range: stray, message })
    }
    at = Math.max(stray.end, at + 1)
  }
}

interface FoundMember {
  readonly match: RegExpExecArray
  readonly end: number
  readonly isClosed: boolean
}

function memberAt(text: string, at: number, { match, end, isClosed }: FoundMember): NamespaceMember {
  const name = match[1] ?? ''
  const nameStart = at + match[0].lastIndexOf(name, match[0].length - 2)
  const lineStart = at - lineBefore(text, at).length
  const start = commentsAbove(text, lineStart)
  return {
    name,
    nameRange: { start: nameStart, end: nameStart + name.length },
    range: { start: at, end: trimmedEnd(text, at, end) },
    description: commentText(text.slice(start, lineStart)),
    start: start < lineStart ? start : at,
    isClosed,
  }
}

// After `type NAME =`.
//
//   type get_weather = (_: {
//                     ^
function memberEnd(text: string, from: number): { readonly end: number; readonly isClosed: boolean } {
  const closers: string[] = []
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at)
    switch (character) {
      case '/':
        at = commentEnd(text, at)
        break
      case '"':
      case "'":
      case '`':
        at = stringEnd(text, at)
        break
      case '(':
        closers.push(')')
        break
      case '[':
        closers.push(']')
        break
      case '{':
        closers.push('}')
        break
      case ')':
      case ']':
      case '}':
        if (closers.at(-1) === character) closers.pop()
        else if (character === '}' && mayCloseNamespace(text, at, closers)) {
          return { end: at, isClosed: closers.length === 0 }
        }
        break
      case ';':
        if (closers.length === 0) return { end: at + 1, isClosed: true }
        break
      case '\n':
      case '\r':
        if (matchAt(resynchronisation, text, at + 1)) {
          return { end: commentsAbove(text, at + 1), isClosed: closers.length === 0 }
        }
        break
      default:
    }
  }
  return { end: text.length, isClosed: closers.length === 0 }
}

/** A `}` that closes nothing of the member closes the namespace; inside brackets, only at the beginning of a line. */
function mayCloseNamespace(text: string, at: number, closers: readonly string[]): boolean {
  return closers.length === 0 || (!closers.includes('}') && lineBefore(text, at).trim() === '')
}

/** The last character of the comment that begins at `at`; `at` if none does. The line break stays outside. */
function commentEnd(text: string, at: number): number {
  const next = text.charAt(at + 1)
  if (next === '/') return nextLineBreak(text, at) - 1
  if (next !== '*') return at
  const end = text.indexOf('*/', at + 2)
  return end === -1 ? text.length : end + 1
}

/** The closing quote, or the last character of the line: enum values come unescaped, and prose has lone quotes. */
function stringEnd(text: string, from: number): number {
  const quote = text.charAt(from)
  for (let at = from + 1; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === quote) return at
    if (character === '\n' || character === '\r') return at - 1
    if (character === '\\') at++
  }
  return text.length
}

/** After white space and comments. */
function skipBlank(text: string, from: number): number {
  let at = from
  for (;;) {
    while (at < text.length && text.charAt(at).trim() === '') at++
    if (text.charAt(at) !== '/') return at
    const end = commentEnd(text, at)
    if (end === at) return at
    at = end + 1
  }
}

/** Where the run of comment lines directly above `lineStart` begins; `lineStart` if there is none. */
function commentsAbove(text: string, lineStart: number): number {
  let start = lineStart
  while (start > 0) {
    const end = text.charAt(start - 1) === '\n' && text.charAt(start - 2) === '\r' ? start - 2 : start - 1
    const previous = end - lineBefore(text, end).length
    if (!/^[ \t]*(?:\/\/|\/\*|\*)/.test(text.slice(previous, Math.min(end, previous + 200)))) break
    start = previous
  }
  return start
}

/** Comment lines without their markers. */
export function commentText(comments: string): string {
  return commentLines(comments).join('\n').trim()
}

/** The lines of `comments` without markers and one space after them; a bare marker gives an empty line. */
export function commentLines(comments: string): readonly string[] {
  return (
    comments
      .split(/\r\n|\n|\r/)
      // Linear: from the beginning, and each run ends where the next begins.
      .map((line) => withoutCloser(line.replace(/^[ \t]*(?:\/\/|\/\*+|\*(?!\/))? ?/, '')))
  )
}

function withoutCloser(line: string): string {
  const content = line.trimEnd()
  return content.endsWith('*/') ? content.slice(0, -'*/'.length).trimEnd() : line
}

const longestIndent = 1000 // code units; looking back further would make long lines quadratic

/** The text of the line before `at`, or the end of it where the line is very long. */
function lineBefore(text: string, at: number): string {
  return text.slice(lineStartAt(text, at, Math.max(0, at - longestIndent)), at)
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}
