/** What a query means: which samples match, and where. */
import { closestWord } from '../rules/closest-word.ts'
import { localize } from '../text/localize.ts'
import type { Span } from '../text/range.ts'
import type { DatasetMapping } from '../vocabulary/dataset-mapping.ts'
import { ByteSearch } from './byte-search.ts'
import { isStandardColumn, standardColumns } from './dataset-columns.ts'
import { neededWords } from './needed-words.ts'
import { parseQuery } from './parse-query.ts'
import { type Query, type QueryMistake, type QueryTerm, termsOf, type ValueTest } from './query.ts'
import {
  aboutColumn,
  anywhere,
  type KnownNames,
  problemFieldName,
  queryFieldNamed,
  queryFields,
  type SampleTest,
  type TermMeaning,
} from './query-fields.ts'
import type { SampleProblem, SampleText, SampleView } from './sample-view.ts'

/** Finds samples. */
export interface SampleMatcher {
  /** The names of the fields and columns that the query is about. */
  readonly fields: ReadonlySet<string>
  /** Those of them that only samples can have: no field of the language, and no standard column. */
  readonly sampleFields: readonly string[]
  /** True if the query says itself what it wants of samples that cannot be read. */
  readonly isAboutBroken: boolean
  /** True if the query looks for something in texts, so that there may be hits. */
  readonly looksForText: boolean
  matches(sample: SampleView): boolean
  /**
   * False for bytes of a sample that cannot match, which is many times faster than to read it.
   *
   * @param mapping how columns of the sample are called, which decides what its texts are
   */
  mayMatch(bytes: Uint8Array, mapping?: DatasetMapping): boolean
  /** The same for samples that are parts of `bytes`, from one offset to before another; undefined if any bytes may match. */
  readonly mayMatchIn:
    | ((bytes: Uint8Array) => (start: number, end: number, mapping?: DatasetMapping) => boolean)
    | undefined
  /** True if the query asks for the problem with that code, or of that rule: whether a sample has it, decides. */
  asksForProblem(problem: Pick<SampleProblem, 'code' | 'rule'>): boolean
  /** The columns whose values decide; undefined if other things count as well. */
  readonly columns: readonly string[] | undefined
  /** For samples of which {@link columns} are known, 1 for those that match and 0 for the others. */
  marks(places: Span, columnNamed: (column: string) => MarkedColumn | undefined): Uint8Array
  /** What the query found in the texts of a sample that matches, in their order. */
  hitsIn(sample: SampleView): readonly QueryHit[]
}

/** A column whose values are known. */
export interface MarkedColumn {
  /** For the samples from `from` to before `to`, 1 for those with a value for which `test` holds, and 0 for the others. */
  marks(test: ValueTest, from: number, to: number): Uint8Array
}

/** A place in a text of a sample. Whether it may be shown is a matter of {@link SampleText.isHidden}. */
export interface QueryHit {
  readonly text: SampleText
  /** In the text. UTF-16 code units. */
  readonly span: Span
}

/** A matcher, or why there is none. */
export type CompiledQuery =
  | { readonly kind: 'matcher'; readonly matcher: SampleMatcher }
  | ({ readonly kind: 'mistake' } & QueryMistake)

/**
 * The query that `text` is (S7).
 *
 * @param known names that it can use
 */
export function compileQuery(text: string, known: KnownNames = {}): CompiledQuery {
  const parsed = parseQuery(text)
  if (parsed.kind === 'mistake') return parsed
  const compiler = new Compiler(known)
  const test = compiler.testOf(parsed.query)
  if (compiler.mistake) return { kind: 'mistake', ...compiler.mistake }
  return { kind: 'matcher', matcher: new Matcher(parsed.query, test, compiler.meanings) }
}

const mostHits = 1000 // of a sample

class Matcher implements SampleMatcher {
  readonly fields: ReadonlySet<string>
  readonly sampleFields: readonly string[]
  readonly isAboutBroken: boolean
  readonly columns: readonly string[] | undefined
  readonly #query: Query
  readonly #meanings: ReadonlyMap<QueryTerm, TermMeaning>
  readonly #test: SampleTest
  readonly #search: ByteSearch | undefined
  readonly #lookedFor: readonly NonNullable<TermMeaning['looksFor']>[]

  constructor(query: Query, test: SampleTest, meanings: ReadonlyMap<QueryTerm, TermMeaning>) {
    this.fields = new Set([...termsOf(query)].flatMap(({ field }) => field ?? []))
    this.sampleFields = [...this.fields].filter((it) => !isKnown(it))
    this.isAboutBroken = [...termsOf(query)].some(isAboutBroken)
    const columns = [...meanings.values()].map(({ ofColumn }) => ofColumn?.name)
    this.columns = columns.some((it) => it === undefined)
      ? undefined
      : [...new Set(columns.flatMap((it) => it ?? []))]
    this.#query = query
    this.#meanings = meanings
    this.#test = test
    const needed = neededWords(query, (term) => meanings.get(term)?.needs)
    this.#search = needed && new ByteSearch(needed)
    this.#lookedFor = affirmed(query).flatMap((term) => meanings.get(term)?.looksFor ?? [])
  }

  get looksForText(): boolean {
    return this.#lookedFor.length > 0
  }

  matches(sample: SampleView): boolean {
    return this.#test(sample)
  }

  mayMatch(bytes: Uint8Array, mapping?: DatasetMapping): boolean {
    return this.#search?.mayHave(bytes, mapping) !== false
  }

  get mayMatchIn(): SampleMatcher['mayMatchIn'] {
    const search = this.#search
    return search && ((bytes) => search.in(bytes))
  }

  asksForProblem({ code, rule }: Pick<SampleProblem, 'code' | 'rule'>): boolean {
    return [...this.#meanings].some(
      ([{ field }, { wants }]) => field === problemFieldName && wants && (wants(code) || wants(rule)),
    )
  }

  marks({ from, to }: Span, columnNamed: (column: string) => MarkedColumn | undefined): Uint8Array {
    const marksOf = (query: Query): Uint8Array => {
      switch (query.kind) {
        case 'not':
          return marksOf(query.of).map((it) => 1 - it)
        case 'all':
        case 'any':
          return combined(query.kind, query.of.map(marksOf), to - from)
        case 'term': {
          const { ofColumn } = this.#meanings.get(query) ?? {}
          const column = ofColumn && columnNamed(ofColumn.name)
          return (ofColumn && column?.marks(ofColumn.test, from, to)) ?? new Uint8Array(to - from)
        }
      }
    }
    return marksOf(this.#query)
  }

  hitsIn({ texts }: SampleView): readonly QueryHit[] {
    const hits: QueryHit[] = []
    for (const text of texts) {
      const found = this.#lookedFor.flatMap(({ pattern, isIn }) =>
        isIn(text) ? first(pattern.spans(text.text)) : [],
      )
      found.sort((one, other) => one.from - other.from || other.to - one.to)
      for (const span of found) {
        if (hits.length >= mostHits) return hits
        hits.push({ text, span })
      }
    }
    return hits
  }
}

/** Marks of samples that all, or any, of `marks` have. */
function combined(kind: 'all' | 'any', marks: readonly Uint8Array[], length: number): Uint8Array {
  const [first = new Uint8Array(length).fill(kind === 'all' ? 1 : 0), ...others] = marks
  // Two loops, because a choice in one would cost more than what it chooses.
  for (const other of others) {
    if (kind === 'all')
      for (let at = 0; at < length; at++) first[at] = (first[at] as number) & (other[at] as number)
    else for (let at = 0; at < length; at++) first[at] = (first[at] as number) | (other[at] as number)
  }
  return first
}

function isAboutBroken({ field, value }: QueryTerm): boolean {
  return (
    (field === 'is' || field === 'form') && value.kind === 'text' && value.text.toLowerCase() === 'broken'
  )
}

function first(spans: Iterable<Span>): readonly Span[] {
  const found: Span[] = []
  for (const span of spans) {
    if (found.length >= mostHits) break
    found.push(span)
  }
  return found
}

/** The terms that must hold for a sample to match, or one of them: a negated term has no place in what is found. */
function affirmed(query: Query): readonly QueryTerm[] {
  if (query.kind === 'term') return [query]
  return query.kind === 'not' ? [] : query.of.flatMap(affirmed)
}

/** Keeps the first mistake. */
class Compiler {
  mistake: QueryMistake | undefined
  readonly meanings = new Map<QueryTerm, TermMeaning>()
  readonly #known: KnownNames

  constructor(known: KnownNames) {
    this.#known = known
  }

  testOf(query: Query): SampleTest {
    switch (query.kind) {
      case 'not': {
        const test = this.testOf(query.of)
        return (sample) => !test(sample)
      }
      case 'all': {
        const tests = query.of.map((it) => this.testOf(it))
        return (sample) => tests.every((test) => test(sample))
      }
      case 'any': {
        const tests = query.of.map((it) => this.testOf(it))
        return (sample) => tests.some((test) => test(sample))
      }
      case 'term':
        return this.#testOfTerm(query)
    }
  }

  #testOfTerm(term: QueryTerm): SampleTest {
    const meaning = this.#meaningOf(term)
    if ('problem' in meaning) {
      this.mistake ??= { message: meaning.problem, span: term.span }
      return () => false
    }
    this.meanings.set(term, meaning)
    return meaning.test
  }

  #meaningOf({ field, value }: QueryTerm): TermMeaning | { readonly problem: string } {
    if (field === undefined) return anywhere(value)
    const known = queryFieldNamed(field)
    // `calls` is a field for names and a column for numbers.
    if (known && !(value.kind === 'numbers' && isStandardColumn(field)))
      return known.meaningOf(value, this.#known)
    const { columns } = this.#known
    const isColumn = (name: string) => field === name || field.startsWith(`${name}.`)
    if (columns && !isKnown(field) && !columns.some(isColumn))
      return { problem: unknownFieldText(field, columns) }
    return aboutColumn(field, value)
  }
}

/** That no sample has `field`, with the nearest name, also of the fields that samples have. */
export function unknownFieldText(field: string, ofSamples: readonly string[]): string {
  const names = queryFields.map(({ name }) => name)
  return (
    meantText(field, [...names, ...ofSamples]) ??
    localize`Unknown field \`${field}\`. To search for it as text, put it in quotation marks`
  )
}

/** As {@link unknownFieldText}, for a column that is not part of a query. */
export function unknownColumnText(field: string, ofSamples: readonly string[]): string {
  return meantText(field, ofSamples) ?? localize`Unknown field \`${field}\``
}

/** Undefined if `field` is like no standard column, and like none of `names`. */
function meantText(field: string, names: readonly string[]): string | undefined {
  const meant = closestWord(field, [...standardColumns.map(({ name }) => name), ...names])
  return meant === undefined ? undefined : localize`Unknown field \`${field}\`. Did you mean \`${meant}\`?`
}

function isKnown(field: string): boolean {
  return queryFieldNamed(field) !== undefined || isStandardColumn(field)
}
