/** How often each value of a column occurs, in bounded memory. Summaries of parts merge to that of the whole. */
import { fitted } from '../text/shortened.ts'

/** What is known of the values, as data: for threads, files, and shards. */
export interface ValueSummaryData {
  readonly count: number
  /** Values that are counted one by one, the most frequent first. */
  readonly values: readonly (readonly [value: string, count: number])[]
  /** Occurrences of values that are not counted one by one, because there are too many. */
  readonly others: number
}

const mostValues = 10_000 // that are counted one by one
const longestValue = 200 // UTF-16 code units; longer ones are cut

/** Takes values one by one. */
export class ValueSummary {
  #count = 0
  #others = 0
  readonly #counts = new Map<string, number>()

  /** The summary that `data` is about. */
  static from(data: ValueSummaryData): ValueSummary {
    const summary = new ValueSummary()
    summary.merge(data)
    return summary
  }

  get count(): number {
    return this.#count
  }

  /** Distinct values, as far as they are counted one by one. */
  get distinct(): number {
    return this.#counts.size
  }

  /** True if there are more distinct values than are counted. */
  get hasOthers(): boolean {
    return this.#others > 0
  }

  add(value: string, times = 1): void {
    const key = fitted(value, longestValue)
    this.#count += times
    const known = this.#counts.get(key)
    if (known !== undefined) this.#counts.set(key, known + times)
    else if (this.#counts.size < mostValues) this.#counts.set(key, times)
    else this.#others += times
  }

  /** Takes away a value that was added. */
  remove(value: string): void {
    const key = fitted(value, longestValue)
    const known = this.#counts.get(key)
    this.#count--
    if (known === undefined) this.#others--
    else if (known > 1) this.#counts.set(key, known - 1)
    else this.#counts.delete(key)
  }

  /** Adds the values of another summary. */
  merge({ values, others }: ValueSummaryData): void {
    for (const [value, count] of values) this.add(value, count)
    this.#count += others
    this.#others += others
  }

  /** The most frequent values; of equally frequent ones, those that sort first. */
  top(most: number): readonly (readonly [value: string, count: number])[] {
    return this.#sorted().slice(0, most)
  }

  data(): ValueSummaryData {
    return { count: this.#count, values: this.#sorted(), others: this.#others }
  }

  #sorted(): readonly (readonly [string, number])[] {
    return [...this.#counts].sort(
      ([one, count], [other, otherCount]) => otherCount - count || (one < other ? -1 : 1),
    )
  }
}
