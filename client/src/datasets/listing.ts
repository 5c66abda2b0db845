/** Which samples of a dataset are listed: all, or those that a query finds. The file is looked through in slices, in the order of samples. */
import type { Progress, Query } from './dataset-protocol.ts'
import type { DatasetView } from './dataset-view.ts'
import { readSample, tooLarge } from './listed-sample.ts'
import { Slices } from './slices.ts'
import { type SummaryOptions, summaryOf } from './summary.ts'

const everything: Query = { text: '', filter: 'all' }
const block = 1 << 14 // places: lists grow without being copied

/** The samples that a query finds, as far as they are found. */
export class Listing {
  readonly #dataset: DatasetView
  readonly #options: () => SummaryOptions
  readonly #changed: () => void
  #query = everything
  #found: Uint32Array[] = []
  #nFound = 0
  #looked = 0
  #isLooking = false
  /** Counts the searches: an older one ends when a newer begins. */
  #searches = 0

  /** @param changed is called when more is found, and when a search ends */
  constructor(dataset: DatasetView, options: () => SummaryOptions, changed: () => void) {
    this.#dataset = dataset
    this.#options = options
    this.#changed = changed
  }

  /** How many samples are listed. */
  get size(): number {
    return this.#isAll ? this.#dataset.index.size : this.#nFound
  }

  /** How far the search is; undefined when it is done. */
  get progress(): Progress | undefined {
    return this.#isLooking ? { done: this.#looked, total: this.#dataset.index.size } : undefined
  }

  /** The place in the dataset of the sample at `index` in the list; undefined behind its end. */
  placeAt(index: number): number | undefined {
    if (index >= this.size) return undefined
    return this.#isAll ? index : this.#found[Math.floor(index / block)]?.[index % block]
  }

  /** Lists what `query` finds. */
  setQuery(query: Query): void {
    if (query.text === this.#query.text && query.filter === this.#query.filter) return
    this.#query = query
    void this.search()
  }

  /** Looks again if what is found depends on how samples are judged. */
  judgeAgain(): void {
    if (this.#query.filter === 'problems') void this.search()
  }

  /** Looks again: the file is another one. */
  async search(): Promise<void> {
    const search = ++this.#searches
    this.#found = []
    this.#nFound = 0
    this.#looked = 0
    this.#isLooking = !this.#isAll
    this.#changed()
    if (this.#isAll) return
    await this.#dataset.load()
    try {
      await this.#look(search)
    } catch {
      // The file changed under the search: whoever watches it begins a new one.
    }
    if (search !== this.#searches) return
    this.#isLooking = false
    this.#changed()
  }

  /** Ends a search that is under way. */
  dispose(): void {
    this.#searches++
  }

  get #isAll(): boolean {
    return this.#query.text === '' && this.#query.filter === 'all'
  }

  async #look(search: number): Promise<void> {
    const slices = new Slices()
    const finds = finderOf(this.#query, this.#options())
    let told = performance.now()
    for await (const { place, bytes } of this.#dataset.samples()) {
      if (search !== this.#searches) return
      if (finds(bytes)) this.#add(place)
      this.#looked = place + 1
      if (performance.now() - told > tellMilliseconds) {
        told = performance.now()
        this.#changed()
      }
      await slices.pause()
    }
  }

  #add(place: number): void {
    const at = this.#nFound % block
    if (at === 0) this.#found.push(new Uint32Array(block))
    const last = this.#found.at(-1)
    if (last) last[at] = place
    this.#nFound++
  }
}

const tellMilliseconds = 100 // ten times a second looks alive

/** Whether a sample is one that `query` looks for; `undefined` is one that is too large to be read. */
export function finderOf(
  { text, filter }: Query,
  options: SummaryOptions,
): (bytes: Uint8Array | undefined) => boolean {
  const has = text === '' ? () => true : textFinder(text)
  return (bytes) => {
    if (!has(bytes)) return false
    if (filter === 'all') return true
    const sample = bytes ? readSample(bytes) : tooLarge()
    if (sample.kind === 'bad' || filter === 'unreadable') return sample.kind === 'bad'
    const summary = summaryOf(sample, options)
    return summary.kind === 'good' && summary.errors + summary.warnings > 0
  }
}

/** Looks in the line as it stands, and for what JSON may escape also in what it says. */
function textFinder(text: string): (bytes: Uint8Array | undefined) => boolean {
  const wanted = text.toLowerCase()
  const inJson = JSON.stringify(text).slice(1, -1).toLowerCase()
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const mayBeEscaped = /[^\u0020-\u007e]|["\\/]/.test(text)
  return (bytes) => {
    if (!bytes) return false
    const line = decoder.decode(bytes)
    const lower = line.toLowerCase()
    if (lower.includes(wanted) || lower.includes(inJson)) return true
    return mayBeEscaped && line.includes('\\') && unescaped(line).toLowerCase().includes(wanted)
  }
}

function unescaped(line: string): string {
  return line.replaceAll(/\\(?:u([0-9a-fA-F]{4})|(["\\/nrt]))/g, (_, code?: string, short?: string) =>
    code ? String.fromCharCode(Number.parseInt(code, 16)) : (shorts[short ?? ''] ?? short ?? ''),
  )
}

const shorts: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }
