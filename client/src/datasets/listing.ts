/** Which samples of a dataset are listed: all, or those that a query finds. The file is looked through in slices, in the order of samples. */
import {
  type ColumnValues,
  compileQuery,
  isProblemField,
  isReviewField,
  type MarkedColumn,
  problemNames,
  type QueryMistake,
  type SampleMatcher,
} from '../../../core/src/internal.ts'
import type { ColumnPass } from './column-pass.ts'
import type { Progress, Sorting } from './dataset-protocol.ts'
import type { DatasetView } from './dataset-view.ts'
import type { CountTexts } from './row-source.ts'
import { tokensOf, viewOf } from './sample-views.ts'
import { Slices } from './slices.ts'
import type { SummaryOptions } from './summary.ts'

const block = 1 << 14 // places: lists grow without being copied
const countedAtOnce = 32 // samples whose tokens are counted on the way
const markedAtOnce = 1 << 16 // samples whose columns are looked at together: a few milliseconds
const tellMilliseconds = 100 // ten times a second looks alive

/** What a listing needs besides the dataset. */
export interface ListingParts {
  readonly options: () => SummaryOptions
  readonly count: CountTexts
  readonly columns: Pick<ColumnPass, 'fields' | 'valuesOf' | 'read'>
  /** Called when more is found, and when a search ends. */
  readonly changed: () => void
  /** Called when the samples of before are listed in another order. */
  readonly reordered: () => void
}

/** The samples that a query finds, as far as they are found. */
export class Listing {
  readonly #dataset: DatasetView
  readonly #parts: ListingParts
  #text = ''
  #matcher: SampleMatcher | undefined
  #found: Uint32Array[] = []
  #nFound = 0
  #looked = 0
  #isLooking = false
  #sorting: Sorting | undefined
  /** The places that are listed, sorted. */
  #sorted: Uint32Array | undefined
  /** Counts the searches: an older one ends when a newer begins. */
  #searches = 0
  #running: Promise<void> = Promise.resolve()
  /** Of the dataset that was looked through last. */
  #generation = -1
  #failure: unknown

  constructor(dataset: DatasetView, parts: ListingParts) {
    this.#dataset = dataset
    this.#parts = parts
  }

  /** What finds the samples that are listed; undefined if all are. */
  get matcher(): SampleMatcher | undefined {
    return this.#matcher
  }

  /** The query whose samples are listed. */
  get text(): string {
    return this.#text
  }

  /** How many samples are listed. */
  get size(): number {
    return this.#matcher ? this.#nFound : this.#dataset.index.size
  }

  /** How far the search is; undefined when it is done. */
  get progress(): Progress | undefined {
    return this.#isLooking ? { done: this.#looked, total: this.#dataset.index.size } : undefined
  }

  /** Why the search ended before it had looked at all samples; undefined if it did not. */
  get failure(): unknown {
    return this.#failure
  }

  /** The place in the dataset of the sample at `index` in the list; undefined after its end. */
  placeAt(index: number): number | undefined {
    if (index >= this.size) return undefined
    if (this.#sorted && index < this.#sorted.length) return this.#sorted[index]
    return this.#matcher ? this.#found[Math.floor(index / block)]?.[index % block] : index
  }

  /** Where the sample at `place` is in the list; undefined if it is not listed. */
  indexOf(place: number): number | undefined {
    for (let index = 0; index < this.size; index++) if (this.placeAt(index) === place) return index
    return undefined
  }

  /** Lists what the query finds; if it has a mistake, that is returned, and the list stays as it was. */
  setQuery(text: string): QueryMistake | undefined {
    if (text === this.#text) return undefined
    const compiled = compileQuery(text, { columns: this.#parts.columns.fields, problems: problemNames })
    if (compiled.kind === 'mistake') return { message: compiled.message, span: compiled.span }
    this.#text = text
    this.#matcher = text.trim() === '' ? undefined : compiled.matcher
    void this.search()
    return undefined
  }

  /** Sorts the list, or lists samples in the order of the file. */
  async setSorting(sorting: Sorting | undefined): Promise<void> {
    this.#sorting = sorting
    await this.#sort()
  }

  /** Looks again if what is found depends on how samples are judged. */
  judgeAgain(): void {
    const used = [...(this.#matcher?.fields ?? [])]
    if (used.some((it) => isProblemField(it) || isReviewField(it))) void this.search()
  }

  /** Looks at samples that were not there when the search ended. */
  follow(): void {
    const { size } = this.#dataset.index
    const isBehind = this.#matcher ? this.#looked < size : this.#sorted && this.#sorted.length < size
    if (!this.#isLooking && isBehind) void this.#run()
  }

  /** Looks again: the file is another one. */
  async search(): Promise<void> {
    this.#found = []
    this.#nFound = 0
    this.#looked = 0
    await this.#run()
  }

  /** All places that are listed, in their order. */
  places(): Uint32Array {
    return Uint32Array.from({ length: this.size }, (_, index) => this.placeAt(index) ?? 0)
  }

  /** Ends a search that is under way. */
  dispose(): void {
    this.#searches++
  }

  #run(): Promise<void> {
    this.#running = this.#find()
    return this.#running
  }

  /** Resolves when all samples are found that the query finds, in the dataset as it is then. */
  async whenFound(): Promise<void> {
    for (let known = -1; known !== this.#dataset.generation; ) {
      known = this.#dataset.generation
      await this.#dataset.load()
      if (this.#matcher && this.#generation !== this.#dataset.generation) void this.search()
      for (let it: Promise<void> | undefined; it !== this.#running; ) {
        it = this.#running
        await it
      }
    }
  }

  async #find(): Promise<void> {
    const search = ++this.#searches
    this.#isLooking = this.#matcher !== undefined
    this.#sorted = undefined
    this.#parts.changed()
    this.#failure = undefined
    await this.#dataset.load()
    this.#generation = this.#dataset.generation
    try {
      if (this.#matcher) await this.#look(search, this.#matcher)
      if (search === this.#searches) await this.#sort()
    } catch (error) {
      // If the file changed under the search, its watcher starts a new one.
      if (search === this.#searches) this.#failure = error
    }
    if (search !== this.#searches) return
    this.#isLooking = false
    this.#parts.changed()
  }

  async #sort(): Promise<void> {
    const [sorting, search] = [this.#sorting, this.#searches]
    const values =
      sorting && sorting.column !== 'line' ? await this.#parts.columns.read(sorting.column) : undefined
    if (sorting !== this.#sorting || search !== this.#searches) return
    this.#sorted = undefined
    const places = sorting && this.places()
    if (sorting?.column === 'line') this.#sorted = sorting.isDescending ? places?.reverse() : undefined
    else if (sorting && places) this.#sorted = values?.sorted(places, sorting.isDescending)
    this.#parts.reordered()
    this.#parts.changed()
  }

  /** The values that `matcher` needs, if they are all known. */
  #valuesFor(matcher: SampleMatcher): ReadonlyMap<string, ColumnValues> | undefined {
    const { columns } = matcher
    const values = columns?.flatMap((name) => {
      const it = name === 'line' ? undefined : this.#parts.columns.valuesOf(name)
      return it?.isExact ? [[name, it] as const] : []
    })
    const isComplete =
      columns && values && columns.every((it) => it === 'line' || values.some(([name]) => name === it))
    return isComplete ? new Map(values) : undefined
  }

  /** Looks at columns that are known, and not at the file. */
  async #lookAtColumns(
    search: number,
    matcher: SampleMatcher,
    values: ReadonlyMap<string, ColumnValues>,
  ): Promise<void> {
    const slices = new Slices()
    const { index } = this.#dataset
    const lines: MarkedColumn = {
      marks: ({ holds }, from, to) => {
        const marks = new Uint8Array(to - from)
        for (let at = 0; at < marks.length; at++) if (holds(index.numberOf(from + at))) marks[at] = 1
        return marks
      },
    }
    while (this.#looked < index.size) {
      const from = this.#looked
      const to = Math.min(index.size, from + markedAtOnce)
      const marks = matcher.marks({ from, to }, (name) => (name === 'line' ? lines : values.get(name)))
      for (let at = 0; at < marks.length; at++) if (marks[at] === 1) this.#add(from + at)
      this.#looked = to
      await slices.pause()
      if (search !== this.#searches) return
    }
  }

  async #look(search: number, matcher: SampleMatcher): Promise<void> {
    const values = this.#valuesFor(matcher)
    if (values) return this.#lookAtColumns(search, matcher, values)
    const { options: optionsNow, count, changed } = this.#parts
    const slices = new Slices()
    const options = optionsNow()
    const { index } = this.#dataset
    const countsTokens = matcher.fields.has('tokens')
    let told = performance.now()
    const open: (() => Promise<void>)[] = []
    for await (const sample of this.#dataset.samples(this.#looked)) {
      if (search !== this.#searches) return
      const { place, bytes, mapping } = sample
      if (open.length === 0 && bytes && !matcher.mayMatch(bytes, mapping)) {
        this.#looked = place + 1
        if (place % 64 === 63) await slices.pause()
        continue
      }
      const take = (tokens?: number) => {
        if (search !== this.#searches) return
        const view = viewOf(sample, index.numberOf(place), options, tokens)
        if (matcher.matches(view)) this.#add(place)
        this.#looked = place + 1
      }
      if (countsTokens) {
        const tokens = tokensOf(sample, options, count).catch(() => undefined)
        open.push(async () => take(await tokens))
        while (open.length >= countedAtOnce) await open.shift()?.()
      } else take()
      if (performance.now() - told > tellMilliseconds) {
        told = performance.now()
        changed()
      }
      await slices.pause()
    }
    for (const it of open) await it()
  }

  #add(place: number): void {
    const at = this.#nFound % block
    if (at === 0) this.#found.push(new Uint32Array(block))
    const last = this.#found.at(-1)
    if (last) last[at] = place
    this.#nFound++
  }
}
