/** Statistics of a dataset for people: numbers as a table, values with their counts. */

import type { DatasetStatistics } from '../../../core/src/internal.ts'
import type { UnreadData } from '../dataset/unread-input.ts'
import { displayableLine, lineStart } from '../terminal/displayable.ts'
import { maxLengthShare } from './max-length.ts'

/** What is shown. */
export interface StatsOptions {
  /** Of a training sequence, in tokens. */
  readonly maxLength: number | undefined
  /** The column that the samples are grouped by. */
  readonly by: string | undefined
  /** What is not in them. */
  readonly unread: UnreadData
}

const quantiles = [0.5, 0.9, 0.99] as const
const shownValues = 5
const shownGroups = 30

/** The statistics as lines. */
export function* statsText(
  statistics: DatasetStatistics,
  { maxLength, by }: StatsOptions,
): IterableIterator<string> {
  yield `${count(statistics.samples)} ${statistics.samples === 1 ? 'sample' : 'samples'}\n`
  yield* numbersTable(statistics)
  yield* valuesList(statistics)
  const share = maxLengthShare(statistics, maxLength)
  if (share) {
    const percent = (100 * share.over) / Math.max(1, statistics.samples)
    yield `\n${count(share.over)} of ${count(statistics.samples)} samples (${percent.toFixed(1)} %) are longer than ${count(share.length)} tokens.\n`
    yield `Cut to that length and packed, they fill at least ${count(share.sequences)} sequences.\n`
  }
  if (by !== undefined) yield* groupsTable(statistics, by)
}

function* numbersTable(statistics: DatasetStatistics): IterableIterator<string> {
  const rows = statistics.names.flatMap((name) => {
    const numbers = statistics.numbers(name)
    if (!numbers) return []
    const { least, greatest } = numbers.data()
    const cells = [
      least,
      ...quantiles.map((it) => numbers.quantile(it) ?? 0),
      greatest,
      numbers.sum / numbers.count,
    ]
    return [[name, ...cells.map(short), count(numbers.count)]]
  })
  if (rows.length === 0) return
  const head = ['column', 'least', 'median', '90 %', '99 %', 'greatest', 'mean', 'samples']
  yield '\n'
  yield* table([head, ...rows])
}

function* valuesList(statistics: DatasetStatistics): IterableIterator<string> {
  const rows = statistics.names.flatMap((name) => {
    const values = statistics.values(name)
    if (!values) return []
    const top = values
      .top(shownValues)
      .map(([value, times]) => `${displayableLine(value) || '(empty)'} ${count(times)}`)
    const left = values.distinct - top.length
    const more = left > 0 ? [`${values.hasOthers ? 'more than ' : ''}${count(left)} more`] : []
    return [[name, [...top, ...more].join(' · ')]]
  })
  if (rows.length === 0) return
  yield '\n'
  const width = Math.max(...rows.map(([name = '']) => name.length))
  for (const [name = '', values = ''] of rows) yield `${lineStart(name).padEnd(width)}  ${values}\n`
}

function* groupsTable(statistics: DatasetStatistics, by: string): IterableIterator<string> {
  const { groups } = statistics
  const columns = ['messages', 'tokens', 'chars', 'errors', 'warnings'].filter((it) => statistics.numbers(it))
  const rows = groups.slice(0, shownGroups).map(([value, group]) => [
    lineStart(value) || '(none)',
    count(group.samples),
    ...columns.map((it) => {
      const numbers = group.numbers(it)
      return numbers ? short(numbers.sum / numbers.count) : ''
    }),
  ])
  yield '\n'
  yield* table([[lineStart(by), 'samples', ...columns.map((it) => `mean ${it}`)], ...rows])
  const left = groups.length - shownGroups
  if (left > 0) yield `${count(left)} more groups\n`
}

/** Cells in columns, the first to the left and numbers to the right. */
function* table(rows: readonly (readonly string[])[]): IterableIterator<string> {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    )
    yield `${cells.join('  ').trimEnd()}\n`
  }
}

/** A whole number with separators. */
export function count(number: number): string {
  return number.toLocaleString('en')
}

/** A number as people read it: at most four digits after the point. */
export function short(number: number): string {
  if (Number.isInteger(number)) return count(number)
  const digits = Math.abs(number) >= 100 ? 1 : Math.abs(number) >= 1 ? 2 : 4
  return number.toLocaleString('en', { maximumFractionDigits: digits })
}
