/**
 * The distribution of a column of numbers, in bounded memory. Summaries of parts merge to that of the whole, in any order.
 * Few distinct numbers are counted exactly. Many go into buckets whose bounds differ by 2 %, so that a quantile is at most
 * 1 % off; count, sum, least, and greatest stay exact.
 */
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'

/** What is known of the numbers, as data: for threads, files, and shards. */
export interface NumberSummaryData {
  readonly count: number
  readonly sum: number
  readonly least: number
  readonly greatest: number
  /** Numbers with how often they occur, or buckets by their index; in ascending order. */
  readonly counts: readonly (readonly [key: number, count: number])[]
  readonly isExact: boolean
}

/** True for counts, bounds, and a sum that a {@link NumberSummary} can have: they fit together. */
export function isNumberSummaryData(value: JsonObject): boolean {
  const { count, sum, least, greatest, counts, isExact } = value
  if (!isCount(count) || typeof isExact !== 'boolean' || !isCounts(counts)) return false
  if (counts.reduce((total, [, times]) => total + times, 0) !== count) return false
  if (count === 0) return true // the bounds of no numbers are infinite, which JSON cannot represent
  // So is a sum that is too large.
  if ((typeof sum !== 'number' && sum !== null) || typeof least !== 'number' || typeof greatest !== 'number')
    return false
  const [first, last] = isExact ? [least, greatest] : [bucketOf(least), bucketOf(greatest)]
  return counts.every(([key]) => first <= key && key <= last && (isExact || Number.isInteger(key)))
}

function isCounts(value: JsonValue | undefined): value is readonly (readonly [number, number])[] {
  return (
    Array.isArray(value) &&
    value.every((it) => Array.isArray(it) && it.length === 2 && typeof it[0] === 'number' && isCount(it[1]))
  )
}

/** True for a number of things. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** A bar of a histogram. */
export interface HistogramBar {
  readonly from: number
  /** Not included, except in the last bar. */
  readonly to: number
  readonly count: number
}

const mostExact = 2048 // distinct numbers
const growth = Math.log(1.02)
const smallest = 1e-9 // what is nearer to 0 is in its bucket

/** Takes numbers one by one. Infinite numbers and NaN are left out. */
export class NumberSummary {
  #count = 0
  #sum = 0
  #least = Number.POSITIVE_INFINITY
  #greatest = Number.NEGATIVE_INFINITY
  #counts = new Map<number, number>()
  #isExact = true

  /** The summary that `data` is about. */
  static from(data: NumberSummaryData): NumberSummary {
    const summary = new NumberSummary()
    summary.merge(data)
    return summary
  }

  get count(): number {
    return this.#count
  }

  get sum(): number {
    return this.#sum
  }

  add(value: number): void {
    if (!Number.isFinite(value)) return
    const number = value + 0 // -0 is 0
    this.#count++
    this.#sum += number
    if (number < this.#least) this.#least = number
    if (number > this.#greatest) this.#greatest = number
    this.#tally(this.#isExact ? number : bucketOf(number), 1)
  }

  /** Takes away a number that was added. The bounds of numbers in buckets stay. */
  remove(value: number): void {
    if (!Number.isFinite(value)) return
    const number = value + 0
    this.#count--
    this.#sum -= number
    const key = this.#isExact ? number : bucketOf(number)
    const left = (this.#counts.get(key) ?? 0) - 1
    if (left > 0) this.#counts.set(key, left)
    else this.#counts.delete(key)
    if (left > 0 || !this.#isExact || (number !== this.#least && number !== this.#greatest)) return
    this.#least = Math.min(...this.#counts.keys())
    this.#greatest = Math.max(...this.#counts.keys())
  }

  /** Adds the numbers of another summary. */
  merge({ count, sum, least, greatest, counts, isExact }: NumberSummaryData): void {
    if (count === 0) return
    if (!isExact) this.#intoBuckets()
    this.#count += count
    this.#sum += sum
    this.#least = Math.min(this.#least, least)
    this.#greatest = Math.max(this.#greatest, greatest)
    for (const [key, times] of counts) this.#tally(isExact && !this.#isExact ? bucketOf(key) : key, times)
  }

  /** The least number that at least this share of all is not greater than; undefined without numbers. */
  quantile(share: number): number | undefined {
    let left = Math.max(1, Math.ceil(share * this.#count))
    for (const [key, times] of this.#sorted()) {
      left -= times
      if (left <= 0) return this.#within(this.#isExact ? key : middleOf(key))
    }
    return undefined
  }

  /** How many numbers are greater than `bound`: exact for few distinct numbers. */
  above(bound: number): number {
    let count = 0
    for (const [key, times] of this.#counts) if ((this.#isExact ? key : middleOf(key)) > bound) count += times
    return count
  }

  /** The sum of the numbers, each counted as `bound` at most: exact for few distinct numbers. */
  sumUpTo(bound: number): number {
    let sum = 0
    for (const [key, times] of this.#counts)
      sum += Math.min(bound, this.#isExact ? key : middleOf(key)) * times
    return sum
  }

  /** At most `bars` bars of equal width between the least and the greatest number; whole numbers get whole bounds. */
  histogram(bars: number): readonly HistogramBar[] {
    if (this.#count === 0) return []
    // Halves, because the width of all bars together may be beyond the numbers.
    const [least, greatest] = [this.#least / 2, this.#greatest / 2]
    const isWhole = this.#isExact && [...this.#counts.keys()].every(Number.isSafeInteger)
    const span = isWhole ? greatest - least + 0.5 : greatest - least
    if (span / bars === 0) return [{ from: this.#least, to: this.#greatest, count: this.#count }]
    const width = isWhole ? Math.ceil((2 * span) / bars) / 2 : span / bars
    const counts = new Array<number>(isWhole ? Math.ceil(span / width) : bars).fill(0)
    for (const [key, times] of this.#counts) {
      const number = this.#within(this.#isExact ? key : middleOf(key)) / 2
      const bar = Math.min(counts.length - 1, Math.floor((number - least) / width))
      counts[bar] = (counts[bar] ?? 0) + times
    }
    const bound = (index: number) => 2 * (least + index * width)
    return counts.map((count, index) => ({ from: bound(index), to: bound(index + 1), count }))
  }

  data(): NumberSummaryData {
    return {
      count: this.#count,
      sum: this.#sum,
      least: this.#least,
      greatest: this.#greatest,
      counts: this.#sorted(),
      isExact: this.#isExact,
    }
  }

  #sorted(): readonly (readonly [number, number])[] {
    return [...this.#counts].sort(([one], [other]) => one - other)
  }

  #within(number: number): number {
    return Math.min(this.#greatest, Math.max(this.#least, number))
  }

  #tally(key: number, times: number): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + times)
    if (this.#isExact && this.#counts.size > mostExact) this.#intoBuckets()
  }

  #intoBuckets(): void {
    if (!this.#isExact) return
    this.#isExact = false
    const exact = this.#counts
    this.#counts = new Map()
    for (const [number, times] of exact) this.#tally(bucketOf(number), times)
  }
}

/** Buckets in the order of their numbers: negative ones, 0, positive ones. */
function bucketOf(number: number): number {
  const size = Math.abs(number)
  if (size < smallest) return 0
  const index = Math.ceil(Math.log(size / smallest) / growth) + 1
  return number < 0 ? -index : index
}

function middleOf(bucket: number): number {
  if (bucket === 0) return 0
  const size = smallest * Math.exp((Math.abs(bucket) - 1.5) * growth)
  return bucket < 0 ? -size : size
}
