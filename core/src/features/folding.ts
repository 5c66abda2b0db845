/**
 * What can be folded: the header, turns, runs of hidden messages and of messages of one channel, messages, bodies, literal
 * blocks, JSON, tool definitions, and sections, regions, lists and code of Markdown.
 */
import type { Transcript } from '../document/transcript.ts'
import type { Analysis } from '../semantics/analysis.ts'
import { factsOf, type MessageFacts } from '../semantics/message-facts.ts'
import { foldsWithin, type SegmentFoldKind, segmentFolds } from '../semantics/segment-folds.ts'
import { isVisible } from '../semantics/visibility.ts'
import type { Segment } from '../syntax/segment.ts'
import type { Range } from '../text/range.ts'
import type { Channel } from '../vocabulary/channels.ts'

/** What is folded. A run is hidden from users; messages of one channel are all hidden, or all shown. */
export type FoldKind = SegmentFoldKind | 'turn' | 'run' | 'channel'

/** A foldable stretch of more than one line. */
export interface Fold extends Range {
  readonly kind: FoldKind
  /** The line of `start`, from 0. */
  readonly startLine: number
  /** The line of `end`; the one before if the next message begins in it, so that it stays in sight. */
  readonly endLine: number
}

/** The folds in document order, outer before inner, made one by one. Many may begin in one line: see {@link lineFolds}. */
export function* folds({ transcript }: Analysis): IterableIterator<Fold> {
  let line = 0
  let run: Placed[] = []
  for (const { segment, start, index } of transcript.segments()) {
    const facts = factsOf(segment)
    const company = companyOf(facts)
    if (run.length > 0 && (run[0]?.company !== company || run.length === longestRun)) {
      for (const fold of foldsOfRun(run)) yield fold
      run = []
    }
    const behind = line + segment.lineBreaks
    const lastLine = index === transcript.segmentCount - 1 ? behind : behind - 1
    const placed = { segment, start, line, lastLine, company, channel: channelOf(facts) }
    line = behind
    if (company !== undefined) run.push(placed)
    else {
      const found: Fold[] = []
      addWithin(found, placed)
      if (facts?.role === 'user') addTurn(found, placed, transcript, index)
      for (const fold of found) yield fold
    }
  }
  yield* foldsOfRun(run)
}

/** A segment where it is. */
interface Placed {
  readonly segment: Segment
  readonly start: number
  readonly line: number
  /** The last line in which nothing of the next segment is. */
  readonly lastLine: number
  readonly company: Company | undefined
  /** Undefined where it is unknown or in doubt. */
  readonly channel: Channel | undefined
}

const longestRun = 1000 // keeps the answer lazy; longer work between two answers folds in parts

/** What messages have in common that are in a run: that no user sees them, or the channel in which users see them. */
type Company = 'hidden' | Channel

/** Messages of the assistant and of tools run; who asks or instructs begins something else. */
function companyOf(facts: MessageFacts | undefined): Company | undefined {
  if (facts?.role !== 'assistant' && facts?.role !== 'tool') return undefined
  return isVisible(facts) ? facts.channel : 'hidden'
}

function channelOf(facts: MessageFacts | undefined): Channel | undefined {
  return facts?.isMessage && !facts.isDoubtful ? facts.channel : undefined
}

/** The folds of messages in a row that are all hidden, or all shown and of one channel. */
function foldsOfRun(run: readonly Placed[]): readonly Fold[] {
  const found: Fold[] = []
  const isHidden = run[0]?.company === 'hidden'
  if (isHidden) addRun(found, 'run', run[0], run.at(-1))
  for (let from = 0; from < run.length; ) {
    const to = endOfChannel(run, from)
    // A run that is all of one channel is the same fold.
    if (!isHidden || to - from < run.length) addRun(found, 'channel', run[from], run[to - 1])
    for (; from < to; from++) addWithin(found, run[from])
  }
  return found
}

/** Where the messages end that are of the channel of the one at `from`; without a channel, after that one. */
function endOfChannel(run: readonly Placed[], from: number): number {
  const channel = run[from]?.channel
  let to = from + 1
  while (channel !== undefined && to < run.length && run[to]?.channel === channel) to++
  return to
}

function addRun(found: Fold[], kind: 'run' | 'channel', first?: Placed, last?: Placed): void {
  if (!first || !last || first === last) return
  const { end, endLine } = segmentFolds(last.segment)
  addLines(found, {
    kind,
    start: first.start,
    end: last.start + end,
    startLine: first.line,
    endLine: Math.min(last.line + endLine, last.lastLine),
  })
}

function addLines(found: Fold[], fold: Fold): void {
  if (fold.startLine < fold.endLine) found.push(fold)
}

function addWithin(found: Fold[], placed: Placed | undefined): void {
  if (!placed) return
  const { segment, start, line } = placed
  for (const { kind, from, to, firstLine, lastLine } of foldsWithin(segment)) {
    addLines(found, {
      kind,
      start: start + from,
      end: start + to,
      startLine: line + firstLine,
      endLine: Math.min(line + lastLine, placed.lastLine),
    })
  }
}

/**
 * What follows the last message of the user in a turn, up to the next turn. It begins at the end of that message, so that
 * a question of several lines has a fold of its own, and stays to be read when the answers are folded.
 */
function addTurn(
  found: Fold[],
  { segment, start, line }: Placed,
  transcript: Transcript,
  index: number,
): void {
  let behind = line + segment.lineBreaks
  let answers = 0
  transcript.findFirstSegment((it) => {
    if (factsOf(it)?.role === 'user') return true
    behind += it.lineBreaks
    answers++
    return false
  }, index + 1)
  if (answers === 0) return
  const last = transcript.segment(index + answers)
  const lastLine = last.index === transcript.segmentCount - 1 ? behind : behind - 1
  const [question, answer] = [segmentFolds(segment), segmentFolds(last.segment)]
  addLines(found, {
    kind: 'turn',
    start: start + question.end,
    end: last.start + answer.end,
    startLine: line + question.endLine,
    endLine: Math.min(behind - last.segment.lineBreaks + answer.endLine, lastLine),
  })
}

/**
 * Those of `all` that editors show, at most `limit`. They have room for one fold in a line, which the outermost one takes,
 * and for none that overlap: a fold that ends in the line in which the next one begins leaves that line to it. Where there
 * are too many, inner kinds are given up first, all over the document; of the last kind that finds room, the longest stay.
 *
 * @param all in document order, outer before inner
 */
export function lineFolds(all: readonly Fold[], limit: number): readonly Fold[] {
  const shown: { readonly fold: Fold; endLine: number }[] = []
  const open: (typeof shown)[number][] = []
  let line = -1
  for (const fold of all) {
    const { start, startLine, endLine } = fold
    if (startLine === line) continue
    while ((open.at(-1)?.endLine ?? startLine) < startLine) open.pop()
    let depth = open.length
    while (depth > 0 && (open[depth - 1]?.endLine ?? endLine) < endLine) depth--
    const overlapping = open.slice(depth)
    if (overlapping.some((it) => it.fold.end > start)) continue
    for (const it of overlapping) it.endLine = startLine - 1
    const next = { fold, endLine }
    open.splice(depth, overlapping.length, next)
    shown.push(next)
    line = startLine
  }
  const kept = shown.filter(({ fold, endLine }) => fold.startLine < endLine)
  return withinLimit(
    kept.map(({ fold, endLine }) => (endLine === fold.endLine ? fold : { ...fold, endLine })),
    limit,
  )
}

const outermostFirst: readonly FoldKind[] = [
  'header',
  'run',
  'turn',
  'channel',
  'message',
  'body',
  'literal',
  'key',
  'section',
  'region',
  'brackets',
  'code',
  'item',
]

function withinLimit(all: readonly Fold[], limit: number): readonly Fold[] {
  if (all.length <= limit) return all
  const kept = new Set<Fold>()
  for (const kind of outermostFirst) {
    const found = all.filter((fold) => fold.kind === kind)
    const room = limit - kept.size
    if (found.length > room) found.sort((one, other) => linesOf(other) - linesOf(one)).splice(room)
    for (const fold of found) kept.add(fold)
    if (kept.size === limit) break
  }
  return all.filter((fold) => kept.has(fold))
}

function linesOf({ startLine, endLine }: Fold): number {
  return endLine - startLine
}
