/** The rows of a dataset: only those that someone looks at are read, checked and counted; the last of them are remembered. */
import {
  fitted,
  hiddenHits,
  hitExcerpt,
  inFile,
  listedColumn,
  type Position,
  type SampleMatcher,
} from '../../../core/src/internal.ts'
import type { BadRow, GoodRow, Row } from './dataset-protocol.ts'
import type { DatasetView } from './dataset-view.ts'
import type { UnreadSample } from './listed-sample.ts'
import { viewOf } from './sample-views.ts'
import { Slices } from './slices.ts'
import { type SummaryOptions, summaryOf, wordsLength } from './summary.ts'

/** Counts tokens of ordinary texts; `undefined` where they can't be counted. */
export type CountTexts = (texts: readonly string[]) => Promise<readonly number[] | undefined>

const remembered = 2000 // rows of a few hundred bytes each

/** Makes rows. */
export class RowSource {
  readonly #dataset: DatasetView
  readonly #options: () => SummaryOptions
  readonly #count: CountTexts
  /** By place, the least recently asked for first. */
  readonly #rows = new Map<number, Row>()
  #generation = -1
  #matcher: SampleMatcher | undefined
  #columns: readonly string[] = []

  constructor(dataset: DatasetView, options: () => SummaryOptions, count: CountTexts) {
    this.#dataset = dataset
    this.#options = options
    this.#count = count
  }

  /** How many rows are remembered. */
  get size(): number {
    return this.#rows.size
  }

  /**
   * Reports the rows of `places` when they are known: at once without counts, and again with them.
   *
   * @param isWanted false when they are not shown any more
   */
  async tell(places: readonly number[], tell: (row: Row) => void, isWanted: () => boolean): Promise<void> {
    const slices = new Slices()
    if (this.#generation !== this.#dataset.generation) this.forget()
    this.#generation = this.#dataset.generation
    for (const place of places) {
      if (!isWanted() || place >= this.#dataset.index.size) return
      const known = this.#rows.get(place)
      if (known) {
        this.#remember(known)
        tell(known)
        continue
      }
      const texts = await this.#make(place, tell)
      if (texts) void this.#counted(place, texts, tell)
      await slices.pause()
    }
  }

  /** What rows are marked with from now on. */
  setMatcher(matcher: SampleMatcher | undefined): void {
    if (matcher === this.#matcher) return
    this.#matcher = matcher
    this.forget()
  }

  /** The columns of the dataset whose values rows have from now on. */
  setColumns(names: readonly string[]): void {
    this.#columns = names
    this.forget()
  }

  /** The row of `place` may be another one now. */
  forget(place?: number): void {
    if (place === undefined) this.#rows.clear()
    else this.#rows.delete(place)
  }

  async #make(
    place: number,
    tell: (row: Row) => void,
  ): Promise<{ readonly specials: number; readonly texts: readonly string[] } | undefined> {
    const { index } = this.#dataset
    const { start, end } = index.rangeOf(place)
    const number = index.numberOf(place)
    const options = this.#options()
    const among = options.problemsAmong?.(number)
    const summary = summaryOf(await this.#dataset.sampleAt(place), options, among)
    const origin = this.#dataset.originOf?.(place)
    const common = {
      place,
      number,
      size: end - start,
      ...(origin !== undefined && { origin }),
    }
    if (summary.kind === 'bad') {
      this.#put({ ...common, content: badRowOf(summary, index.positionOf(place)) }, tell)
      return undefined
    }
    const { words, roles, errors, warnings, hints, losses, code, form, specials, texts } = summary
    const content: GoodRow = {
      kind: 'good',
      words,
      roles,
      errors,
      warnings,
      hints,
      losses,
      ...(code !== undefined && { code }),
      form,
      ...(await this.#fromView(place)),
    }
    this.#put({ ...common, content }, tell)
    return { specials, texts }
  }

  /** The values of columns, and what the query found: visible words with their marks, and the names of hidden texts. */
  async #fromView(place: number): Promise<Partial<GoodRow>> {
    const matcher = this.#matcher?.looksForText ? this.#matcher : undefined
    if (!matcher && this.#columns.length === 0) return {}
    const sample = {
      bytes: await this.#dataset.bytesOf(place),
      mapping: await this.#dataset.mapping(place),
    }
    const view = viewOf(sample, this.#dataset.index.numberOf(place), this.#options())
    const values = this.#columns.flatMap((name) => {
      const value = listedColumn(name).valueOf(view)
      if (value === undefined) return []
      return [[name, typeof value === 'number' ? value : shortText(value)] as const]
    })
    const hits = matcher?.hitsIn(view) ?? []
    const excerpt = hitExcerpt(hits, wordsLength)
    const hidden = hiddenHits(hits)
    return {
      ...(values.length > 0 && { values }),
      ...(excerpt && { words: excerpt.text, marks: excerpt.marks }),
      ...(hidden.length > 0 && { hidden }),
    }
  }

  async #counted(
    place: number,
    { specials, texts }: { readonly specials: number; readonly texts: readonly string[] },
    tell: (row: Row) => void,
  ): Promise<void> {
    const before = this.#rows.get(place)
    const counts = await this.#count(texts)
    const row = this.#rows.get(place)
    // Another row than before is that of another text.
    if (!counts || row !== before || row?.content.kind !== 'good') return
    const tokens = counts.reduce((sum, it) => sum + it, specials)
    this.#put({ ...row, content: { ...row.content, tokens } }, tell)
  }

  #put(row: Row, tell: (row: Row) => void): void {
    this.#remember(row)
    tell(row)
  }

  #remember(row: Row): void {
    this.#rows.delete(row.place)
    this.#rows.set(row.place, row)
    for (const place of this.#rows.keys()) {
      if (this.#rows.size <= remembered) break
      this.#rows.delete(place)
    }
  }
}

function shortText(value: string | boolean | readonly string[]): string {
  const text = typeof value === 'object' ? value.join(', ') : String(value)
  return fitted(text, wordsLength)
}

/** What is said of `sample`, which cannot be read and begins at `start` in its file. */
export function badRowOf({ message, position, isUnknownForm }: UnreadSample, start: Position): BadRow {
  const { line, character } = inFile(start, position)
  return {
    kind: 'bad',
    message,
    line: line + 1,
    column: character + 1,
    ...(isUnknownForm && { isUnknownForm }),
  }
}
