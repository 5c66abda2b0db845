/**
 * Cuts a stream of bytes that is a JSON list into stretches of its elements, one a line. It knows strings and brackets
 * only: what an element says is judged by whoever reads it. A line feed of an element becomes a carriage return, and a
 * carriage return becomes a space, so that lines can still be counted.
 */
import { isAscii } from 'node:buffer'
import { FileProblem } from '../files/file-problem.ts'
import type { Cutter, CutterLimits } from './line-cutter.ts'
import type { Stretch } from './stretch.ts'

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

const forbiddenInStrings = 0x01 // stands for a line feed, which is as forbidden, where that would end the line
const byteOrderMark: readonly number[] = [0xef, 0xbb, 0xbf]

/** Cuts at the commas of the outermost list. */
export class ListCutter implements Cutter {
  readonly #path: string
  readonly #limits: CutterLimits
  #state: 'before' | 'between' | 'element' | 'after' = 'before'
  #depth = 0
  #isInString = false
  #isEscaped = false
  /** True behind a comma: an element must follow. */
  #isExpected = false
  /** Whole elements, each with a line feed. */
  #whole: Uint8Array[] = []
  #wholeLength = 0
  #started: Uint8Array[] = []
  #startedLength = 0
  #first = 0
  #count = 0
  /** Line and character of elements, in turn. */
  #starts: number[] = []
  #line = 0
  /** Of what is counted of the line. */
  #character = 0

  constructor(path: string, limits: CutterLimits) {
    this.#path = path
    this.#limits = limits
  }

  get hasSamples(): boolean {
    return this.#count > 0
  }

  get isFull(): boolean {
    return this.#wholeLength >= this.#limits.stretch
  }

  /** @throws FileProblem if this is no list, or an element is too long to find its end */
  push(chunk: Uint8Array): void {
    const bytes = Uint8Array.from(chunk)
    let start = 0
    let counted = 0 // what stands before is in `#line` and `#character`
    for (let at = 0; at < bytes.length; at++) {
      const it = bytes[at] ?? 0
      if (it === byte.lineFeed) {
        this.#line++
        this.#character = 0
        counted = at + 1
      }
      if (this.#state === 'element') {
        if (this.#isInString) this.#stringByte(bytes, at, it)
        else if (it === byte.quote) this.#isInString = true
        else if (it === byte.lineFeed) bytes[at] = byte.carriageReturn
        else if (it === byte.carriageReturn) bytes[at] = byte.space
        else if (it === byte.openList || it === byte.openObject) this.#depth++
        else if (this.#depth > 0) {
          if (it === byte.closeList || it === byte.closeObject) this.#depth--
        } else if (it === byte.comma || it === byte.closeList) {
          this.#endElement(bytes.subarray(start, at))
          this.#isExpected = it === byte.comma
          this.#state = it === byte.comma ? 'between' : 'after'
        }
      } else if (!isWhiteSpace(it)) {
        this.#character += lengthOf(bytes.subarray(counted, at))
        counted = at
        if (this.#outside(it)) {
          this.#starts.push(this.#line, this.#character)
          this.#state = 'element'
          start = at
          at-- // it may be a quote or a bracket
        }
      }
    }
    this.#character += lengthOf(bytes.subarray(counted))
    if (this.#state === 'element') this.#start(bytes.subarray(start))
  }

  take(): Stretch {
    const stretch = {
      bytes: Buffer.concat(this.#whole),
      first: this.#first,
      place: 'element',
      starts: Uint32Array.from(this.#starts.splice(0, 2 * this.#count)), // one more may have begun
      isTooLong: false,
    } as const
    this.#first += this.#count
    this.#count = 0
    this.#whole = []
    this.#wholeLength = 0
    return stretch
  }

  /** @throws FileProblem if the list has no end */
  end(): Stretch | undefined {
    if (this.#state !== 'after') {
      const place = this.#state === 'element' ? ` in element ${this.#first + this.#count}` : ''
      throw new FileProblem(this.#path, `the list is cut off${place}`)
    }
    return this.#count > 0 ? this.take() : undefined
  }

  #stringByte(bytes: Uint8Array, at: number, it: number): void {
    if (it === byte.lineFeed) bytes[at] = forbiddenInStrings
    if (this.#isEscaped) this.#isEscaped = false
    else if (it === byte.backslash) this.#isEscaped = true
    else if (it === byte.quote) this.#isInString = false
  }

  /** A byte outside of elements; true if one begins there. */
  #outside(it: number): boolean {
    if (this.#state === 'before') {
      if (it === byte.openList) this.#state = 'between'
      else if (!byteOrderMark.includes(it)) throw new FileProblem(this.#path, 'is no JSON list')
      else this.#character = 0 // the mark is no character of the line
      return false
    }
    if (this.#state === 'after') throw new FileProblem(this.#path, 'has text behind its list')
    if (it === byte.comma || it === byte.closeList) {
      if (it === byte.comma || this.#isExpected) {
        this.#starts.push(this.#line, this.#character)
        this.#endElement(new Uint8Array()) // which is reported
      }
      this.#isExpected = it === byte.comma
      if (it === byte.closeList) this.#state = 'after'
      return false
    }
    return true
  }

  #start(bytes: Uint8Array): void {
    this.#started.push(bytes)
    this.#startedLength += bytes.length
    if (this.#startedLength <= this.#limits.sample) return
    const megabytes = Math.floor(this.#limits.sample / 2 ** 20)
    throw new FileProblem(
      this.#path,
      `element ${this.#first + this.#count} is longer than ${megabytes} MB; the rest is not read`,
    )
  }

  #endElement(last: Uint8Array): void {
    this.#whole.push(...this.#started, last, lineEnd)
    this.#wholeLength += this.#startedLength + last.length + 1
    this.#started = []
    this.#startedLength = 0
    this.#depth = 0
    this.#count++
  }
}

const lineEnd = Uint8Array.of(byte.lineFeed)

/** The UTF-16 code units of `bytes`, which may begin and end inside of a character. */
function lengthOf(bytes: Uint8Array): number {
  if (isAscii(bytes)) return bytes.length
  let length = 0
  for (const it of bytes) {
    if ((it & 0xc0) !== 0x80) length++
    if (it >= 0xf0) length++
  }
  return length
}

function isWhiteSpace(it: number): boolean {
  return it === byte.space || it === byte.lineFeed || it === byte.carriageReturn || it === byte.tab
}
