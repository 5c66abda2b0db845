/** The conversation with one page: which rows it looks at, and what it was told of them. */
import { completeQuery, type KnownFields } from '../../../core/src/internal.ts'
import type { FromDatasetPage, Row, ToDatasetPage } from './dataset-protocol.ts'
import type { DatasetView } from './dataset-view.ts'
import { Listing } from './listing.ts'
import { type CountTexts, RowSource } from './row-source.ts'
import type { SummaryOptions } from './summary.ts'

/** Requests that concern more than the list; whoever owns the page answers them. */
export type DatasetRequest = Extract<FromDatasetPage, { readonly kind: 'open' | 'compare' | 'showSource' }>

/** What a page needs. */
export interface DatasetPageParts {
  readonly name: string
  readonly options: () => SummaryOptions
  readonly count: CountTexts
  readonly post: (message: ToDatasetPage) => void
  readonly request: (request: DatasetRequest) => void
  readonly history: QueryHistory
}

/** The queries of before. */
export interface QueryHistory {
  /** The last one first. */
  get(): readonly string[]
  /** Remembers a query. */
  keep(query: string): void
}

const nothingKnown: KnownFields = { fields: [], valuesOf: () => [] }

const rememberedRows = 1000 // several screens

/** Keeps one page equal to one dataset. */
export class DatasetPageSession {
  readonly #dataset: DatasetView
  readonly #parts: DatasetPageParts
  readonly #listing: Listing
  readonly #rows: RowSource
  readonly #stop: () => void
  #isReady = false
  #generation = -1
  #wanted = { first: 0, count: 0 }
  /** Counts what was asked for: an older wish is dropped when a newer one comes. */
  #wishes = 0
  #hasGrown = false
  /** Where the samples that the page looked at last are listed, by their places. */
  readonly #indexOf = new Map<number, number>()

  constructor(dataset: DatasetView, parts: DatasetPageParts) {
    this.#dataset = dataset
    this.#parts = parts
    this.#listing = new Listing(dataset, {
      options: parts.options,
      count: parts.count,
      fields: () => undefined,
      changed: () => this.#tellCount(),
    })
    this.#rows = new RowSource(dataset, parts.options, parts.count)
    this.#stop = dataset.onChanged(() => this.#datasetChanged())
  }

  /** Takes what the page said. */
  receive(message: FromDatasetPage): void {
    switch (message.kind) {
      case 'ready':
        this.#isReady = true
        this.#generation = -1
        this.#datasetChanged()
        this.#tellHistory()
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
      case 'complete': {
        const { id, text, offset } = message
        const { span, proposals } = completeQuery(text, offset, nothingKnown)
        this.#parts.post({ kind: 'proposals', id, ...span, proposals })
        break
      }
      default:
        this.#parts.request(message)
    }
  }

  /** A sample was written: its row is another one. */
  sampleChanged(place: number): void {
    this.#rows.forget(place)
    if (this.#indexOf.has(place)) void this.#tellPlaces([place], () => true)
  }

  /** Settings changed: samples are judged anew. */
  judgeAgain(): void {
    this.#wishes++
    this.#rows.forget()
    if (this.#isReady && this.#generation !== -1)
      this.#parts.post({ kind: 'stale', generation: this.#generation })
    this.#listing.judgeAgain()
  }

  /** The page is gone. */
  dispose(): void {
    this.#stop()
    this.#wishes++
    this.#listing.dispose()
  }

  #setQuery(text: string): void {
    const mistake = this.#listing.setQuery(text)
    this.#parts.post({
      kind: 'query',
      text,
      ...(mistake && { mistake: { message: mistake.message, ...mistake.span } }),
    })
    if (mistake) return
    this.#wishes++
    this.#indexOf.clear()
    this.#rows.setMatcher(this.#listing.matcher)
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
      if (isAnother) void this.#listing.search()
    } else if (!this.#dataset.progress) this.#listing.follow()
    this.#tellCount()
  }

  #tellCount(): void {
    if (!this.#isReady || this.#generation === -1) return
    const progress = this.#dataset.progress ?? this.#listing.progress
    const listed = this.#listing.size
    this.#parts.post({
      kind: 'count',
      generation: this.#generation,
      listed,
      total: this.#dataset.index.size,
      ...(progress && { progress }),
      ...(this.#dataset.failure !== undefined && { problem: this.#dataset.failure }),
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

  /** Tells the rows of places, as far as the page has looked at them. */
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
