/** What is at an offset of the document: features that answer for a cursor start here. */

import type { Located } from '../document/segment-list.ts'
import { type Token, TokenKind, type TokenRun } from '../syntax/token-run.ts'
import { tokensOf } from '../syntax/tokenize.ts'
import { countWhile } from '../text/count-while.ts'
import type { Range, Span } from '../text/range.ts'
import { toRange } from '../text/range.ts'
import type { Analysis } from './analysis.ts'

/** A place in a segment. */
export interface Place extends Located {
  /** The offset relative to the segment. */
  readonly offset: number
  /** The token that contains the place; at the end of the segment, the last one. Undefined in an empty segment. */
  readonly token: Token | undefined
}

/**
 * The place at `offset`, which is clamped to the document. At a boundary the segment that starts there counts.
 */
export function placeAt(analysis: Analysis, offset: number): Place {
  const { transcript } = analysis
  const located = transcript.segmentAt(clamp(offset, transcript.length))
  return placeIn(located, clamp(offset, transcript.length) - located.start)
}

/** As {@link placeAt}, but between two segments the one that ends there: the place after what was just typed. */
export function placeBehind(analysis: Analysis, offset: number): Place {
  const place = placeAt(analysis, offset)
  if (place.offset > 0 || place.index === 0) return place
  const previous = analysis.transcript.segment(place.index - 1)
  return placeIn(previous, previous.segment.length)
}

/** The tokens that touch `offset`: the one that contains it, then the one that ends there. */
export function tokensTouching(
  analysis: Analysis,
  offset: number,
): readonly (Place & { readonly token: Token })[] {
  const containing = placeAt(analysis, offset)
  const { index, start, segment } = containing
  const behind =
    containing.offset > 0
      ? { ...containing, token: tokenAt(tokensOf(segment), containing.offset - 1) }
      : placeBehind(analysis, start)
  const places =
    containing.token?.from === behind.token?.from && index === behind.index
      ? [containing]
      : [containing, behind]
  return places.flatMap((place) => (place.token ? [{ ...place, token: place.token }] : []))
}

/** The range of `span` of the segment at `located` in the document. */
export function rangeIn({ start }: Located, span: Span): Range {
  return toRange(span, start)
}

/** The token of `run` that contains `offset`; at the end, the last one. Logarithmic. */
export function tokenAt(run: TokenRun, offset: number): Token | undefined {
  if (run.count === 0) return undefined
  const index = countWhile(run.count - 1, (it) => (run.ends[it] ?? 0) <= offset)
  return {
    kind: (run.kinds[index] ?? TokenKind.none) as TokenKind,
    from: index === 0 ? 0 : (run.ends[index - 1] ?? 0),
    to: run.ends[index] ?? 0,
  }
}

function placeIn(located: Located, offset: number): Place {
  return { ...located, offset, token: tokenAt(tokensOf(located.segment), offset) }
}

function clamp(offset: number, length: number): number {
  return Math.max(0, Math.min(offset, length))
}
