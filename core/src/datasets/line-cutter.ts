/**
 * Cuts a file at its line feeds. The line break, a carriage return before it, and a byte order mark before the line (files are
 * joined with theirs) are not part of a sample. Lines that hold only white space are not samples.
 */
import type { Cutter, TakeSample } from './cutter.ts'

const lineFeed = 10
const carriageReturn = 13
const byteOrderMark = [0xef, 0xbb, 0xbf] as const
const markLength = byteOrderMark.length

/** Cuts lines. */
export class LineCutter implements Cutter {
  readonly #take: TakeSample
  /** The number of the first line. */
  readonly #first: number
  /** Bytes of the chunks before. */
  #offset = 0
  #start = 0
  /** Lines that have ended. */
  #line = 0
  /** How many bytes at the start of the line are those of the mark; all of them once that is decided. */
  #marked = 0
  /** True once the line has a byte that is not white space. */
  #hasText = false
  #last = 0

  /** @param first the number of the first line */
  constructor(take: TakeSample, first = 1) {
    this.#take = take
    this.#first = first
  }

  get openStart(): number {
    return this.#start
  }

  push(chunk: Uint8Array): void {
    let from = 0
    while (from < chunk.length) {
      if (this.#marked < markLength) from = this.#passMark(chunk, from)
      const feed = chunk.indexOf(lineFeed, from)
      const to = feed === -1 ? chunk.length : feed
      if (!this.#hasText) this.#hasText = hasText(chunk, from, to)
      if (to > from) this.#last = chunk[to - 1] ?? 0
      if (feed === -1) break
      this.#endLine(this.#offset + feed)
      from = feed + 1
    }
    this.#offset += chunk.length
  }

  end(): void {
    if (0 < this.#marked && this.#marked < markLength) this.#hasText = true
    this.#endLine(this.#offset)
  }

  #endLine(end: number): void {
    if (this.#hasText) {
      this.#take({
        start: this.#start,
        end: this.#last === carriageReturn ? end - 1 : end,
        number: this.#first + this.#line,
        line: this.#line,
        character: 0,
      })
    }
    this.#start = end + 1
    this.#line++
    this.#marked = 0
    this.#hasText = false
    this.#last = 0
  }

  /** A chunk may end inside the mark; a line that only begins like one is a sample that cannot be read. */
  #passMark(chunk: Uint8Array, from: number): number {
    let at = from
    for (; at < chunk.length && this.#marked < markLength; at++) {
      if (chunk[at] !== byteOrderMark[this.#marked]) {
        if (this.#marked > 0) this.#hasText = true
        this.#marked = markLength
        return at
      }
      this.#marked++
    }
    if (this.#marked === markLength) this.#start += markLength
    return at
  }
}

function hasText(chunk: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const it = chunk[at]
    if (it !== 0x20 && it !== 0x09 && it !== carriageReturn) return true
  }
  return false
}
