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

  constructor(index: SampleIndex) {
    this.#index = index
  }

  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; at++) this.#take(chunk[at] ?? 0, this.#offset + at)
    this.#offset += chunk.length
  }

  end(): void {
    if (this.#state === 'before') throw new DatasetError(localize`The file is no list of conversations`)
    if (this.#state !== 'after') throw new DatasetError(localize`The list has no end`)
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
    this.#depth = 0
    this.#inElement(it, at)
  }

  #inElement(it: number, at: number): void {
    if (this.#depth === 0 && (it === byte.comma || it === byte.closeList)) {
      this.#index.add(this.#start, this.#end - this.#start, this.#number++)
      this.#state = it === byte.comma ? 'between' : 'after'
      return
    }
    if (it === byte.quote) this.#isInString = true
    else if (opening.has(it)) this.#depth++
    else if (closing.has(it)) this.#depth--
    this.#end = at + 1
  }
}
