/** Finds the elements of a JSON list, chunk by chunk. It knows strings and brackets only; elements are judged when they are read. */
import { localize } from '../../../core/src/index.ts'
import type { Scan } from './line-scan.ts'
import type { SampleIndex } from './sample-index.ts'

/** A file that is no dataset. */
export class DatasetError extends Error {
  override readonly name = 'DatasetError'
}

const byte = { quote: 0x22, comma: 0x2c, openList: 0x5b, backslash: 0x5c, closeList: 0x5d } as const
const opening = new Set([0x5b, 0x7b])
const closing = new Set([0x5d, 0x7d])
const mark = new Set([0xef, 0xbb, 0xbf])
const space = 32
const lineFeed = 10

/** Adds the elements to `index`, numbered from 0. */
export class ListScan implements Scan {
  readonly #index: SampleIndex
  #state: 'before' | 'between' | 'element' | 'after' = 'before'
  #offset = 0
  #start = 0
  /** Behind the last byte of the element that is no white space. */
  #end = 0
  #depth = 0
  #isInString = false
  #isEscaped = false
  #number = 0
  /** Where the byte stands that is taken. */
  #line = 0
  #character = 0
  /** Where the element begins. */
  #position = { line: 0, character: 0 }

  constructor(index: SampleIndex) {
    this.#index = index
  }

  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; at++) {
      const it = chunk[at] ?? 0
      this.#take(it, this.#offset + at)
      this.#pass(it)
    }
    this.#offset += chunk.length
  }

  end(): void {
    if (this.#state === 'before') throw new DatasetError(localize`The file is no list of conversations`)
    if (this.#state === 'after') return
    throw new DatasetError(localize`The list has no end: it is cut off in line ${this.#line + 1}`)
  }

  /** Characters are UTF-16 code units: each UTF-8 sequence has one or, from four bytes on, two. */
  #pass(it: number): void {
    if (it === lineFeed) {
      this.#line++
      this.#character = 0
    } else if ((it & 0xc0) !== 0x80) this.#character += it >= 0xf0 ? 2 : 1
  }

  #take(it: number, at: number): void {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (it === byte.backslash) this.#isEscaped = true
      else if (it === byte.quote) this.#isInString = false
      this.#end = at + 1
      return
    }
    if (it <= space) return
    switch (this.#state) {
      case 'before':
        if (it === byte.openList) this.#state = 'between'
        else if (!mark.has(it) || at > 2)
          throw new DatasetError(localize`The file is no list of conversations`)
        else this.#character = at === 0 ? -1 : 0 // the mark, of which the first byte is counted behind this, is no character
        return
      case 'after':
        throw new DatasetError(localize`There is text behind the end of the list`)
      case 'between':
        if (it === byte.closeList) this.#state = 'after'
        else if (it !== byte.comma) this.#begin(it, at)
        return
      case 'element':
        this.#inElement(it, at)
        return
      default:
        this.#state satisfies never
    }
  }

  #begin(it: number, at: number): void {
    this.#state = 'element'
    this.#start = at
    this.#position = { line: this.#line, character: this.#character }
    this.#depth = 0
    this.#inElement(it, at)
  }

  #inElement(it: number, at: number): void {
    if (this.#depth === 0 && (it === byte.comma || it === byte.closeList)) {
      this.#index.add(this.#start, this.#end - this.#start, this.#number++, this.#position)
      this.#state = it === byte.comma ? 'between' : 'after'
      return
    }
    if (it === byte.quote) this.#isInString = true
    else if (opening.has(it)) this.#depth++
    else if (closing.has(it)) this.#depth--
    this.#end = at + 1
  }
}
