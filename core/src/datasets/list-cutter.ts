/**
 * Cuts a JSON list at the commas between its elements. It knows strings and brackets only: what an element says is judged by
 * the code that reads it. White space around elements is not part of them. An element that is missing before a comma, or after one,
 * is a sample without bytes.
 */
import { type Cutter, DatasetError, type TakeSample } from './cutter.ts'
import { utf16Length } from './utf8.ts'

const byte = {
  tab: 0x09,
  lineFeed: 0x0a,
  carriageReturn: 0x0d,
  space: 0x20,
  quote: 0x22,
  comma: 0x2c,
  openList: 0x5b,
  backslash: 0x5c,
  closeList: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const

const byteOrderMark: readonly number[] = [0xef, 0xbb, 0xbf]

/** Cuts elements. */
export class ListCutter implements Cutter {
  readonly #take: TakeSample
  #state: 'before' | 'between' | 'element' | 'after' = 'before'
  /** Bytes of the chunks before. */
  #offset = 0
  #number = 0
  /** True after a comma: an element must follow. */
  #isExpected = false
  /** Of the element: where it begins, and where the last byte that is not white space ends. */
  #start = 0
  #end = 0
  #startLine = 0
  #startCharacter = 0
  #depth = 0
  #isInString = false
  #isEscaped = false
  /** The line, and the UTF-16 code units of it, up to the byte at `#counted` of the chunk. */
  #line = 0
  #character = 0
  #counted = 0

  constructor(take: TakeSample) {
    this.#take = take
  }

  get openStart(): number {
    return this.#state === 'element' ? this.#start : this.#offset
  }

  push(chunk: Uint8Array): void {
    this.#counted = 0
    for (let at = 0; at < chunk.length; ) {
      if (this.#state !== 'element') this.#outside(chunk, at++)
      else if (this.#isInString) at = this.#inString(chunk, at)
      else at = this.#inElement(chunk, at)
    }
    this.#count(chunk, chunk.length)
    this.#offset += chunk.length
  }

  end(): void {
    if (this.#state === 'after') return
    if (this.#state === 'before') throw new DatasetError('not-a-list', this.#line)
    throw new DatasetError('cut-off', this.#line, this.#state === 'element' ? this.#number : undefined)
  }

  /** Takes a byte that is in no element. */
  #outside(chunk: Uint8Array, at: number): void {
    const it = chunk[at]
    if (it === byte.space || it === byte.lineFeed || it === byte.carriageReturn || it === byte.tab) return
    if (this.#state === 'after') throw new DatasetError('text-after-list', this.#line)
    if (this.#state === 'before') {
      if (it === byte.openList) this.#state = 'between'
      else if (it !== byteOrderMark[this.#offset + at]) throw new DatasetError('not-a-list', this.#line)
      return
    }
    this.#begin(chunk, at)
    if (it !== byte.comma && it !== byte.closeList) {
      this.#state = 'element' // its first byte, which may be a quote or a bracket, is still to be taken
      this.#inElement(chunk, at, at + 1)
      return
    }
    if (it === byte.comma || this.#isExpected) this.#endElement()
    this.#isExpected = it === byte.comma
    if (it === byte.closeList) this.#state = 'after'
  }

  #begin(chunk: Uint8Array, at: number): void {
    this.#count(chunk, at)
    this.#start = this.#offset + at
    this.#end = this.#start
    this.#startLine = this.#line
    this.#startCharacter = this.#character
    this.#depth = 0
  }

  #endElement(): void {
    this.#take({
      start: this.#start,
      end: this.#end,
      number: this.#number++,
      line: this.#startLine,
      character: this.#startCharacter,
    })
  }

  /** Takes the bytes of an element from `from` on, up to a string, its end, or `to`; returns where it has stopped. */
  #inElement(chunk: Uint8Array, from: number, to = chunk.length): number {
    let last = -1 // that is not white space
    let at = from
    for (; at < to; at++) {
      const it = chunk[at]
      if (it === byte.quote) {
        this.#isInString = true
        return at + 1
      }
      if (it === byte.space || it === byte.lineFeed || it === byte.carriageReturn || it === byte.tab) continue
      if (it === byte.openList || it === byte.openObject) this.#depth++
      else if (this.#depth > 0) {
        if (it === byte.closeList || it === byte.closeObject) this.#depth--
      } else if (it === byte.comma || it === byte.closeList) {
        if (last >= 0) this.#end = this.#offset + last + 1
        this.#endElement()
        this.#isExpected = it === byte.comma
        this.#state = it === byte.comma ? 'between' : 'after'
        return at + 1
      }
      last = at
    }
    if (last >= 0) this.#end = this.#offset + last + 1
    return at
  }

  /** Takes the bytes of a string from `from` on, up to its end or that of the chunk; returns where it has stopped. */
  #inString(chunk: Uint8Array, from: number): number {
    let at = this.#isEscaped ? from + 1 : from
    this.#isEscaped = false
    for (; at < chunk.length; at++) {
      const it = chunk[at]
      if (it === byte.backslash) at++
      else if (it === byte.quote) {
        this.#isInString = false
        this.#end = this.#offset + at + 1
        return at + 1
      }
    }
    this.#isEscaped = at > chunk.length
    return chunk.length
  }

  /** Counts lines and characters up to the byte at `to`. A byte order mark at the start of the file is not a character. */
  #count(chunk: Uint8Array, to: number): void {
    let from = this.#counted
    for (;;) {
      const feed = chunk.subarray(from, to).indexOf(byte.lineFeed)
      if (feed === -1) break
      this.#line++
      this.#character = 0
      from += feed + 1
    }
    const isMarked = this.#offset === 0 && from === 0 && chunk[0] === byteOrderMark[0]
    this.#character += utf16Length(chunk, from, to) - (isMarked && to > 0 ? 1 : 0)
    this.#counted = to
  }
}
