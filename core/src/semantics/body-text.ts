/** The text of a body for the languages inside it, with the way back from its offsets to the segment. */

import type { Segment } from '../syntax/segment.ts'
import { TokenKind } from '../syntax/token-run.ts'
import { tokensOf } from '../syntax/tokenize.ts'
import type { Range, Span } from '../text/range.ts'
import type { Framing } from '../vocabulary/framing.ts'
import { ControlKind, isTerminator } from '../vocabulary/tokens.ts'
import type { MessageFacts } from './message-facts.ts'

/** A body as meant. */
export interface BodyText {
  readonly text: string
  /** Where a stretch of `text` stands in the segment. */
  spanOf(range: Range): Span
  /** The place in `text` of an offset in the segment; undefined outside the body. Its end counts as inside. */
  offsetOf(at: number): number | undefined
}

/** A stretch of a segment that stands for itself. */
export function verbatimText(segment: Segment, { from, to }: Span): BodyText {
  return new VerbatimText(segment, from, to)
}

class VerbatimText implements BodyText {
  readonly #segment: Segment
  readonly #from: number
  readonly #to: number

  constructor(segment: Segment, from: number, to: number) {
    this.#segment = segment
    this.#from = from
    this.#to = to
  }

  get text(): string {
    return this.#segment.text.slice(this.#from, this.#to)
  }

  spanOf({ start, end }: Range): Span {
    return { from: this.#from + start, to: this.#from + end }
  }

  offsetOf(at: number): number | undefined {
    return this.#from <= at && at <= this.#to ? at - this.#from : undefined
  }
}

/** The body of a message that has `<|message|>` and a terminator; undefined for others. */
export function bodyText(segment: Segment, facts: MessageFacts): BodyText | undefined {
  const { plainBodyStart, plainBodyEnd } = segment
  if (plainBodyEnd > 0) return new VerbatimText(segment, plainBodyStart, plainBodyEnd)
  return facts.isPlainBody ? plainBodyText(segment, facts) : renderedBodyText(segment)
}

/**
 * A plain body is one piece without any token in it, and there are no escapes in headers: so the first message token
 * ends the header, and the next terminator token ends the body. This saves a pass over the tokens of every message.
 */
function plainBodyText(segment: Segment, { terminator }: MessageFacts): BodyText | undefined {
  const { text, framing } = segment
  const opener = tokenText(framing, ControlKind.message)
  const closer = tokenText(framing, terminator)
  if (opener === undefined || closer === undefined) return undefined
  const openerStart = text.indexOf(opener)
  if (openerStart === -1) return undefined
  const from = openerStart + opener.length
  const to = text.indexOf(closer, from)
  if (to === -1) return undefined
  return verbatimText(segment, { from, to })
}

function tokenText({ tokens }: Framing, kind: ControlKind): string | undefined {
  return tokens.find((token) => token.kind === kind)?.text
}

function renderedBodyText(segment: Segment): BodyText | undefined {
  const pieces: { readonly at: number; readonly from: number }[] = []
  const texts: string[] = []
  const run = tokensOf(segment)
  let length = 0
  let from = 0
  let bodyStart: number | undefined
  for (let index = 0; index < run.count; index++) {
    const kind = run.kinds[index] as TokenKind
    const to = run.ends[index] ?? from
    if (bodyStart === undefined) {
      if (kind === TokenKind.message) bodyStart = to
    } else if (isTerminator(kind as ControlKind)) {
      break
    } else if (kind !== TokenKind.escape && kind !== TokenKind.literal && kind !== TokenKind.endLiteral) {
      pieces.push({ at: length, from })
      texts.push(segment.text.slice(from, to))
      length += to - from
    }
    from = to
  }
  if (bodyStart === undefined) return undefined
  const start = bodyStart
  const end = from
  const sourceOf = (offset: number) => {
    let source = start + offset
    for (const piece of pieces) {
      if (piece.at > offset) break
      source = piece.from + offset - piece.at
    }
    return source
  }
  return {
    text: texts.join(''),
    // The last character is looked up, not the offset behind it, which may belong to another piece.
    spanOf: (range) => {
      const spanStart = sourceOf(range.start)
      return { from: spanStart, to: range.end > range.start ? sourceOf(range.end - 1) + 1 : spanStart }
    },
    offsetOf: (at) => {
      if (at < start || end < at) return undefined
      let offset = 0
      for (const piece of pieces) {
        if (piece.from > at) break
        offset = piece.at + at - piece.from
      }
      return Math.min(offset, length)
    },
  }
}
