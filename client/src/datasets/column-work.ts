/** The columns of some samples in a row: work that another thread can do. */
import {
  type ColumnValue,
  columnNamed,
  type DatasetMapping,
  DatasetStatistics,
  type SampleProblem,
  type SampleReview,
  type StatisticsData,
} from '../../../core/src/internal.ts'
import type { ReadSample } from './dataset-view.ts'
import { viewOf } from './sample-views.ts'
import type { SummaryOptions } from './summary.ts'

/** What is asked for. It is data. */
export interface ColumnOrder {
  /** The names of the columns. */
  readonly columns: readonly string[]
  readonly options: OrderOptions
  /** Of all samples, one after the other. */
  readonly bytes: Uint8Array
  readonly samples: readonly OrderedSample[]
}

/** How samples are judged, as data. */
export type OrderOptions = Pick<
  SummaryOptions,
  'dialect' | 'settings' | 'templates' | 'intent' | 'judgesFixtures'
>

/** A sample, and what is known of it besides its bytes. */
interface OrderedSample {
  readonly number: number
  /** Where it ends in the bytes; undefined for one that is too large. */
  readonly end: number | undefined
  readonly mistake: string | undefined
  readonly mapping: DatasetMapping | undefined
  readonly review: SampleReview | undefined
  readonly among: readonly SampleProblem[] | undefined
}

/** The columns. */
export interface ColumnAnswer {
  /** For each column, the values of the samples. */
  readonly values: readonly (readonly ColumnValue[])[]
  readonly statistics: StatisticsData
}

/** The columns that `order` asks for. Nothing is thrown, whatever the bytes are. */
export function columnsOf({ columns: names, options, bytes, samples }: ColumnOrder): ColumnAnswer {
  const columns = names.map(columnNamed)
  const values = columns.map((): ColumnValue[] => [])
  const statistics = new DatasetStatistics()
  let start = 0
  for (const { number, end, mistake, mapping, review, among } of samples) {
    const own = end === undefined ? undefined : bytes.subarray(start, end)
    start = end ?? start
    const judge = { ...options, reviewOf: () => review, problemsAmong: () => among ?? [] }
    const view = viewOf({ bytes: own, mapping, ...(mistake !== undefined && { mistake }) }, number, judge)
    for (const [index, column] of columns.entries()) values[index]?.push(column.valueOf(view))
    statistics.add(view)
  }
  return { values, statistics: statistics.data() }
}

const enoughBytes = 2 ** 18
const enoughSamples = 512

/** Gathers samples until they are enough for an order. */
export class ColumnOrders {
  readonly #columns: readonly string[]
  readonly #options: SummaryOptions
  #samples: OrderedSample[] = []
  #pieces: Uint8Array[] = []
  #length = 0

  constructor(columns: readonly string[], options: SummaryOptions) {
    this.#columns = columns
    this.#options = options
  }

  /** True if there are enough samples. */
  get isFull(): boolean {
    return this.#length >= enoughBytes || this.#samples.length >= enoughSamples
  }

  /** True if there is none. */
  get isEmpty(): boolean {
    return this.#samples.length === 0
  }

  add({ bytes, mistake, mapping }: ReadSample, number: number): void {
    const { reviewOf, problemsAmong } = this.#options
    if (bytes) this.#pieces.push(bytes)
    this.#length += bytes?.length ?? 0
    const [review, among] = [reviewOf?.(number), problemsAmong?.(number)]
    this.#samples.push({ number, end: bytes && this.#length, mistake, mapping, review, among })
  }

  /** An order for the samples that were added; there are none afterwards. */
  take(): ColumnOrder {
    const bytes = new Uint8Array(this.#length)
    let at = 0
    for (const it of this.#pieces) {
      bytes.set(it, at)
      at += it.length
    }
    const { dialect, settings, templates, intent, judgesFixtures } = this.#options
    const options = {
      dialect,
      intent,
      ...(settings && { settings }),
      ...(templates !== undefined && { templates }),
      ...(judgesFixtures !== undefined && { judgesFixtures }),
    }
    const order = { columns: this.#columns, options, bytes, samples: this.#samples }
    this.#samples = []
    this.#pieces = []
    this.#length = 0
    return order
  }
}

/** Who reads columns elsewhere. */
export interface ColumnThreads {
  /** How many orders are worth having on their way. */
  readonly room: number
  /** @throws if the thread fails */
  answer(order: ColumnOrder): Promise<ColumnAnswer>
  /** Ends the threads. */
  end(): void
}
