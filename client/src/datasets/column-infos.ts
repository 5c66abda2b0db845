/** What a page receives about columns: distributions of numbers, and the most frequent values of fields that describe samples. */
import { columnNamed, localized, standardColumns } from '../../../core/src/internal.ts'
import type { ColumnPass } from './column-pass.ts'
import type { ColumnInfo } from './dataset-protocol.ts'

const bars = 24 // of a histogram as wide as a column
const mostValues = 12
const mostFields = 100

/** What is known so far of the standard columns and of `fields`. */
export function columnInfos(
  columns: Pick<ColumnPass, 'statisticsOf'>,
  fields: readonly string[],
): readonly ColumnInfo[] {
  const names = [...standardColumns.map(({ name }) => name), ...fields.slice(0, mostFields)]
  return names
    .filter((name) => name !== 'line')
    .map((name) => {
      const statistics = columns.statisticsOf(name)
      const histogram = statistics.numbers(name)?.histogram(bars) ?? []
      const values = statistics.values(name)
      const top = values?.top(mostValues) ?? []
      return {
        name,
        summary: localized(columnNamed(name).summary),
        bars: histogram,
        isWhole: histogram.every(({ from, to }) => Number.isInteger(from) && Number.isInteger(to)),
        values: top,
        others: (values?.count ?? 0) - top.reduce((sum, [, count]) => sum + count, 0),
      }
    })
}
