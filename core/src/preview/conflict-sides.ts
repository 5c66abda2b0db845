/** The two sides of a merge conflict in a message. */

import type { ConflictSide, SegmentConflicts } from '../semantics/merge-conflicts.ts'
import type { ContentPart } from '../semantics/message.ts'
import { visiblePiecesBetween } from '../semantics/visibility.ts'
import { piecesBetween } from '../syntax/body.ts'
import { messageSegment } from '../syntax/message-segment.ts'
import { bodySpan } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import { eachToken, TokenKind } from '../syntax/token-run.ts'
import { tokensOf } from '../syntax/tokenize.ts'
import { afterLineBreak, lineSummary } from '../text/line-breaks.ts'
import type { Span } from '../text/range.ts'

/** Part of a message: of what users see of it, or of all of it. */
export interface ConflictStretch {
  /** The side of a conflict that it is from; absent for what both sides have. */
  readonly side?: ConflictSide
  /** Undefined for a side that can't be read without the other one. */
  readonly parts: readonly ContentPart[] | undefined
  /** Its first line in the body, zero-based. */
  readonly line: number
}

/**
 * What users see of `segment`, apart by the sides of its conflicts and without their markers; undefined if none of it is from a
 * side, or the message is hidden. A side is never read alone: it is a part of the body as it is read with the markers in it. Only
 * where a side ends the message does the other one continue the same header and body (see {@link otherSides}).
 */
export function visibleSides(
  segment: Segment,
  conflicts: SegmentConflicts,
): readonly ConflictStretch[] | undefined {
  return sidesOf(segment, conflicts, asSeen)
}

/**
 * As {@link visibleSides}, of a message whether or not it is hidden, and private blocks included: only for readers who asked for
 * hidden text.
 */
export function allSides(
  segment: Segment,
  conflicts: SegmentConflicts,
): readonly ConflictStretch[] | undefined {
  return sidesOf(segment, conflicts, asMeant)
}

/** What of a message is read. */
interface Reading {
  /** The body between each two of `cuts`, which are in it and in order. */
  piecesBetween(segment: Segment, cuts: readonly number[]): readonly (readonly ContentPart[])[]
  /** What a side may have that is read in place of another one. */
  readonly tokens: ReadonlySet<TokenKind>
}

function sidesOf(
  segment: Segment,
  conflicts: SegmentConflicts,
  reading: Reading,
): readonly ConflictStretch[] | undefined {
  const body = bodySpan(segment)
  if (!body) return undefined
  const { text } = segment
  const { sides } = conflicts
  const cuts = [body.from]
  for (const { from, to } of conflicts.markers) {
    if (body.from <= from && from < body.to) cuts.push(from, Math.min(body.to, afterLineBreak(text, to)))
  }
  cuts.push(body.to)

  const stretches: ConflictStretch[] = []
  let line = 0
  let next = 0 // the first side that may contain a stretch
  let isFenced = false
  const pieces = reading.piecesBetween(segment, cuts)
  for (let index = 0; index < pieces.length; index++) {
    const parts = pieces[index] ?? []
    const [from = 0, to = 0] = cuts.slice(index, index + 2)
    while (next < sides.length && (sides[next]?.to ?? 0) < to) next++
    const side = sides[next]
    const isMarker = index % 2 === 1
    if (isMarker && isFenced && conflicts.starts.some((it) => it.isInBody && it.span.from === from)) {
      return undefined // code about a conflict, or with one: it is shown as it is written
    }
    const written = parts.map((it) => it.text).join('')
    const isSide = side !== undefined && side.from <= from
    const isWholeSide = isSide && index > 0 && index < pieces.length - 1
    if (!isMarker && (isWholeSide || written.trim() !== ''))
      stretches.push({ ...(isSide && { side: side.side }), parts, line })
    if (countFences(written) % 2 === 1) isFenced = !isFenced
    line += lineSummary(written).lineBreaks
  }
  if (pieces.length > 0) stretches.push(...otherSides(segment, conflicts, reading, { body, line }))
  return stretches.some(({ side }) => side !== undefined) ? stretches : undefined
}

/** The tokens of a body that has no header and no open literal block in it. */
const ofBody: ReadonlySet<TokenKind> = new Set([
  TokenKind.text,
  TokenKind.escape,
  TokenKind.escapedToken,
  TokenKind.literal,
  TokenKind.literalText,
  TokenKind.endLiteral,
  TokenKind.thoughtStart,
  TokenKind.thoughtEnd,
  TokenKind.end,
  TokenKind.return,
  TokenKind.blank,
])

const asSeen: Reading = { piecesBetween: visiblePiecesBetween, tokens: ofBody }

const asMeant: Reading = {
  piecesBetween: (segment, cuts) =>
    piecesBetween(segment, cuts).map((pieces) => [
      { kind: 'literal', text: pieces.map(({ text }) => text).join('') },
    ]),
  tokens: new Set([
    ...ofBody,
    TokenKind.call,
    TokenKind.functionList,
    TokenKind.functionCall,
    TokenKind.functionOutput,
  ]),
}

/**
 * The other sides of the conflict in which the body ends: `One\n<<<<<<<\ntwo<|end|>\n=======\nzwei<|end|>\n>>>>>>>`. The message
 * is read again with each of them in place of the first one, up to the end of the side, and is shown if it is visible then. If
 * it has tokens that belong to no body, nothing of the side is shown.
 */
function otherSides(
  { text, framing }: Segment,
  { starts, sides }: SegmentConflicts,
  reading: Reading,
  { body, line }: { readonly body: Span; readonly line: number },
): readonly ConflictStretch[] {
  const index = starts.findLastIndex(
    ({ span, isInBody }) => !isInBody && body.from <= span.from && span.to <= body.to,
  )
  const from = starts[index]?.span.from
  if (from === undefined) return []
  const limit = starts[index + 1]?.span.from ?? text.length
  return sides.flatMap((it) => {
    if (it.from < body.to || limit < it.to) return []
    const side = text.slice(Math.min(it.to, afterLineBreak(text, it.from)), it.to)
    if (side.trim() === '') return []
    const message = messageSegment(text.slice(0, from) + side, framing)
    const [parts] = isAllBody(message, reading.tokens)
      ? reading.piecesBetween(message, bodyFrom(message, from))
      : []
    return [{ side: it.side, parts, line }]
  })
}

function bodyFrom(message: Segment, from: number): readonly number[] {
  return [from, bodySpan(message)?.to ?? from]
}

function isAllBody(message: Segment, tokens: Reading['tokens']): boolean {
  let isBody = false
  for (const { kind } of eachToken(tokensOf(message))) {
    if (isBody && !tokens.has(kind)) return false
    isBody ||= kind === TokenKind.message || kind === TokenKind.headerEnd
  }
  return true
}

/** How many lines of `text` open or close a block of code. */
function countFences(text: string): number {
  // Linear: the blanks are three at most.
  return text.match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0
}
