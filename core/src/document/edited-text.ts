/** A text to which many edits are applied before it is read: an edit costs a small piece of it, whatever its messages are. */
import { Segment } from '../syntax/segment.ts'
import { lineSummary } from '../text/line-breaks.ts'
import type { Position, TextEdit } from '../text/range.ts'
import { chatml } from '../vocabulary/chatml-framing.ts'
import { beforeLineBreakPair } from './line-starts.ts'
import { SegmentList } from './segment-list.ts'

const pieceLength = 256 // code units: copied per edit

/** Takes edits and gives the text after all of them. */
export class EditedText {
  readonly #pieces: SegmentList
  #copied = 0

  constructor(text: string) {
    this.#pieces = new SegmentList(piecesOf(text))
  }

  /** How many UTF-16 code units were copied for edits: their cost, for tests. */
  get copied(): number {
    return this.#copied
  }

  /** The offset of `position`, clamped to the line and to the text. */
  offsetAt(position: Position): number {
    return this.#pieces.offsetAt(position)
  }

  /** Applies an edit in the coordinates of the text that the one before it left; it must be inside that text. */
  edit({ start, end, text }: TextEdit): void {
    const pieces = this.#pieces
    let first = pieces.find(start)
    let last = pieces.find(end)
    // A `\r` and a `\n` of one line break are never in two pieces.
    if (first.start === start && first.index > 0) first = pieces.at(first.index - 1)
    if (last.start + last.segment.length === end && last.index + 1 < pieces.count)
      last = pieces.at(last.index + 1)
    const before = first.segment.text.slice(0, start - first.start)
    const fresh = piecesOf(before + text + last.segment.text.slice(end - last.start))
    for (const it of fresh) this.#copied += it.length
    pieces.splice(first.index, last.index - first.index + 1, fresh)
  }

  /** The text after all edits. */
  text(): string {
    const parts: string[] = []
    this.#pieces.forEach((it) => {
      parts.push(it.text)
    })
    return parts.join('')
  }
}

/** `text` in pieces of about equal length, at least one. */
function piecesOf(text: string): readonly Segment[] {
  const count = Math.max(1, Math.ceil(text.length / (2 * pieceLength)))
  const pieces: Segment[] = []
  let start = 0
  for (let nth = 1; nth <= count; nth++) {
    const end =
      nth === count ? text.length : beforeLineBreakPair(text, Math.round((text.length * nth) / count))
    pieces.push(pieceOf(text.slice(start, end)))
    start = end
  }
  return pieces
}

/** A segment that only has lines. */
function pieceOf(text: string): Segment {
  return new Segment(text, {
    kind: 'preamble',
    framing: chatml,
    ...lineSummary(text),
    endLiterals: 0,
    hasOpenLiteral: false,
    endsInBody: false,
    plainBodyStart: 0,
    plainBodyEnd: 0,
  })
}
