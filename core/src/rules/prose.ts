/** Searches what a message says, without what it quotes: literal blocks and code in backticks. */
import { bodyText } from '../semantics/body-text.ts'
import type { Segment } from '../syntax/segment.ts'
import { TokenKind } from '../syntax/token-run.ts'
import { tokensOf } from '../syntax/tokenize.ts'
import type { Span } from '../text/range.ts'
import type { MessageContext } from './rule.ts'

/** A place in a body that says something. */
export interface ProseMatch {
  /** Where it is in the segment. */
  readonly span: Span
  /** The match; its index is relative to the body. */
  readonly match: RegExpExecArray
}

/**
 * The places, in order and as far as they are asked for, where `pattern`, which is global, matches the body of a message that ends; not in literal blocks, not in
 * backticks, and not in fenced code.
 */
export function* proseMatches(context: MessageContext, pattern: RegExp): IterableIterator<ProseMatch> {
  const { segment, facts } = context
  const body = bodyText(segment, facts)
  if (!body) return
  let quotes: ((at: number) => boolean) | undefined
  let literals: ((at: number) => boolean) | undefined
  for (const match of body.text.matchAll(pattern)) {
    if (isInBackticks(body.text, match.index)) continue
    const span = body.spanOf({ start: match.index, end: match.index + match[0].length })
    quotes ??= quotesOf(body.text)
    if (quotes(match.index)) continue
    if (!facts.isPlainBody) {
      literals ??= literalsOf(segment)
      if (literals(span.from)) continue
    }
    yield { span, match }
  }
}

/** A look that costs next to nothing: false only if `character` is nowhere in the body. */
export function bodyHas({ text, plainBodyStart, plainBodyEnd }: Segment, character: string): boolean {
  if (plainBodyEnd === 0) return true
  const at = text.indexOf(character, plainBodyStart)
  return at !== -1 && at < plainBodyEnd
}

const longestSpan = 500 // code units of code in backticks that are looked at, to either side

/** True directly after a backtick, and between two on the same line. */
function isInBackticks(text: string, at: number): boolean {
  if (text.charAt(at - 1) === '`') return true
  const before = text.slice(Math.max(0, at - longestSpan), at)
  const line = before.slice(before.lastIndexOf('\n') + 1)
  if (line.split('`').length % 2 === 1) return false
  const behind = text.slice(at, at + longestSpan)
  const end = behind.indexOf('`')
  const lineEnd = behind.indexOf('\n')
  return end !== -1 && (lineEnd === -1 || end < lineEnd)
}

/** Whether an offset of the segment is in a literal block. Asked in order of the text. */
function literalsOf(segment: Segment): (at: number) => boolean {
  const run = tokensOf(segment)
  let index = 0
  return (at) => {
    while (index < run.count && (run.ends[index] ?? 0) <= at) index++
    return index < run.count && run.kinds[index] === TokenKind.literalText
  }
}

/** Finds out whether an offset is in fenced code. Asked in order of the text. */
function quotesOf(text: string): (at: number) => boolean {
  // Asked at every keystroke: looking for three characters alone takes no time.
  const mayHaveFences = text.includes('```') || text.includes('~~~')
  const fences = mayHaveFences ? [...text.matchAll(/^[ \t]*(?:```|~~~)/gm)].map(({ index }) => index) : []
  let nBefore = 0
  return (at) => {
    while ((fences[nBefore] ?? at) < at) nBefore++
    return nBefore % 2 === 1
  }
}
