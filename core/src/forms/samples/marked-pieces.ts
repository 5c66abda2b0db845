/**
 * The markup in the texts of one message (F20). Parts of a message go on in each other: a tag in one part ends in a later one, also
 * after a call, and so does a private block.
 */

import type { JsonWords } from '../../conversation/conversation.ts'
import { openBlockOf, privateBlocksIn } from '../../conversation/message-visibility.ts'
import { lastUpTo } from '../../text/count-while.ts'
import type { Span } from '../../text/range.ts'
import { type Markup, type MarkupPiece, markupIn, mayHaveMarkup } from './markup.ts'
import type { Piece } from './piece-reader.ts'

/** What reads markup, and where what is wrong with it goes. */
export interface MarkupReader {
  /** The pieces that a piece of `text` is; `words` are its places. */
  read(piece: MarkupPiece, text: string, words: readonly JsonWords[]): readonly Piece[]
  /** Reports what is wrong with `markup`, which begins at `words`. */
  tell(markup: Markup, words: JsonWords | undefined): void
}

/** A text of a message as it is written. It has one place. */
type TextPiece = Piece & { readonly kind: 'text' }

/** `pieces`, with what their texts say in markup. Linear. */
export function markedPieces(pieces: readonly Piece[], reader: MarkupReader): readonly Piece[] {
  const runs = runsOf(pieces)
  const isPlain = runs.every((run) => !isTexts(run) || !mayHaveMarkup(textOf(run)))
  const mayGoOn = runs.filter(isTexts).length > 1
  if (isPlain && !mayGoOn) return pieces
  const marked = new MarkedMessage(reader)
  for (const run of runs) {
    if (isTexts(run)) marked.addTexts(run)
    else marked.add(run)
  }
  return marked.pieces
}

/** Texts in a row, which are one body, and between them the other pieces. */
function runsOf(pieces: readonly Piece[]): readonly (Piece | readonly TextPiece[])[] {
  const runs: (Piece | TextPiece[])[] = []
  for (const piece of pieces) {
    const last = runs.at(-1)
    if (!isText(piece)) runs.push(piece)
    else if (Array.isArray(last)) last.push(piece)
    else runs.push([piece])
  }
  return runs
}

function isText(piece: Piece): piece is TextPiece {
  return piece.kind === 'text'
}

function isTexts(run: Piece | readonly TextPiece[]): run is readonly TextPiece[] {
  return Array.isArray(run)
}

function textOf(run: readonly TextPiece[]): string {
  return run.length === 1 ? (run[0]?.text ?? '') : run.map(({ text }) => text).join('')
}

/** Texts in a row. */
interface Run {
  readonly parts: readonly TextPiece[]
  readonly starts: readonly number[]
  /** All of their text. */
  readonly text: string
}

/** A part of a run, and where it begins in the text of the run. */
interface Placed {
  readonly part: TextPiece
  readonly start: number
}

function runOf(parts: readonly TextPiece[]): Run {
  let end = 0
  const starts = parts.map(({ text }) => {
    const start = end
    end += text.length
    return start
  })
  return { parts, starts, text: textOf(parts) }
}

/** A message while its runs are read. */
class MarkedMessage {
  readonly pieces: Piece[] = []
  readonly #reader: MarkupReader
  /** The tag that the texts so far have begun and not ended. */
  #tag = ''
  /** The marker of the private block that they have begun and not ended. */
  #block = ''
  /** How many of the pieces can't be hidden any more, so that each is looked at once. */
  #nSettled = 0

  constructor(reader: MarkupReader) {
    this.#reader = reader
  }

  add(piece: Piece): void {
    this.pieces.push(piece)
  }

  addTexts(parts: readonly TextPiece[]): void {
    const run = runOf(parts)
    const from = this.#restOfBlock(run)
    const text = this.#tag + run.text.slice(from)
    const markup = markupIn(text)
    const shift = from - this.#tag.length
    let shown = text
    if (markup) {
      const sign = { from: markup.sign.from + shift, to: markup.sign.to + shift }
      // What an earlier text has begun is reported already.
      if (sign.to > from) this.#reader.tell(markup, partsIn(run, sign)[0]?.part.words[0])
      if (markup.hasBegunBefore) this.#hideTexts()
      for (const it of markup.pieces) this.#addSpan(run, moved(it, shift, from))
      shown = markup.pieces.map((it) => (it.kind === 'text' ? text.slice(it.from, it.to) : '')).join('')
    } else this.#addSpan(run, pieceOf('text', from, run.text.length))
    this.#tag = markup?.open ?? ''
    if (this.#block === '') this.#block = openBlockOf(shown)
  }

  /** Adds what `run` has of a private block that an earlier one began; where that ends. */
  #restOfBlock(run: Run): number {
    if (this.#block === '') return 0
    const text = this.#block + run.text
    const end = privateBlocksIn(text)[0]?.to ?? text.length
    const to = end - this.#block.length
    this.#addSpan(run, pieceOf('analysis', 0, to))
    this.#block = openBlockOf(text.slice(0, end))
    return to
  }

  #addSpan(run: Run, piece: MarkupPiece): void {
    if (piece.from >= piece.to) return
    const parts = partsIn(run, piece)
    if (piece.kind !== 'text') {
      const words = parts.map((it) => placed(it, piece))
      this.pieces.push(...this.#reader.read(piece, run.text, words))
      return
    }
    for (const it of parts) {
      const { text } = it.part
      const own = within(piece, it)
      const isAll = own.from === 0 && own.to === text.length
      this.pieces.push(
        isAll ? it.part : { kind: 'text', text: text.slice(own.from, own.to), words: [placed(it, piece)] },
      )
    }
  }

  /** Hides the texts so far: they were reasoning whose beginning is missing. */
  #hideTexts(): void {
    for (; this.#nSettled < this.pieces.length; this.#nSettled++) {
      const piece = this.pieces[this.#nSettled] as Piece // in bounds
      if (isText(piece)) this.pieces[this.#nSettled] = { ...piece, kind: 'analysis' }
    }
  }
}

/** The parts of `run` that a span of their text is in. `starts` has where each begins. */
function partsIn({ parts, starts }: Run, { from, to }: Span): readonly Placed[] {
  const result: Placed[] = []
  for (let index = lastUpTo(starts, from); index < parts.length && (starts[index] ?? to) < to; index++) {
    const [part, start] = [parts[index], starts[index]]
    if (part && start !== undefined && from < start + part.text.length) result.push({ part, start })
  }
  return result
}

/** `piece` after what was put before the text is gone; nothing of it is before `first`. */
function moved({ kind, from, to, whole }: MarkupPiece, shift: number, first: number): MarkupPiece {
  const at = (offset: number) => Math.max(first, offset + shift)
  return { kind, from: at(from), to: at(to), whole: { from: at(whole.from), to: at(whole.to) } }
}

function pieceOf(kind: MarkupPiece['kind'], from: number, to: number): MarkupPiece {
  return { kind, from, to, whole: { from, to } }
}

/** `span` of a run in one of its parts. */
function within({ from, to }: Span, { part: { text }, start }: Placed): Span {
  return { from: Math.max(0, from - start), to: Math.min(text.length, to - start) }
}

/** Where a part has its share of `piece`. */
function placed(it: Placed, piece: MarkupPiece): JsonWords {
  const words = it.part.words[0] as JsonWords // a text has one place
  return wordsWithin(words, within(piece, it), within(piece.whole, it))
}

/** The place of a span of the text at `words`, and of the span with the tags around it. */
export function wordsWithin(
  { parent, key, from: start = 0 }: JsonWords,
  inner: Span,
  whole: Span,
): JsonWords {
  const at = ({ from, to }: Span) => ({ from: start + from, to: start + to })
  return { parent, key, ...at(inner), whole: at(whole) }
}
