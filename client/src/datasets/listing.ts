/** Which samples of a dataset are listed: all, or those that a query finds. The file is looked through in slices, in the order of samples. */
import { compileQuery, type QueryMistake, type SampleMatcher } from '../../../core/src/internal.ts'
import type { Progress } from './dataset-protocol.ts'
import type { DatasetView } from './dataset-view.ts'
import type { CountTexts } from './row-source.ts'
import { tokensOf, viewOf } from './sample-views.ts'
import { Slices } from './slices.ts'
import type { SummaryOptions } from './summary.ts'

const block = 1 << 14 // places: lists grow without being copied
const countedAtOnce = 32 // samples whose tokens are counted on the way
const tellMilliseconds = 100 // ten times a second looks alive

/** What a listing needs besides the dataset. */
export interface ListingParts {
  readonly options: () => SummaryOptions
  readonly count: CountTexts
  /** The names of the fields that samples have; undefined while that is not known. */
  readonly fields: () => readonly string[] | undefined
  /** Called when more is found, and when a search ends. */
  readonly changed: () => void
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
  /** Counts the searches: an older one ends when a newer begins. */
  #searches = 0

  constructor(dataset: DatasetView, parts: ListingParts) {
    this.#dataset = dataset
    this.#parts = parts
  }

  /** What finds the samples that are listed; undefined if all are. */
  get matcher(): SampleMatcher | undefined {
    return this.#matcher
  }

  /** How many samples are listed. */
  get size(): number {
    return this.#matcher ? this.#nFound : this.#dataset.index.size
  }

  /** How far the search is; undefined when it is done. */
  get progress(): Progress | undefined {
    return this.#isLooking ? { done: this.#looked, total: this.#dataset.index.size } : undefined
  }

  /** The place in the dataset of the sample at `index` in the list; undefined behind its end. */
  placeAt(index: number): number | undefined {
    if (index >= this.size) return undefined
    return this.#matcher ? this.#found[Math.floor(index / block)]?.[index % block] : index
  }

  /** Lists what the query finds; if it has a mistake, that is returned, and the list stays as it was. */
  setQuery(text: string): QueryMistake | undefined {
    if (text === this.#text) return undefined
    const compiled = compileQuery(text, this.#parts.fields())
    if (compiled.kind === 'mistake') return { message: compiled.message, span: compiled.span }
    this.#text = text
    this.#matcher = text.trim() === '' ? undefined : compiled.matcher
    void this.search()
    return undefined
  }

  /** Looks again if what is found depends on how samples are judged. */
  judgeAgain(): void {
    const fields = ['problem', 'errors', 'warnings']
    if (fields.some((it) => this.#matcher?.fields.has(it))) void this.search()
  }

  /** Looks at samples that were not there when the search ended. */
  follow(): void {
    if (!this.#isLooking && this.#matcher && this.#looked < this.#dataset.index.size) void this.#run()
  }

  /** Looks again: the file is another one. */
  async search(): Promise<void> {
    this.#found = []
    this.#nFound = 0
    this.#looked = 0
    await this.#run()
  }

  /** Ends a search that is under way. */
  dispose(): void {
    this.#searches++
  }

  async #run(): Promise<void> {
    const search = ++this.#searches
    this.#isLooking = this.#matcher !== undefined
    this.#parts.changed()
    if (!this.#matcher) return
    await this.#dataset.load()
    try {
      await this.#look(search, this.#matcher)
    } catch {
      // The file changed under the search: whoever watches it begins a new one.
    }
    if (search !== this.#searches) return
    this.#isLooking = false
    this.#parts.changed()
  }

  async #look(search: number, matcher: SampleMatcher): Promise<void> {
    const { options: optionsNow, count, changed } = this.#parts
    const slices = new Slices()
    const options = optionsNow()
    const { index } = this.#dataset
    const countsTokens = matcher.fields.has('tokens')
    let told = performance.now()
    const open: (() => Promise<void>)[] = []
    for await (const sample of this.#dataset.samples(this.#looked)) {
      if (search !== this.#searches) return
      const { place } = sample
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
