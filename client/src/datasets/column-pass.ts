/**
 * The columns of a dataset, in the background: one pass in slices for the standard ones and for what fields samples have, and one
 * more for each column that is asked for besides. It holds numbers, and short values of fields, but no text of conversations.
 */
import { ColumnValues, columnNamed, DatasetStatistics } from '../../../core/src/internal.ts'
import type { Progress } from './dataset-protocol.ts'
import type { DatasetView, ReadSample } from './dataset-view.ts'
import type { CountTexts } from './row-source.ts'
import { tokensOf, viewOf } from './sample-views.ts'
import { Slices } from './slices.ts'
import type { SummaryOptions } from './summary.ts'

/** The columns of the first pass. Tokens are counted when they are asked for: that takes much longer. */
const firstColumns = ['form', 'messages', 'turns', 'chars', 'calls', 'tools', 'errors', 'warnings']
const countedAtOnce = 32 // samples whose tokens are counted on the way

/** What the columns need besides the dataset. */
export interface ColumnPassParts {
  readonly options: () => SummaryOptions
  readonly count: CountTexts
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
  /** Counts what was begun: an older pass ends when the file is another one. */
  #passes = 0
  #working: Promise<void> = Promise.resolve()

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
      ? this.#statistics.fieldNames
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
    this.#parts.changed()
  }

  /** The file is another one, or is judged in another way. */
  restart(): void {
    this.#passes++
    const more = [...this.#columns.keys()].filter((it) => !firstColumns.includes(it))
    this.#columns = new Map()
    this.#statistics = new DatasetStatistics()
    this.#more = new Map()
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

  /** Ends the pass that is under way. */
  dispose(): void {
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
      }
    })
    this.#working = result
    return result
  }

  async #readFirst(pass: number): Promise<void> {
    const columns = firstColumns.map((name) => [columnNamed(name), this.#valuesFor(name)] as const)
    const { options: optionsNow } = this.#parts
    const options = optionsNow()
    const { index } = this.#dataset
    await this.#each(this.#looked, pass, (sample) => {
      const view = viewOf(sample, index.numberOf(sample.place), options)
      for (const [column, values] of columns) values.add(column.valueOf(view))
      this.#statistics.add(view)
      this.#looked = sample.place + 1
    })
  }

  async #readMore(name: string, pass: number): Promise<void> {
    const values = this.#valuesFor(name)
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
      this.#now = { done: sample.place + 1, total: this.#dataset.index.size }
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
