/**
 * The columns of a dataset, in the background: one pass in slices for the standard ones and for what fields samples have, and one
 * more for each column that is asked for besides. It holds numbers, and short values of fields, but no text of conversations. What is
 * kept on a disk (S6) are standard columns and the names of fields: the values of a field are read again when they are asked for.
 */
import {
  ColumnValues,
  columnNamed,
  DatasetStatistics,
  hashOfSample,
  isObject,
  isReviewField,
  isStandardColumn,
  isStatisticsData,
  type StatisticsData,
  type StoredArray,
} from '../../../core/src/internal.ts'
import { ColumnOrders, type ColumnThreads, columnsOf } from './column-work.ts'
import type { Progress } from './dataset-protocol.ts'
import type { DatasetView, ReadSample } from './dataset-view.ts'
import type { CountTexts } from './row-source.ts'
import { tokensOf, viewOf } from './sample-views.ts'
import { Slices } from './slices.ts'
import type { SummaryOptions } from './summary.ts'

/** The columns of the first pass. Tokens are counted when they are asked for: that takes much longer. */
const firstColumns = ['form', 'messages', 'turns', 'chars', 'calls', 'tools', 'errors', 'warnings']
const worthThreads = 4 * 2 ** 20 // bytes: fewer are read before a thread has started
const countedAtOnce = 32 // samples whose tokens are counted on the way

/** What the columns need besides the dataset. */
export interface ColumnPassParts {
  readonly options: () => SummaryOptions
  readonly count: CountTexts
  /** Starts threads that read columns; absent where there are none. */
  readonly openThreads?: (() => ColumnThreads) | undefined
  /** Called once a second while columns are read, and when they are. */
  readonly changed: () => void
}

/** Reads columns. */
export class ColumnPass {
  readonly #dataset: DatasetView
  readonly #parts: ColumnPassParts
  #columns = new Map<string, ColumnValues>()
  #statistics = new DatasetStatistics()
  #more = new Map<string, DatasetStatistics>()
  #looked = 0
  #now: Progress | undefined
  #isFollowing = false
  /** The names of fields, if they are known from the last time. */
  #keptFields: readonly string[] | undefined
  /** Those of them that have numbers only. */
  #keptNumbers: readonly string[] = []
  /** True if a kept index would have nothing more. */
  #isKept = false
  /** Counts what was begun: an older pass ends when the file is another one. */
  #passes = 0
  #working: Promise<void> = Promise.resolve()
  #keeping: Promise<void> = Promise.resolve()

  constructor(dataset: DatasetView, parts: ColumnPassParts) {
    this.#dataset = dataset
    this.#parts = parts
  }

  /** How far the pass is; undefined when nothing is read. */
  get progress(): Progress | undefined {
    return this.#now
  }

  /** The names of the fields that samples have; undefined while that is not known. */
  get fields(): readonly string[] | undefined {
    return this.#looked > 0 && this.#looked >= this.#dataset.index.size
      ? (this.#keptFields ?? this.#statistics.fieldNames)
      : undefined
  }

  /** The values of a column, if all samples were read. */
  valuesOf(name: string): ColumnValues | undefined {
    const values = this.#columns.get(name)
    return values && values.size >= this.#dataset.index.size ? values : undefined
  }

  /** What is known of a column so far. */
  statisticsOf(name: string): Pick<DatasetStatistics, 'numbers' | 'values'> {
    return this.#more.get(name) ?? this.#statistics
  }

  /** True if a column has numbers only, as far as is known. */
  isNumber(name: string): boolean {
    if (this.#keptFields && !this.#more.has(name)) return this.#keptNumbers.includes(name)
    const statistics = this.statisticsOf(name)
    return statistics.numbers(name) !== undefined && statistics.values(name) === undefined
  }

  /** The most frequent values of a column, as far as they are known; those of a field are read if they were not kept. */
  topValues(name: string, most: number): readonly string[] {
    const isUnread = this.#keptFields?.includes(name) && !this.#more.has(name)
    if (isUnread) void this.read(name)
    const values = this.statisticsOf(name).values(name)
    return values?.top(most).map(([value]) => value) ?? []
  }

  /** Reads what was not read yet: after {@link restart}, all of it. */
  follow(): void {
    if (this.#isFollowing || this.#looked >= this.#dataset.index.size) return
    this.#isFollowing = true
    void this.#run((pass) => this.#readFirst(pass))
  }

  /** A sample, which was `before`, was written. */
  async sampleChanged(place: number, before: Uint8Array): Promise<void> {
    const pass = this.#passes
    const mapping = await this.#dataset.mapping(place)
    const { options: optionsNow, count } = this.#parts
    const options = optionsNow()
    const number = this.#dataset.index.numberOf(place)
    const viewAt = async (bytes: Uint8Array) => {
      const sample = { bytes, mapping }
      const tokens = this.#columns.has('tokens') ? await tokensOf(sample, options, count) : undefined
      return viewOf(sample, number, options, tokens)
    }
    const [view, viewBefore] = [await viewAt(await this.#dataset.bytesOf(place)), await viewAt(before)]
    if (pass !== this.#passes) return
    for (const [name, values] of this.#columns) {
      if (place < values.size) this.#more.get(name)?.replace(viewBefore, view)
      values.set(place, columnNamed(name).valueOf(view))
    }
    if (place < this.#looked) this.#statistics.replace(viewBefore, view)
    this.#isKept = false
    this.#parts.changed()
  }

  /** The file is another one, or is judged in another way. */
  restart(): void {
    this.#passes++
    const more = [...this.#columns.keys()].filter((it) => !firstColumns.includes(it))
    this.#columns = new Map()
    this.#statistics = new DatasetStatistics()
    this.#more = new Map()
    this.#keptFields = undefined
    this.#isKept = false
    this.#looked = 0
    this.#isFollowing = false
    this.follow()
    for (const it of more) void this.read(it)
  }

  /** The values of a column: at once if they are known, or else after a pass; undefined if the file changed meanwhile. */
  async read(name: string): Promise<ColumnValues | undefined> {
    await this.#dataset.load()
    this.follow()
    await this.#working
    const known = this.valuesOf(name)
    if (known || firstColumns.includes(name)) return known
    await this.#run((pass) => this.#readMore(name, pass))
    return this.valuesOf(name)
  }

  /** Resolves when the columns that are kept are written. */
  get kept(): Promise<void> {
    return this.#keeping
  }

  /** Ends the pass that is under way. */
  dispose(): void {
    this.#keeping = Promise.all([this.#keeping, this.#keep()]).then(() => undefined) // what changed after the last pass
    this.#passes++
  }

  #run(work: (pass: number) => Promise<void>): Promise<void> {
    const pass = this.#passes
    const result = this.#working.then(async () => {
      if (pass !== this.#passes) return
      try {
        await this.#dataset.load()
        await work(pass)
      } catch {
        // The file changed under the pass: its watcher starts a new one.
      } finally {
        if (pass === this.#passes) this.#isFollowing = false
        this.#now = undefined
        this.#parts.changed()
        if (pass === this.#passes)
          this.#keeping = Promise.all([this.#keeping, this.#keep()]).then(() => undefined)
      }
    })
    this.#working = result
    return result
  }

  /** What columns depend on besides the file: how samples are judged, as a hash. */
  async #judgedBy(): Promise<string> {
    const { dialect, settings = [], templates, intent, judgesFixtures } = this.#parts.options()
    const mapping = this.#dataset.index.size > 0 ? await this.#dataset.mapping(0) : undefined
    const rules = settings.map((it) => [...it])
    const text = JSON.stringify([dialect, rules, templates, intent, judgesFixtures, mapping])
    return hashOfSample(new TextEncoder().encode(text))
  }

  /** Keeps standard columns, if all samples were read. */
  async #keep(): Promise<void> {
    const { size } = this.#dataset.index
    if (this.#isKept || !this.#dataset.keepColumns || size === 0 || this.#looked !== size) return
    this.#isKept = true
    const arrays: StoredArray[] = []
    const columns = [...this.#columns].flatMap(([name, values]) => {
      if (!isKeptColumn(name) || values.size !== size) return []
      const { head, arrays: own } = values.stored()
      arrays.push(...own)
      return [{ name, head }]
    })
    const more = Object.fromEntries(
      [...this.#more].flatMap(([name, it]) => (isKeptColumn(name) ? [[name, it.data()]] : [])),
    )
    const { samples, columns: sums } = this.#statistics.data()
    const statistics = {
      samples,
      columns: Object.fromEntries(Object.entries(sums).filter(([it]) => isKeptColumn(it))),
    }
    const fields = this.#keptFields ?? this.#statistics.fieldNames
    const numbers = fields.filter((name) => this.isNumber(name))
    const head = { judged: await this.#judgedBy(), columns, more, statistics, fields, numbers }
    await this.#dataset.keepColumns({ head, arrays })
  }

  /** Takes the columns that were kept, if they are those of the file and of the settings. */
  async #restore(pass: number): Promise<void> {
    const stored = await this.#dataset.keptColumns?.()
    if (!stored || !isKeptHead(stored.head)) return
    const { judged, columns, more, statistics, fields, numbers } = stored.head
    if (judged !== (await this.#judgedBy()) || pass !== this.#passes) return
    const { size } = this.#dataset.index
    const restored = new Map<string, ColumnValues>()
    for (const [index, { name, head }] of columns.entries()) {
      const values = ColumnValues.from({ head, arrays: stored.arrays.slice(index, index + 1) })
      if (!isKeptColumn(name) || values?.size !== size) return
      restored.set(name, values)
    }
    if (columns.length !== stored.arrays.length || !firstColumns.every((it) => restored.has(it))) return
    this.#columns = restored
    this.#statistics = new DatasetStatistics({ columns: firstColumns })
    this.#statistics.merge(statistics)
    for (const [name, data] of Object.entries(more)) {
      const sums = new DatasetStatistics({ columns: [name] })
      sums.merge(data)
      if (restored.has(name)) this.#more.set(name, sums)
    }
    this.#keptFields = fields
    this.#keptNumbers = numbers
    this.#looked = size
    this.#isKept = true
  }

  async #readFirst(pass: number): Promise<void> {
    if (this.#looked === 0) await this.#restore(pass)
    if (this.#looked >= this.#dataset.index.size) return
    const values = firstColumns.map((name) => this.#valuesFor(name))
    const { index } = this.#dataset
    const { options, openThreads } = this.#parts
    const orders = new ColumnOrders(firstColumns, options())
    const bytesLeft = index.rangeOf(index.size - 1).end - index.rangeOf(this.#looked).start
    const threads = bytesLeft >= worthThreads ? openThreads?.() : undefined
    const open: (() => Promise<void>)[] = []
    const ask = () => {
      const order = orders.take()
      // What no thread can do is done here.
      const answer = threads?.answer(order).catch(() => undefined)
      open.push(async () => {
        const { values: found, statistics } = (await answer) ?? columnsOf(order)
        if (pass !== this.#passes) return
        for (const [nth, own] of values.entries()) for (const it of found[nth] ?? []) own.add(it)
        this.#statistics.merge(statistics)
        this.#looked += order.samples.length
        this.#now = { done: this.#looked, total: index.size }
      })
    }
    try {
      await this.#each(this.#looked, pass, async (sample) => {
        orders.add(sample, index.numberOf(sample.place))
        if (!orders.isFull) return
        ask()
        while (open.length >= (threads?.room ?? 1)) await open.shift()?.()
      })
      if (!orders.isEmpty) ask()
      for (const it of open) await it()
    } finally {
      threads?.end()
    }
  }

  async #readMore(name: string, pass: number): Promise<void> {
    const values = this.#valuesFor(name)
    this.#isKept &&= !isKeptColumn(name)
    const statistics = this.#more.get(name) ?? new DatasetStatistics({ columns: [name] })
    this.#more.set(name, statistics)
    const column = columnNamed(name)
    const { options: optionsNow, count } = this.#parts
    const options = optionsNow()
    const { index } = this.#dataset
    const open: (() => Promise<void>)[] = []
    await this.#each(values.size, pass, async (sample) => {
      const add = (tokens?: number) => {
        if (pass !== this.#passes) return
        const view = viewOf(sample, index.numberOf(sample.place), options, tokens)
        values.add(column.valueOf(view))
        statistics.add(view)
        this.#now = { done: values.size, total: index.size }
      }
      if (name !== 'tokens') {
        add()
        return
      }
      const tokens = tokensOf(sample, options, count).catch(() => undefined)
      open.push(async () => add(await tokens))
      while (open.length >= countedAtOnce) await open.shift()?.()
    })
    for (const it of open) await it()
  }

  async #each(from: number, pass: number, take: (sample: ReadSample) => void | Promise<void>): Promise<void> {
    const slices = new Slices()
    let told = performance.now()
    for await (const sample of this.#dataset.samples(from)) {
      if (pass !== this.#passes) return
      await take(sample)
      if (performance.now() - told > 1000) {
        told = performance.now()
        this.#parts.changed()
      }
      await slices.pause()
    }
  }

  #valuesFor(name: string): ColumnValues {
    const known = this.#columns.get(name)
    if (known) return known
    const values = new ColumnValues()
    this.#columns.set(name, values)
    return values
  }
}

/** True for a column that has no text of samples, and depends on nothing but them and the settings. */
function isKeptColumn(name: string): boolean {
  return isStandardColumn(name) && !isReviewField(name) && name !== 'trained'
}

interface KeptHead {
  readonly judged: string
  readonly columns: readonly { readonly name: string; readonly head: unknown }[]
  readonly more: Readonly<Record<string, StatisticsData>>
  readonly statistics: StatisticsData
  readonly fields: readonly string[]
  /** The fields that have numbers only. */
  readonly numbers: readonly string[]
}

function isKeptHead(head: unknown): head is KeptHead {
  if (!isObject(head) || typeof head.judged !== 'string') return false
  const { columns, more, statistics, fields, numbers } = head
  return (
    Array.isArray(columns) &&
    columns.every((it) => isObject(it) && typeof it.name === 'string') &&
    isObject(more) &&
    Object.values(more).every(isStatisticsData) &&
    isStatisticsData(statistics) &&
    [fields, numbers].every((it) => Array.isArray(it) && it.every((name) => typeof name === 'string'))
  )
}
