/**
 * Reads text up to the first message (D1, D3), chunk by chunk. Nothing is certain before a line begins with an opener or
 * front matter is closed and an opener follows, so all text is kept up to there. Whether the text is settled is decided
 * here; where the preamble ends in a text that never settles is decided by {@link preambleEnd}. Linear.
 */
import {
  byteOrderMarkLength,
  candidateFramings,
  closedFrontMatter,
  framingOpenedAt,
  isQuoted,
  preambleEnd,
} from '../syntax/preamble-end.ts'
import { isLineBreak } from '../text/line-breaks.ts'
import type { DialectName, Framing } from '../vocabulary/framing.ts'

/** The preamble is over. */
export interface PreambleResult {
  readonly framing: Framing
  /** Offset of the first message in the text. */
  readonly offset: number
  /** What has been read of the text from there on. */
  readonly rest: string
}

/** Something that a reader of the preamble looks at: what may be an opener, and ends of lines. */
const landmark = /[<[\r\n]/g

const longestFence = 64 // a longer line closes no front matter, see closedFrontMatter

/** Waits for the first message of one text. */
export class PreambleReader {
  readonly #dialect: DialectName | 'auto'
  #framings: readonly Framing[]
  /** Everything read so far; joined only when someone looks at it. */
  #all = ''
  /** What is still to be looked at, after the one character before it. */
  #window = ''
  #windowStart = 0
  /** How many characters at the start of the window have been looked at: none or one. */
  #context: 0 | 1 = 0
  #markLength: 0 | 1 = 0
  /** The beginning of the current line. */
  #line = ''
  #isFenceClosed = false
  #fencesTried = 0
  /** True after `[BOS]`: the preamble goes on to the first opener that begins a segment. */
  #isInSequence = false
  /** UTF-16 code units looked at: the cost, for tests. */
  work = 0

  constructor(dialect: DialectName | 'auto') {
    this.#dialect = dialect
    this.#framings = candidateFramings(dialect)
  }

  /** Reads on; undefined as long as the end of the preamble is not certain. */
  read(chunk: string): PreambleResult | undefined {
    if (this.#all === '') this.#markLength = byteOrderMarkLength(chunk)
    this.#all += chunk
    const text = this.#window + chunk
    this.work += text.length
    let lineFrom: number = this.#context
    landmark.lastIndex = lineFrom
    for (let found = landmark.exec(text); found; found = landmark.exec(text)) {
      const at = found.index
      if (isLineBreak(text.charCodeAt(at))) {
        this.#addToLine(text, lineFrom, at)
        this.#endLine(this.#windowStart + at)
        lineFrom = at + 1
        continue
      }
      if (this.#isUnfinished(text, at)) {
        this.#keep(text, at, lineFrom)
        return undefined
      }
      const framing = this.#settledBy(text, at)
      if (framing) return { framing, offset: this.#windowStart + at, rest: text.slice(at) }
    }
    this.#keep(text, text.length, lineFrom)
    return undefined
  }

  /** The text ends here. */
  end(): PreambleResult {
    this.work += this.#all.length
    const { framing, end } = preambleEnd(this.#all, this.#dialect)
    return { framing, offset: end, rest: this.#all.slice(end) }
  }

  /** The framing of the opener at `at`, if it ends the preamble. */
  #settledBy(text: string, at: number): Framing | undefined {
    const framing = framingOpenedAt(text, at, this.#framings)
    if (!framing) return undefined
    const isToken = text.startsWith('<|', at)
    if (this.#isInSequence) return isToken ? framing : undefined
    const isCertain =
      this.#beginsLine(text, at) || (this.#isFenceClosed && !(isToken && isQuoted(text, at, framing)))
    if (!isCertain) return undefined
    if (isToken) return framing
    this.#isInSequence = true
    this.#framings = [framing]
    return undefined
  }

  /** True if more text may make an opener of what is at `at`, or show whether the opener there is quoted. */
  #isUnfinished(text: string, at: number): boolean {
    for (const { openers } of this.#framings) {
      for (const opener of openers) {
        if (text.length - at <= opener.length && opener.startsWith(text.slice(at))) return true
      }
    }
    return false
  }

  #beginsLine(text: string, at: number): boolean {
    const offset = this.#windowStart + at
    return offset === 0 || offset === this.#markLength || isLineBreak(text.charCodeAt(at - 1))
  }

  #addToLine(text: string, from: number, to: number): void {
    const room = longestFence - this.#line.length
    if (room > 0) this.#line += text.slice(from, Math.min(to, from + room))
  }

  /** A line that may close front matter is looked at with all that is before it; the second one decides for good. */
  #endLine(end: number): void {
    const line = this.#line
    this.#line = ''
    if (this.#isFenceClosed || this.#fencesTried > 1 || line.length >= longestFence) return
    const mark = line.trimEnd()
    if (mark !== '---' && mark !== '...') return
    this.work += end
    this.#fencesTried++
    const text = this.#all.slice(0, end + 1)
    this.#isFenceClosed = closedFrontMatter(text, text.length) !== undefined
  }

  #keep(text: string, at: number, lineFrom: number): void {
    this.#context = at > 0 ? 1 : 0
    const from = at - this.#context
    this.#addToLine(text, lineFrom, at)
    this.#window = text.slice(from)
    this.#windowStart += from
  }
}
