/**
 * Finds words in all messages of a view, on the page or not. It reads the texts that the view shows, and no others: what is
 * hidden in a view is neither found nor counted in it. Works in slices, and remembers what it counted while the words are the same.
 */
import { type FindPlaces, findPlaces } from '../../render/find-text.ts'
import type { Entry } from './keyed-list.ts'
import type { CurrentMatch } from './preview-protocol.ts'

/** How long the extension host may be busy at once, in milliseconds. */
const slice = 8

/** Most matches that are counted. */
const most = 10_000

/** What was found. */
export interface FoundMatches {
  readonly total: number
  /** True if there are more. */
  readonly isCut: boolean
  readonly current?: CurrentMatch
}

/** The texts that a view shows of a message, except those in whose source `mayMatch` finds nothing. */
export type TextsOf<Message> = (message: Message, mayMatch: (source: string) => boolean) => readonly string[]

interface MatchesIn {
  /** Index among all messages. */
  readonly index: number
  readonly id: string
  readonly count: number
}

/** The search of one page. */
export class MatchFinder<Message> {
  readonly #textsOf: TextsOf<Message>
  #query = ''
  /** Matches in each message, by the key of its content. */
  #counts = new Map<string, number>()
  #current: CurrentMatch | undefined
  #generation = 0

  /** @param textsOf the texts that the view shows of a message */
  constructor(textsOf: TextsOf<Message>) {
    this.#textsOf = textsOf
  }

  /** The words that are looked for; empty if there are none. */
  get query(): string {
    return this.#query
  }

  /** Stops, and forgets what was found. */
  stop(): void {
    this.#generation++
    this.#query = ''
    this.#current = undefined
    this.#counts.clear()
  }

  /**
   * Finds `query`. Undefined if another search, or {@link stop}, began meanwhile.
   *
   * @param step to the match after (1) or before (-1) the current one; 0 for the current one, or the first match from `index` on
   */
  async find(
    entries: readonly Entry<Message>[],
    query: string,
    step: -1 | 0 | 1,
    index: number,
  ): Promise<FoundMatches | undefined> {
    const generation = ++this.#generation
    if (query !== this.#query) {
      this.#query = query
      this.#counts.clear()
      this.#current = undefined
    }
    const places = findPlaces(query, most)
    if (!places) return { total: 0, isCut: false }
    const found = await this.#count(entries, places, () => generation !== this.#generation)
    if (!found) return undefined
    const total = found.reduce((sum, { count }) => sum + count, 0)
    this.#current = matchAt(found, this.#next(found, total, step, index))
    return {
      total: Math.min(total, most),
      isCut: total >= most,
      ...(this.#current && { current: this.#current }),
    }
  }

  /** The messages with matches, in order; undefined if they are not wanted any more. */
  async #count(
    entries: readonly Entry<Message>[],
    places: FindPlaces,
    isOutdated: () => boolean,
  ): Promise<readonly MatchesIn[] | undefined> {
    const mayMatch = loosely(this.#query)
    const found: MatchesIn[] = []
    let total = 0
    let begun = performance.now()
    for (const [index, { id, ref }] of entries.entries()) {
      let count = this.#counts.get(ref.key)
      if (count === undefined) {
        const message = ref.read()
        const texts = message ? this.#textsOf(message, mayMatch) : []
        count = texts.reduce((sum, text) => sum + places(text).length, 0)
        this.#counts.set(ref.key, count)
      }
      if (count > 0) found.push({ index, id, count })
      total += count
      if (total >= most) break
      if (performance.now() - begun < slice) continue
      await new Promise((done) => setTimeout(done, 0))
      if (isOutdated()) return undefined
      begun = performance.now()
    }
    return found
  }

  /** The number of the match that the reader wants, from zero. */
  #next(found: readonly MatchesIn[], total: number, step: -1 | 0 | 1, index: number): number {
    if (total === 0) return -1
    let before = 0
    for (const { index: at, id, count } of found) {
      const isCurrent = id === this.#current?.id
      if (isCurrent) return (before + Math.min(this.#current?.nth ?? 0, count - 1) + step + total) % total
      if (!this.#current && at >= index) return before
      before += count
    }
    return 0
  }
}

function matchAt(found: readonly MatchesIn[], number: number): CurrentMatch | undefined {
  let before = 0
  for (const { id, count } of found) {
    if (number >= 0 && number < before + count) return { id, nth: number - before, number }
    before += count
  }
  return undefined
}

/** True for Markdown that may show `query`: rendering all of a long transcript would take long. */
function loosely(query: string): (source: string) => boolean {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return (source) => {
    const plain = source.replace(/[*_~`\\]/g, '').toLowerCase()
    return words.every((it) => plain.includes(it))
  }
}
