/**
 * What can be folded within a segment, in characters and lines from its start, and remembered with it: after a keystroke,
 * the folds of all other messages only have to be put where they are now.
 */
import { lineStartsOf } from '../document/line-starts.ts'
import type { HeaderEntry } from '../embedded/yaml-header.ts'
import { viewMessage } from '../syntax/message-view.ts'
import { preambleView } from '../syntax/preamble-view.ts'
import type { Segment } from '../syntax/segment.ts'
import { nextLineBreak } from '../text/line-breaks.ts'
import { perValue } from '../text/memo.ts'
import { headerOf } from './document-settings.ts'
import { type FoldSpan, type MessageFoldKind, messageFolds, visibleEnd } from './message-folds.ts'

/** What is folded within a segment. */
export type SegmentFoldKind = MessageFoldKind | 'header' | 'key'

/** A stretch of more than one line. */
export interface SegmentFold extends FoldSpan<SegmentFoldKind> {
  /** Line breaks between the start of the segment and `from`. */
  readonly firstLine: number
  /** Line breaks between the start of the segment and `to`. */
  readonly lastLine: number
}

/** The folds of a segment. */
export interface SegmentFolds {
  /** Where its visible part ends: white space and stray text after a message stay outside. */
  readonly end: number
  /** Line breaks between the start of the segment and `end`. */
  readonly endLine: number
  /** In order of the text, outer before inner. */
  readonly folds: readonly SegmentFold[]
}

/** The folds of `segment`, and where they may end. */
export function segmentFolds(segment: Segment): SegmentFolds {
  return isOneLine(segment) ? { end: endOf(segment), endLine: 0, folds: none } : foldsOverLines(segment)
}

/** The folds of `segment` alone. */
export function foldsWithin(segment: Segment): readonly SegmentFold[] {
  return isOneLine(segment) ? none : foldsOverLines(segment).folds
}

const none: readonly SegmentFold[] = []

/** Remembered, which most messages of a large document are not worth: they are in one line. */
const foldsOverLines = perValue((segment: Segment): SegmentFolds => {
  const end = endOf(segment)
  const starts = lineStartsOf(segment)
  const folds: SegmentFold[] = []
  for (const { kind, from, to } of spansIn(segment, end)) {
    const firstLine = starts.countUpTo(from)
    const lastLine = starts.countUpTo(to)
    if (firstLine < lastLine) folds.push({ kind, from, to, firstLine, lastLine })
  }
  return { end, endLine: starts.countUpTo(end), folds }
})

/** True if nothing but white space is after the first line. */
function isOneLine({ text, lineBreaks, length }: Segment): boolean {
  if (lineBreaks === 0) return true
  const visible = visibleEnd(text, length)
  return nextLineBreak(text, 0, visible) === visible
}

function endOf(segment: Segment): number {
  return visibleEnd(segment.text, isWhole(segment) ? segment.length : viewMessage(segment).end)
}

/** True if all that is visible in the segment belongs to it. */
function isWhole({ kind, plainBodyEnd }: Segment): boolean {
  return kind !== 'message' || plainBodyEnd > 0
}

function spansIn(segment: Segment, end: number): Iterable<FoldSpan<SegmentFoldKind>> {
  switch (segment.kind) {
    case 'preamble':
      return headerFolds(segment)
    case 'message':
      return messageFolds(segment, end)
    case 'file':
    case 'fim':
      return [{ kind: 'body', from: 0, to: end }]
    default:
      return segment.kind satisfies never
  }
}

function* headerFolds(preamble: Segment): IterableIterator<FoldSpan<SegmentFoldKind>> {
  const { yaml, fences } = preambleView(preamble)
  const { text } = preamble
  const from = fences[0]?.from ?? (yaml && yaml.from + text.slice(yaml.from, yaml.to).search(/\S|$/))
  if (from === undefined) return
  const to = fences.length > 1 ? (fences.at(-1)?.to ?? from) : visibleEnd(text, yaml?.to ?? from)
  yield { kind: 'header', from, to }
  const { yaml: header, offset } = headerOf(preamble)
  for (const entry of header.entries) yield* entryFolds(text, entry, offset)
}

function* entryFolds(text: string, entry: HeaderEntry, offset: number): IterableIterator<FoldSpan<'key'>> {
  const from = offset + entry.range.start
  yield { kind: 'key', from, to: Math.max(from, visibleEnd(text, offset + entry.range.end)) }
  for (const child of entry.children) yield* entryFolds(text, child, offset)
}
