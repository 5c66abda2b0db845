/** The values of one column for all samples, in the order of their places: 4 bytes a sample, or 8 for numbers that need them. */

import type { StoredIndex } from '../datasets/stored-index.ts'
import { fitted } from '../text/shortened.ts'
import type { ColumnValue } from './dataset-columns.ts'
import { sortedByNumber } from './number-sort.ts'
import type { NumberRange, ValueTest } from './query.ts'

const block = 1 << 13 // samples: growing never copies what is there
const none = 2 ** 32 - 1
const longest = 200 // UTF-16 code units of a value; longer ones are cut
const mostTexts = 1 << 20 // distinct ones; the others are sorted as one
const mostKnown = 1 << 16 // numbers of which it is remembered whether a test holds

/** Takes values one by one. */
export class ColumnValues {
  /** Whole numbers, or numbers of texts. */
  #blocks: (Uint32Array | Float64Array)[] = []
  #size = 0
  /** Undefined as long as there are numbers only. */
  #texts: string[] | undefined
  readonly #numberOfText = new Map<string, number>()
  #isWide = false
  #isExact = true

  /** The values that {@link stored} were of; undefined for what cannot be values. */
  static from({ head, arrays }: StoredIndex): ColumnValues | undefined {
    const [numbers] = arrays
    if (typeof head !== 'object' || head === null || !numbers) return undefined
    const { texts, isExact } = head as Readonly<Record<string, unknown>>
    const hasTexts =
      Array.isArray(texts) && texts.every((it) => typeof it === 'string' && it.length <= longest)
    if ((texts !== undefined && !hasTexts) || typeof isExact !== 'boolean') return undefined
    const values = new ColumnValues()
    values.#isExact = isExact
    values.#isWide = numbers instanceof Float64Array
    values.#size = numbers.length
    if (hasTexts) {
      if (!(numbers instanceof Uint32Array) || texts.length > mostTexts) return undefined
      for (const it of numbers) if (it !== none && it >= texts.length) return undefined
      values.#texts = [...texts]
      for (const [code, text] of texts.entries()) values.#numberOfText.set(String(text), code)
    }
    for (let at = 0; at < numbers.length; at += block) {
      const part = values.#isWide ? new Float64Array(block) : new Uint32Array(block).fill(none)
      part.set(numbers.subarray(at, at + block))
      values.#blocks.push(part)
    }
    return values
  }

  /** The values as numbers, and the texts that these stand for. */
  stored(): StoredIndex {
    const numbers = this.#isWide ? new Float64Array(this.#size) : new Uint32Array(this.#size)
    this.#blocks.forEach((it, index) => {
      numbers.set(it.subarray(0, this.#size - index * block), index * block)
    })
    return { head: { texts: this.#texts, isExact: this.#isExact }, arrays: [numbers] }
  }

  /** True if {@link at} gives what was added: lists, long texts, and numbers among texts are kept as short texts. */
  get isExact(): boolean {
    return this.#isExact
  }

  get size(): number {
    return this.#size
  }

  /** Bytes of the numbers. */
  get memory(): number {
    return this.#blocks.reduce((sum, { byteLength }) => sum + byteLength, 0)
  }

  add(value: ColumnValue): void {
    if (this.#size % block === 0)
      this.#blocks.push(this.#isWide ? new Float64Array(block) : new Uint32Array(block).fill(none))
    this.set(this.#size++, value)
  }

  /** The sample at `place` has another value now. */
  set(at: number, value: ColumnValue): void {
    if (at >= this.#size) return
    if (value === undefined || (typeof value === 'object' && value.length === 0)) this.#setNone(at)
    else if (typeof value === 'number' && this.#texts === undefined) this.#setNumber(at, value)
    else {
      if (typeof value === 'object' || typeof value === 'number') this.#isExact = false
      this.#setText(at, typeof value === 'object' ? value.join(', ') : String(value))
    }
  }

  /** The value of the sample at `place`. */
  at(place: number): string | number | undefined {
    const stored = this.#stored(place)
    if (stored === undefined || this.#isNone(stored)) return undefined
    return this.#texts ? this.#texts[stored] : stored
  }

  /** For the samples from `from` to before `to`, 1 for those with a value for which `test` holds, and 0 for the others. */
  marks({ holds, range }: ValueTest, from: number, to: number): Uint8Array {
    const marks = new Uint8Array(to - from)
    const ofNone = holds(undefined) ? 1 : 0
    const ofText = this.#texts && Uint8Array.from(this.#texts, (it) => (holds(it) ? 1 : 0))
    const known = new Map<number, number>()
    const ofNumber = (stored: number) => {
      let mark = known.get(stored)
      if (mark === undefined) {
        mark = holds(stored) ? 1 : 0
        if (known.size < mostKnown) known.set(stored, mark)
      }
      return mark
    }
    const last = Math.min(to, this.#size)
    if (last < to) marks.fill(ofNone, Math.max(0, last - from))
    for (let start = from; start < last; ) {
      const values = this.#blocks[Math.floor(start / block)]
      const end = Math.min(last, start - (start % block) + block)
      if (values === undefined) return marks
      const own = values.subarray(start % block, (start % block) + end - start)
      const target = marks.subarray(start - from, end - from)
      if (ofText)
        for (let at = 0; at < own.length; at++) {
          const stored = own[at] as number
          target[at] = stored === none ? ofNone : (ofText[stored] as number)
        }
      else if (range) markRange(own, range, target)
      else
        for (let at = 0; at < own.length; at++) {
          const stored = own[at] as number
          target[at] = this.#isNone(stored) ? ofNone : ofNumber(stored)
        }
      start = end
    }
    return marks
  }

  /** `places`, which ascend, by their values; those without one come last, and equal ones stay in the order of their places. */
  sorted(places: Uint32Array, isDescending: boolean): Uint32Array {
    const present = new Uint32Array(places.length)
    const absent = new Uint32Array(places.length)
    const numbers = this.#isWide ? new Float64Array(places.length) : new Uint32Array(places.length)
    const ranks = this.#texts && ranksOf(this.#texts)
    let [nPresent, nAbsent] = [0, 0]
    for (const place of places) {
      const stored = this.#stored(place)
      if (stored === undefined || this.#isNone(stored)) absent[nAbsent++] = place
      else {
        numbers[nPresent] = ranks ? (ranks[stored] ?? 0) : stored
        present[nPresent++] = place
      }
    }
    const sorted = sortedByNumber(present.subarray(0, nPresent), numbers.subarray(0, nPresent), isDescending)
    const result = new Uint32Array(places.length)
    result.set(sorted)
    result.set(absent.subarray(0, nAbsent), nPresent)
    return result
  }

  #isNone(stored: number): boolean {
    return this.#isWide ? Number.isNaN(stored) : stored === none
  }

  #stored(place: number): number | undefined {
    return place < this.#size ? this.#blocks[Math.floor(place / block)]?.[place % block] : undefined
  }

  #set(at: number, number: number): void {
    const it = this.#blocks[Math.floor(at / block)]
    if (it) it[at % block] = number
  }

  #setNone(at: number): void {
    this.#set(at, this.#isWide ? Number.NaN : none)
  }

  #setNumber(at: number, value: number): void {
    const isSmall = Number.isInteger(value) && 0 <= value && value < none
    if (!isSmall && !this.#isWide) this.#widen()
    this.#set(at, value + 0) // -0 is 0
  }

  /** A column that has a text has texts only. */
  #setText(at: number, text: string): void {
    if (this.#texts === undefined) {
      const before = Array.from({ length: this.#size }, (_, place) => this.at(place))
      this.#texts = []
      this.#isWide = false
      this.#blocks = this.#blocks.map(() => new Uint32Array(block).fill(none))
      before.forEach((value, place) => {
        if (value === undefined) return
        this.#isExact = false
        this.#set(place, this.#codeOf(String(value)))
      })
    }
    if (text.length > longest) this.#isExact = false
    this.#set(at, this.#codeOf(fitted(text, longest)))
  }

  #codeOf(text: string): number {
    const texts = this.#texts ?? []
    const key = texts.length < mostTexts - 1 || this.#numberOfText.has(text) ? text : '…'
    if (key !== text) this.#isExact = false
    let code = this.#numberOfText.get(key)
    if (code === undefined) {
      code = texts.length
      texts.push(key)
      this.#numberOfText.set(key, code)
    }
    return code
  }

  #widen(): void {
    this.#isWide = true
    this.#blocks = this.#blocks.map((it) =>
      Float64Array.from(it, (stored) => (stored === none ? Number.NaN : stored)),
    )
  }
}

/** Marks the numbers within `range`. A missing value is not within any range. */
function markRange(
  values: Uint32Array | Float64Array,
  { from, to, includesFrom, includesTo }: NumberRange,
  marks: Uint8Array,
): void {
  if (values instanceof Float64Array) {
    for (let at = 0; at < values.length; at++) {
      const value = values[at] as number
      const isIn =
        (value > from || (includesFrom && value === from)) && (value < to || (includesTo && value === to))
      marks[at] = isIn ? 1 : 0
    }
    return
  }
  const low = Math.max(0, includesFrom ? Math.ceil(from) : Math.floor(from) + 1)
  const high = Math.min(none - 1, includesTo ? Math.floor(to) : Math.ceil(to) - 1)
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number
    marks[at] = low <= value && value <= high ? 1 : 0
  }
}

/** The places of texts in alphabetical order. */
function ranksOf(texts: readonly string[]): Uint32Array {
  const order = texts.map((text, index) => ({ text, index }))
  order.sort((one, other) => (one.text < other.text ? -1 : one.text > other.text ? 1 : 0))
  const ranks = new Uint32Array(order.length)
  order.forEach(({ index }, rank) => {
    ranks[index] = rank
  })
  return ranks
}
