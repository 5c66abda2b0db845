/** The conversation with one page: which rows it shows, and what it got of them. */
import {
  completeQuery,
  type DatasetMapping,
  type FoundTexts,
  foundTexts,
  type QueryMistake,
  queryWithTerm,
} from '../../../core/src/internal.ts'
import { columnInfos } from './column-infos.ts'
import { ColumnPass } from './column-pass.ts'
import type { ColumnThreads } from './column-work.ts'
import {
  type FromDatasetPage,
  type Layout,
  ownColumns,
  type Row,
  type ToDatasetPage,
  usualLayout,
} from './dataset-protocol.ts'
import type { DatasetView } from './dataset-view.ts'
import { Listing } from './listing.ts'
import type { MatchingSamples } from './matching-samples.ts'
import { type CountTexts, RowSource } from './row-source.ts'
import { viewOf } from './sample-views.ts'
import type { SummaryOptions } from './summary.ts'

/** Requests that concern more than the list; the owner of the page answers them. */
export type DatasetRequest = Extract<
  FromDatasetPage,
  { readonly kind: 'open' | 'compare' | 'showSource' | 'copyLine' | 'chooseForm' | 'change' }
>

/** What a page needs. */
export interface DatasetPageParts {
  readonly name: string
  readonly options: () => SummaryOptions
  readonly count: CountTexts
  readonly openThreads?: (() => ColumnThreads) | undefined
  readonly post: (message: ToDatasetPage) => void
  readonly request: (request: DatasetRequest) => void
  /** Called when the list is that of another query. */
  readonly queried?: () => void
  readonly history: QueryHistory
  readonly layout: LayoutMemory
}

/** How the list of a file looks. */
export interface LayoutMemory {
  /** Undefined if it was not changed. */
  get(): Layout | undefined
  keep(layout: Layout): void
}

/** The queries of before. */
export interface QueryHistory {
  /** The last one first. */
  get(): readonly string[]
  /** Remembers a query. */
  keep(query: string): void
}

const mostValues = 50 // that are proposed for a field

const rememberedRows = 1000 // several screens

function isOwn(name: string): boolean {
  return name === 'tokens' || ownColumns.some((it) => it === name)
}

/** Keeps one page equal to one dataset. */
export class DatasetPageSession {
  readonly #dataset: DatasetView
  readonly #parts: DatasetPageParts
  readonly #listing: Listing
  readonly #rows: RowSource
  readonly #columns: ColumnPass
  #layout = usualLayout
  readonly #stop: () => void
  #isReady = false
  #generation = -1
  #wanted = { first: 0, count: 0 }
  /** Counts what was asked for: an older wish is dropped when a newer one comes. */
  #wishes = 0
  #hasGrown = false
  /** The row with the focus. */
  #active = 0
  /** Where the samples that the page looked at last are listed, by their places. */
  readonly #indexOf = new Map<number, number>()

  constructor(dataset: DatasetView, parts: DatasetPageParts) {
    this.#dataset = dataset
    this.#parts = parts
    const { options, count, openThreads } = parts
    const changed = () => this.#tellColumns()
    this.#columns = new ColumnPass(dataset, { options, count, openThreads, changed })
    this.#listing = new Listing(dataset, {
      options,
      count,
      columns: this.#columns,
      changed: () => this.#tellCount(),
      reordered: () => this.#forgetRows(),
    })
    this.#rows = new RowSource(dataset, parts.options, parts.count)
    this.#stop = dataset.onChanged(() => this.#datasetChanged())
  }

  /** The samples that are listed, in their order. */
  get listing(): Pick<Listing, 'size' | 'placeAt' | 'text' | 'matcher'> {
    return this.#listing
  }

  /** Takes what the page said. */
  receive(message: FromDatasetPage): void {
    switch (message.kind) {
      case 'ready':
        this.#isReady = true
        this.#generation = -1
        this.#datasetChanged()
        this.#tellHistory()
        this.#setLayout(this.#parts.layout.get() ?? usualLayout)
        this.#parts.post({ kind: 'layout', layout: this.#layout })
        this.#tellColumns()
        break
      case 'want':
        this.#wanted = message
        void this.#tellRows()
        break
      case 'query':
        this.#setQuery(message.text)
        break
      case 'keepQuery':
        if (message.text.trim() === '') break
        this.#parts.history.keep(message.text)
        this.#tellHistory()
        break
      case 'active':
        this.#active = message.index
        break
      case 'layout':
        this.#parts.layout.keep(message.layout)
        this.#setLayout(message.layout)
        break
      case 'choose': {
        const { text, column, choice } = message
        this.#setQuery(queryWithTerm(text, column, choice), 'always')
        break
      }
      case 'complete': {
        const { id, text, offset } = message
        const { span, proposals } = completeQuery(text, offset, {
          fields: this.#columns.fields ?? [],
          isNumber: (name) => this.#columns.isNumber(name),
          valuesOf: (name) => this.#columns.topValues(name, mostValues),
        })
        this.#parts.post({ kind: 'proposals', id, ...span, proposals })
        break
      }
      default:
        this.#parts.request(message)
    }
  }

  /** A sample, which was `before`, was written: its row is another one. */
  sampleChanged(place: number, before: Uint8Array): void {
    this.#rows.forget(place)
    void this.#columns.sampleChanged(place, before).catch(() => undefined) // the file is another one: it is read again
    if (this.#indexOf.has(place)) void this.#tellPlaces([place], () => true)
  }

  /** Lists what `query` finds, and writes it into the box. @throws RangeError if it has a mistake */
  search(query: string): void {
    const mistake = this.#setQuery(query, 'valid')
    if (mistake) throw new RangeError(mistake.message)
  }

  /** What the query finds in a sample of the list; undefined without a query for text. */
  foundIn(sample: {
    readonly bytes: Uint8Array
    readonly mapping: DatasetMapping | undefined
  }): FoundTexts | undefined {
    const { matcher } = this.#listing
    if (!matcher?.looksForText) return undefined
    return foundTexts(matcher.hitsIn(viewOf(sample, 0, this.#parts.options())))
  }

  /** The samples that are listed, once all are found. @throws what ended the search if not all could be looked at */
  async matching(): Promise<MatchingSamples> {
    await this.#listing.whenFound()
    if (this.#listing.failure !== undefined) throw this.#listing.failure
    const { matcher, text: query } = this.#listing
    const { size } = this.#listing
    const places = matcher && new Set(this.#listing.places())
    return {
      dataset: this.#dataset,
      generation: this.#dataset.generation,
      query,
      size,
      isAboutBroken: matcher?.isAboutBroken === true,
      options: this.#parts.options(),
      has: (place) => places?.has(place) ?? place < size, // no samples that are added later
    }
  }

  /** The names of the fields of samples, as far as they are known. */
  get fields(): readonly string[] {
    return this.#columns.fields ?? []
  }

  /** Moves the focus of the page to the sample at `place`, as soon as the list is complete. @returns false if it is not listed */
  async focus(place: number): Promise<boolean> {
    await this.#listing.whenFound()
    const index = this.#listing.indexOf(place)
    if (index === undefined) return false
    this.#active = index
    this.#parts.post({ kind: 'focus', index })
    return true
  }

  /** The place of the row with the focus. */
  get activePlace(): number | undefined {
    return this.#listing.placeAt(this.#active)
  }

  /** Settings changed: samples are judged again. */
  judgeAgain(): void {
    this.#rows.forget()
    this.#forgetRows()
    this.#columns.restart()
    this.#listing.judgeAgain()
  }

  /** The page is gone. */
  dispose(): void {
    this.#stop()
    this.#wishes++
    this.#listing.dispose()
    this.#columns.dispose()
  }

  /** What the page knows of rows is of no use any more. */
  #forgetRows(): void {
    this.#wishes++
    this.#indexOf.clear()
    if (this.#isReady && this.#generation !== -1)
      this.#parts.post({ kind: 'stale', generation: this.#generation })
  }

  #setLayout(layout: Layout): void {
    const before = this.#layout
    this.#layout = layout
    const names = (it: Layout) =>
      it.columns
        .map(({ name }) => name)
        .filter((name) => !isOwn(name))
        .sort()
    if (names(before).join('\n') !== names(layout).join('\n')) {
      this.#rows.setColumns(names(layout))
      this.#forgetRows()
      for (const name of names(layout)) void this.#columns.read(name)
    }
    const { sort } = layout
    if (before.sort?.column !== sort?.column || before.sort?.isDescending !== sort?.isDescending)
      void this.#listing.setSorting(sort)
  }

  #tellColumns(): void {
    if (!this.#isReady) return
    const { progress, fields } = this.#columns
    this.#parts.post({
      kind: 'columns',
      columns: columnInfos(this.#columns, fields ?? []),
      ...(progress && { progress }),
    })
  }

  /** @param isWritten when the query is written into the box, where others did not type it */
  #setQuery(text: string, isWritten?: 'valid' | 'always'): QueryMistake | undefined {
    const mistake = this.#listing.setQuery(text)
    if (isWritten === 'always' || (isWritten === 'valid' && !mistake))
      this.#parts.post({ kind: 'write', text })
    this.#parts.post({
      kind: 'query',
      text,
      ...(mistake && { mistake: { message: mistake.message, ...mistake.span } }),
    })
    if (mistake) return mistake
    this.#wishes++
    this.#indexOf.clear()
    this.#rows.setMatcher(this.#listing.matcher)
    this.#parts.queried?.()
    return undefined
  }

  #tellHistory(): void {
    this.#parts.post({ kind: 'history', queries: this.#parts.history.get() })
  }

  #datasetChanged(): void {
    if (!this.#isReady) return
    const { generation, kind: samples, failure } = this.#dataset
    if (failure !== undefined && this.#dataset.index.size === 0) {
      this.#parts.post({ kind: 'failed', message: failure })
      this.#generation = -1
      return
    }
    if (generation !== this.#generation && this.#dataset.index.size + (this.#dataset.progress ? 0 : 1) > 0) {
      const isAnother = this.#generation !== -1
      this.#indexOf.clear()
      this.#generation = generation
      this.#parts.post({ kind: 'open', name: this.#parts.name, samples, generation })
      if (isAnother) {
        void this.#listing.search()
        this.#columns.restart()
      }
    } else if (!this.#dataset.progress) this.#listing.follow()
    if (!this.#dataset.progress) this.#columns.follow()
    this.#tellCount()
  }

  #tellCount(): void {
    if (!this.#isReady || this.#generation === -1) return
    const progress = this.#dataset.progress ?? this.#listing.progress
    const listed = this.#listing.size
    const { failure, remark } = this.#dataset
    const problem =
      failure !== undefined && remark !== undefined ? `${failure}. ${remark}` : (failure ?? remark)
    this.#parts.post({
      kind: 'count',
      generation: this.#generation,
      listed,
      total: this.#dataset.index.size,
      ...(progress && { progress }),
      ...(problem !== undefined && { problem }),
    })
    // What was asked for and was not there may have come.
    const { first, count } = this.#wanted
    if (this.#hasGrown && first < listed && count > 0) void this.#tellRows()
  }

  async #tellRows(): Promise<void> {
    const wish = ++this.#wishes
    const { first, count } = this.#wanted
    const places: number[] = []
    for (let index = first; index < first + count; index++) {
      const place = this.#listing.placeAt(index)
      if (place !== undefined) places.push(place)
    }
    this.#hasGrown = places.length < count
    // The page asks for less when it knows some rows, and counts of these come later.
    if (this.#indexOf.size > rememberedRows) this.#indexOf.clear()
    places.forEach((place, offset) => {
      this.#indexOf.set(place, first + offset)
    })
    await this.#tellPlaces(places, () => wish === this.#wishes)
  }

  /** Reports the rows of places, as far as the page has looked at them. */
  async #tellPlaces(places: readonly number[], isWanted: () => boolean): Promise<void> {
    const tell = (row: Row) => {
      const index = this.#indexOf.get(row.place)
      if (index === undefined) return
      this.#parts.post({ kind: 'rows', generation: this.#generation, first: index, rows: [row] })
    }
    try {
      await this.#rows.tell(places, tell, isWanted)
    } catch {
      await this.#dataset.refresh() // the file is another one now
    }
  }
}
