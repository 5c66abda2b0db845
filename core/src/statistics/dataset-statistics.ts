/** The columns of a dataset as counts, quantiles, and top values (DATA.md §8, `ocm stats`). */
import type { JsonValue } from '../embedded/yaml-header.ts'
import {
  type Column,
  type ColumnValue,
  exactValueOf,
  fieldAt,
  isSideField,
  isSideValue,
  isStandardColumn,
  listedColumn,
  standardColumns,
} from '../query/dataset-columns.ts'
import type { SampleView } from '../query/sample-view.ts'
import { interned } from '../text/interned.ts'
import { withoutSecrets } from '../text/secrets.ts'
import { NumberSummary, type NumberSummaryData } from './number-summary.ts'
import { ValueSummary, type ValueSummaryData } from './value-summary.ts'

/** What is known of a column: of its numbers, and of its other values. */
export interface ColumnStatistics {
  readonly numbers: NumberSummaryData
  readonly values: ValueSummaryData
}

/** What is known of a dataset, or of the samples of a group, as data: for threads, files, and shards. */
export interface StatisticsData {
  readonly samples: number
  /** By name: standard columns first, then fields of samples in the order in which they were met. */
  readonly columns: Readonly<Record<string, ColumnStatistics>>
  /** True if samples have more fields than become columns. */
  readonly hasMoreFields?: true
  /** The fields that are no columns because one of their values was a part of a conversation. */
  readonly refused?: readonly string[]
  /** The samples by their value of the column that they are grouped by. */
  readonly groups?: Readonly<Record<string, StatisticsData>>
}

/** Fields of samples that become columns; more are keys that are data themselves. */
export const mostFields = 200
const mostNames = 10 * mostFields // of fields, as samples have them; several may be one name without their secrets
const mostGroups = 1000
const longestField = 200 // UTF-16 code units; longer texts are not values to count

/** What is summed up. */
export interface StatisticsOptions {
  readonly by?: string | undefined
  readonly columns?: readonly string[] | undefined
  /** Whether values and names of fields are added without their secrets: for what is passed on, or merged with what was. */
  readonly isRedacted?: boolean
}

/** Adds up samples one by one. */
export class DatasetStatistics {
  readonly #by: Column | undefined
  readonly #names: readonly string[] | undefined
  readonly #wanted: readonly Column[]
  readonly #isRedacted: boolean
  readonly #textOf: (text: string) => string
  #samples = 0
  readonly #columns = new Map<string, { readonly numbers: NumberSummary; readonly values: ValueSummary }>()
  readonly #groups = new Map<string, DatasetStatistics>()
  /** What fields are called here, by the names that samples have. */
  readonly #fieldNames = new Map<string, string>()
  /** Shared with the groups. */
  #refused = new Set<string>()
  #nFields = 0

  /**
   * @param options.by groups the samples by the values of that column as well
   * @param options.columns the names of the columns to sum up; by default those of S5 and the side fields of samples
   */
  constructor({ by, columns, isRedacted = false }: StatisticsOptions = {}) {
    this.#isRedacted = isRedacted
    this.#textOf = isRedacted ? withoutSecrets : (text) => text
    this.#by = by === undefined ? undefined : listedColumn(by)
    this.#names = columns
    this.#wanted = columns ? columns.map(listedColumn) : standardColumns.filter(({ name }) => name !== 'line')
  }

  get samples(): number {
    return this.#samples
  }

  /** The names of the columns that any sample has a value for. */
  get names(): readonly string[] {
    const standard = standardColumns.map(({ name }) => name).filter((it) => this.#columns.has(it))
    const fields = [...this.#columns.keys()].filter((it) => !isStandardColumn(it) && !this.#refused.has(it))
    return [...standard, ...fields]
  }

  /** The names of the fields of samples that are columns, in the order in which they were met. */
  get fieldNames(): readonly string[] {
    return this.names.filter((it) => !isStandardColumn(it))
  }

  /** True if samples have more fields than become columns. */
  get hasMoreFields(): boolean {
    return this.#nFields > mostFields
  }

  /** The fields that are no columns because one of their values was a part of a conversation. */
  get refused(): ReadonlySet<string> {
    return this.#refused
  }

  /** The groups by their values, the largest first; none of a field that is refused. */
  get groups(): readonly (readonly [value: string, group: DatasetStatistics])[] {
    if (this.#by !== undefined && this.#refused.has(this.#by.name)) return []
    return [...this.#groups].sort(([one, a], [other, b]) => b.samples - a.samples || (one < other ? -1 : 1))
  }

  /** The numbers of a column; undefined if no sample has one. */
  numbers(name: string): NumberSummary | undefined {
    const numbers = this.#refused.has(name) ? undefined : this.#columns.get(name)?.numbers
    return numbers && numbers.count > 0 ? numbers : undefined
  }

  /** The values of a column that are not numbers; undefined if no sample has one. */
  values(name: string): ValueSummary | undefined {
    const values = this.#refused.has(name) ? undefined : this.#columns.get(name)?.values
    return values && values.count > 0 ? values : undefined
  }

  /** `after` takes the place of the sample `before`, which was added, in statistics without groups. */
  replace(before: SampleView, after: SampleView): void {
    this.#samples--
    this.#eachValue(before, (name, value) => {
      const column = this.#columns.get(name)
      if (typeof value === 'number') column?.numbers.remove(value)
      else column?.values.remove(value)
    })
    this.#addTo(after)
  }

  add(sample: SampleView): void {
    this.#addTo(sample)
    if (this.#by === undefined) return
    this.#lookAt(this.#by, sample)
    const value = exactValueOf(this.#by, sample)
    for (const it of typeof value === 'object' ? value : [value]) this.#group(String(it ?? '')).#addTo(sample)
  }

  /** Adds the samples of another dataset, or of another part of this one. */
  merge({ samples, columns, hasMoreFields, refused = [], groups = {} }: StatisticsData): void {
    this.#samples += samples
    for (const it of refused) this.#refused.add(this.#textOf(it))
    for (const [name, { numbers, values }] of Object.entries(columns)) {
      const column = this.#column(this.#textOf(name))
      column?.numbers.merge(numbers)
      const redacted = values.values.map(([value, count]) => [this.#textOf(value), count] as const)
      column?.values.merge({ ...values, values: redacted })
    }
    if (hasMoreFields) this.#nFields = Math.max(this.#nFields, mostFields + 1)
    for (const [value, data] of Object.entries(groups)) this.#group(value).merge(data)
  }

  data(): StatisticsData {
    const columns = this.names.map((name) => {
      const { numbers, values } = this.#columns.get(name) ?? {
        numbers: new NumberSummary(),
        values: new ValueSummary(),
      }
      return [name, { numbers: numbers.data(), values: values.data() }] as const
    })
    return {
      samples: this.#samples,
      columns: Object.fromEntries(columns),
      ...(this.hasMoreFields && { hasMoreFields: true as const }),
      ...(this.#refused.size > 0 && { refused: [...this.#refused] }),
      ...(this.#groups.size > 0 && {
        groups: Object.fromEntries(this.groups.map(([value, group]) => [value, group.data()])),
      }),
    }
  }

  #addTo(sample: SampleView): void {
    this.#samples++
    this.#eachValue(sample, (name, value) => {
      const column = this.#column(name)
      if (typeof value === 'number') column?.numbers.add(value)
      else column?.values.add(value)
    })
  }

  /** The values of a sample in all columns, one by one. */
  #eachValue(sample: SampleView, take: (name: string, value: number | string) => void): void {
    const takeAll = (name: string, value: ColumnValue) => {
      if (value === undefined) return
      if (typeof value === 'object') for (const it of value) take(name, this.#textOf(it))
      else take(name, typeof value === 'number' ? value : this.#textOf(String(value)))
    }
    for (const column of this.#wanted) {
      this.#lookAt(column, sample)
      takeAll(column.name, column.valueOf(sample))
    }
    if (this.#names !== undefined) return
    const choice: FieldChoice = {
      isWanted: (it) => this.#looksAt(it),
      refuse: (it) => this.#refused.add(this.#nameOf(it)),
    }
    for (const [field, value] of sideValues(sample, choice)) takeAll(this.#nameOf(field), value)
  }

  /** Refuses a column that was asked for where its value was a part of a conversation. */
  #lookAt({ name }: Column, sample: SampleView): void {
    if (isRefusedFor(name, sample)) this.#refused.add(name)
  }

  /** False for a field after too many others. */
  #looksAt(field: string): boolean {
    return this.#fieldNames.size < mostNames || this.#fieldNames.has(field) || this.#columns.has(field)
  }

  #nameOf(field: string): string {
    const known = this.#fieldNames.get(field)
    if (known !== undefined) return known
    const name = this.#textOf(field)
    if (this.#fieldNames.size < mostNames) this.#fieldNames.set(interned(field), name)
    return name
  }

  #column(name: string) {
    const known = this.#columns.get(name)
    if (known) return known
    if (!isStandardColumn(name) && ++this.#nFields > mostFields) return undefined
    const column = { numbers: new NumberSummary(), values: new ValueSummary() }
    this.#columns.set(name, column)
    return column
  }

  #group(text: string): DatasetStatistics {
    const value = this.#textOf(text)
    const key = this.#groups.has(value) || this.#groups.size < mostGroups ? value : '…'
    let group = this.#groups.get(key)
    if (!group) {
      group = new DatasetStatistics({ columns: this.#names, isRedacted: this.#isRedacted })
      group.#refused = this.#refused
      this.#groups.set(key, group)
    }
    return group
  }
}

/** True if the value of the column `name` was a part of a conversation. */
export function isRefusedFor(name: string, { value }: SampleView): boolean {
  return !isStandardColumn(name) && !isSideValue(fieldAt(value, name))
}

/** Which fields of samples become columns. */
export interface FieldChoice {
  isWanted(name: string): boolean
  /** Called for a field whose value was a part of a conversation. */
  refuse(name: string): void
}

/** The fields of a sample that describe it and are wanted, with their values: those that are columns. */
export function* sideValues(
  { value, mapping }: SampleView,
  { isWanted, refuse }: FieldChoice,
): IterableIterator<readonly [name: string, value: string | number | boolean]> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  const fields = value as Readonly<Record<string, JsonValue>>
  // Without `Object.entries`, which makes a list for each field.
  for (const name of Object.keys(fields)) {
    const field = fields[name]
    // Whether a name describes a sample takes longest to know.
    if (field === undefined || !(typeof field === 'string' || isValue(field))) continue
    if (!isWanted(name) || isStandardColumn(name) || !isSideField(name, mapping)) continue
    if (!isSideValue(field)) refuse(name)
    else if (isValue(field)) yield [name, field]
  }
}

function isValue(field: JsonValue): field is string | number | boolean {
  return (
    typeof field === 'number' ||
    typeof field === 'boolean' ||
    (typeof field === 'string' && field.length <= longestField)
  )
}
