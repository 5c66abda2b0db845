/** The text of a body for the languages inside it, with the way back from its offsets to the segment. */

import { viewMessage } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import { TokenKind } from '../syntax/token-run.ts'
import { tokensOf } from '../syntax/tokenize.ts'
import { lastUpTo } from '../text/count-while.ts'
import type { Range, Span } from '../text/range.ts'
import type { Framing } from '../vocabulary/framing.ts'
import { ControlKind, isTerminator } from '../vocabulary/tokens.ts'
import type { MessageFacts } from './message-facts.ts'

/** A body as meant. */
export interface BodyText {
  readonly text: string
  /** Where a stretch of `text` is in the segment. */
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

/** The body of a message whose header and body are ended; undefined for others. */
export function bodyText(segment: Segment, facts: MessageFacts): BodyText | undefined {
  const { framing, plainBodyStart, plainBodyEnd } = segment
  if (plainBodyEnd > 0) return new VerbatimText(segment, plainBodyStart, plainBodyEnd)
  if (framing.headerEnd === 'line-break') return textOfTurn(segment)
  return facts.isPlainBody ? plainBodyText(segment, facts) : renderedBodyText(segment)
}

/** A turn of 0.1 and 1.x has no escapes: its body is as written. */
function textOfTurn(segment: Segment): BodyText | undefined {
  const { body, terminator } = viewMessage(segment)
  return body && terminator ? verbatimText(segment, body) : undefined
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
  const run = tokensOf(segment)
  let rendered: RenderedText | undefined
  let from = 0
  for (let index = 0; index < run.count; index++) {
    const kind = run.kinds[index] as TokenKind
    const to = run.ends[index] ?? from
    if (!rendered) {
      if (kind === TokenKind.message) rendered = new RenderedText(segment.text, to)
    } else if (isTerminator(kind as ControlKind)) {
      break
    } else if (kind === TokenKind.escape || kind === TokenKind.literal || kind === TokenKind.endLiteral) {
      rendered.leaveOut(from, to)
    }
    from = to
  }
  rendered?.endAt(from)
  return rendered
}

/** What is left of a stretch of a segment. Its pieces are in two parallel arrays, because a body can have a million of them. */
class RenderedText implements BodyText {
  readonly #source: string
  readonly #start: number
  /** Where each piece begins in the segment, and in the text. */
  readonly #sources: number[]
  readonly #places: number[] = [0]
  readonly #pieces: string[] = []
  #end: number
  #length = 0
  #text: string | undefined

  constructor(source: string, start: number) {
    this.#source = source
    this.#start = start
    this.#sources = [start]
    this.#end = start
  }

  /** Leaves out what is between two offsets, after what was left out before. */
  leaveOut(from: number, to: number): void {
    this.endAt(from)
    this.#sources.push(to)
    this.#places.push(this.#length)
  }

  /** The last piece ends at `end`. */
  endAt(end: number): void {
    this.#pieces.push(this.#source.slice(this.#sources.at(-1), end))
    this.#length += end - (this.#sources.at(-1) ?? end)
    this.#end = end
  }

  get text(): string {
    this.#text ??= this.#pieces.join('')
    return this.#text
  }

  spanOf({ start, end }: Range): Span {
    // The last character is looked up, not the offset after it, which may belong to another piece.
    const from = this.#sourceOf(start)
    return { from, to: end > start ? this.#sourceOf(end - 1) + 1 : from }
  }

  offsetOf(at: number): number | undefined {
    if (at < this.#start || this.#end < at) return undefined
    const piece = lastUpTo(this.#sources, at)
    const offset = (this.#places[piece] ?? 0) + at - (this.#sources[piece] ?? 0)
    return Math.min(offset, this.#places[piece + 1] ?? this.#length)
  }

  #sourceOf(offset: number): number {
    const piece = lastUpTo(this.#places, offset)
    return (this.#sources[piece] ?? 0) + offset - (this.#places[piece] ?? 0)
  }
}
