/** Finds the samples of a stretch that match a query. */
import {
  compileQuery,
  countTokens,
  type DialectName,
  fieldAt,
  isObject,
  type Reading,
  type SampleMatcher,
  type SampleProblem,
  type SampleView,
  sampleLine,
  seededNumber,
  type ViewOptions,
  viewOfSample,
} from '../../../core/src/internal.ts'
import { judgeFor } from '../check/judge-for.ts'
import {
  type SampleResults,
  type SampleSetup,
  type ShownStretch,
  sampleWork,
} from '../dataset/sample-results.ts'
import type { SampleRange } from '../dataset/samples.ts'
import { placeOfSample } from '../dataset/stretch.ts'
import type { Doing, Work } from '../parallel/work.ts'
import { type ReviewedStretch, reviewsOf } from '../review/reviewed-dataset.ts'
import { loadRenderer } from '../training/load-renderer.ts'
import type { RenderChoice } from '../training/training-work.ts'

/** What is looked for. */
export interface FilterSetup extends SampleSetup {
  readonly query: string
  /** True to find the samples that do not match. */
  readonly inverts: boolean
  /** Set if some of the samples are to be chosen by chance. */
  readonly seed: number | undefined
  readonly dialect: DialectName | 'auto'
  /** What samples are rendered by, to count what a model is trained on; undefined if nothing asks for that. */
  readonly choice: RenderChoice | undefined
}

/** The samples that were found, as they are in the file: one a line. */
export interface FilterResult extends SampleResults {
  readonly found: readonly FoundSample[]
  readonly fields: FieldsOfSamples
}

/** What is known of the fields of samples that were read, for a query about fields that only samples have. */
export interface FieldsOfSamples {
  /** Those of the query that a sample has. */
  readonly known: readonly string[]
  /** The names of others, as far as there is a field of the query that none has. */
  readonly names: readonly string[]
}

/** A sample that was found. */
export interface FoundSample {
  /** Where it is in the bytes, with its line break. */
  readonly start: number
  readonly end: number
  /** Decides on a choice by chance; 0 without a seed. */
  readonly chance: number
}

/** A stretch, and the problems that its samples have among all others, by their numbers; undefined if nothing asks for these. */
export interface ComparedStretch extends ReviewedStretch {
  readonly compared?: ReadonlyMap<number, readonly SampleProblem[]> | undefined
}

/** Finding. */
export type FilterWork = Work<FilterSetup, ComparedStretch, FilterResult>

/** Starts finding. The query was checked before. */
export async function startFilterWork(setup: FilterSetup): Promise<Doing<FilterWork>> {
  const { query, inverts, seed, dialect } = setup
  const compiled = compileQuery(query)
  if (compiled.kind === 'mistake') throw new RangeError(compiled.message)
  const { matcher } = compiled
  const count = await tokenCounter(matcher.fields.has('tokens'))
  const renderer = await loadRenderer(setup.choice)
  const training = renderer?.count.bind(renderer)
  const judgeBy = await judgeFor(matcher.fields)
  return ({ shown, stretch, settings, reviewed, compared }) => {
    const judge = judgeBy?.({ dialect, settings })
    const review = reviewsOf(reviewed)
    const lines = new SampleLines(stretch)
    const found: FoundSample[] = []
    const fields = new FieldSearch(matcher.sampleFields)
    const take = (view: SampleView, range: SampleRange) => {
      fields.look(view)
      if (matcher.matches(view) === inverts) return
      const chance =
        seed === undefined ? 0 : seededNumber(seed, placeOfSample(shown, stretch.place, view.place))
      found.push({ ...lines.add(range), chance })
    }
    const work = sampleWork(
      { ...setup, takesBroken: brokenTaker({ matcher, look: { judge, review }, take }) },
      'nothing',
      ({ sample, number, range }, _where, collector) => {
        const among = () => compared?.get(number) ?? []
        const view = viewOfSample(sample, number, { judge, review, training, among, ...(count && { count }) })
        if (view.form === 'broken' && !matcher.isAboutBroken)
          collector.read() // which says what is wrong
        else take(view, range)
      },
    )
    return { ...work({ shown, stretch, settings }), bytes: lines.end(), found, fields: fields.result() }
  }
}

const mostNames = 200 // of fields; more are keys that are data themselves

/** Looks for fields of a query in samples. */
class FieldSearch {
  readonly #unknown: Set<string>
  readonly #known: string[] = []
  readonly #names = new Set<string>()

  constructor(asked: readonly string[]) {
    this.#unknown = new Set(asked)
  }

  look({ value }: SampleView): void {
    if (this.#unknown.size === 0 || !isObject(value)) return
    for (const name of this.#unknown) {
      if (fieldAt(value, name) === undefined) continue
      this.#unknown.delete(name)
      this.#known.push(name)
    }
    for (const name of Object.keys(value)) if (this.#names.size < mostNames) this.#names.add(name)
  }

  result(): FieldsOfSamples {
    return { known: this.#known, names: this.#unknown.size === 0 ? [] : [...this.#names] }
  }
}

function brokenTaker({
  matcher,
  look,
  take,
}: {
  readonly matcher: SampleMatcher
  readonly look: ViewOptions
  take(view: SampleView, range: SampleRange): void
}): NonNullable<SampleSetup['takesBroken']> {
  return ({ number, problem, range }) => {
    if (!matcher.isAboutBroken) return false
    const { message, source } = problem
    const sample = { kind: 'bad', json: source.json, reason: 'not-json', message, offset: undefined } as const
    take(viewOfSample(sample, number, look), range)
    return true
  }
}

/** Counts tokens; the vocabulary is loaded if that is wanted. */
export async function tokenCounter(isWanted: boolean): Promise<((reading: Reading) => number) | undefined> {
  if (!isWanted) return undefined
  const { o200k } = await import('#tokenizer')
  return ({ conversation }) => countTokens(conversation, o200k).total
}

/** Samples of a stretch byte for byte, one a line: of one that is on several lines, the line breaks and indentation are left out. */
export class SampleLines {
  readonly #bytes: Uint8Array
  readonly #offset: number
  readonly #taken: Uint8Array[] = []
  #length = 0

  constructor({ bytes, offset }: ShownStretch['stretch']) {
    this.#bytes = bytes
    this.#offset = offset
  }

  /** Adds the sample with those bytes in the file; where it is among the lines, with its line break. */
  add({ start, end }: SampleRange): { readonly start: number; readonly end: number } {
    const line = sampleLine(this.#bytes.subarray(start - this.#offset, end - this.#offset))
    this.#taken.push(line, lineBreak)
    const from = this.#length
    this.#length += line.length + 1
    return { start: from, end: this.#length }
  }

  /** All lines that were added. */
  end(): Uint8Array {
    return Buffer.concat(this.#taken)
  }
}

const lineBreak = new Uint8Array([10])
