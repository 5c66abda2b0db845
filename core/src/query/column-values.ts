/** The values of one column for all samples, in the order of their places: 4 bytes a sample, or 8 for numbers that need them. */
import type { ColumnValue } from './dataset-columns.ts'

const block = 1 << 13 // samples: growing never copies what is there
const none = 2 ** 32 - 1
const longest = 200 // UTF-16 code units of a value; longer ones are cut
const mostTexts = 1 << 20 // distinct ones; the others are sorted as one

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
    if (stored === undefined || Number.isNaN(stored) || (!this.#isWide && stored === none)) return undefined
    return this.#texts ? this.#texts[stored] : stored
  }

  /** `places` by their values; those without one come last, and equal ones stay in the order of their places. */
  sorted(places: Uint32Array, isDescending: boolean): Uint32Array {
    const rank = this.#ranks(places)
    const last = 2 ** 27 // more than there are ranks: together with a place it fits into 53 bits
    const keys = new Float64Array(places.length)
    places.forEach((place, index) => {
      const own = rank(place)
      const key = own === undefined ? last : isDescending ? last - 1 - own : own
      keys[index] = key * 2 ** 25 + place
    })
    keys.sort()
    return Uint32Array.from(keys, (key) => key % 2 ** 25)
  }

  #ranks(places: Uint32Array): (place: number) => number | undefined {
    if (this.#texts) {
      const order = this.#texts.map((text, index) => ({ text, index }))
      order.sort((one, other) => (one.text < other.text ? -1 : one.text > other.text ? 1 : 0))
      const ranks = new Uint32Array(order.length)
      order.forEach(({ index }, rank) => {
        ranks[index] = rank
      })
      return (place) => {
        const stored = this.#stored(place)
        return stored === undefined || stored === none ? undefined : ranks[stored]
      }
    }
    const numbers = Float64Array.from(places, (place) => this.#numberAt(place)).sort()
    const distinct = numbers.filter((it, index) => !Number.isNaN(it) && it !== numbers[index - 1])
    return (place) => {
      const number = this.#numberAt(place)
      return Number.isNaN(number) ? undefined : indexOf(distinct, number)
    }
  }

  #numberAt(place: number): number {
    const stored = this.#stored(place)
    return stored === undefined || (!this.#isWide && stored === none) ? Number.NaN : stored
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
    this.#set(at, this.#codeOf(text.length > longest ? `${text.slice(0, longest - 1)}…` : text))
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

/** Where `number` is among numbers in ascending order. */
function indexOf(numbers: Float64Array, number: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] ?? 0) < number) low = middle + 1
    else high = middle
  }
  return low
}
