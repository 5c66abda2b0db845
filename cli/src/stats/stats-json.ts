/** Statistics of a dataset for programs, and for `--merge`. */
import { type DatasetStatistics, isObject, type StatisticsData } from '../../../core/src/internal.ts'
import { maxLengthShare } from './max-length.ts'
import type { StatsOptions } from './stats-text.ts'

const schemaVersion = 1
const quantiles = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99] as const
const mostValues = 100
const bars = 20

/** One JSON object: what was asked for, and `parts`, which `--merge` needs. */
export function statsJson(statistics: DatasetStatistics, { maxLength, by }: StatsOptions): string {
  const object = {
    schemaVersion,
    ...summary(statistics),
    ...(by !== undefined && {
      by,
      groups: statistics.groups.map(([value, group]) => ({ value, ...summary(group) })),
    }),
    maxLength: maxLengthShare(statistics, maxLength),
    parts: statistics.data(),
  }
  return JSON.stringify(object)
}

function summary(statistics: DatasetStatistics) {
  const columns = statistics.names.map((name) => {
    const numbers = statistics.numbers(name)
    const values = statistics.values(name)
    return {
      name,
      ...(numbers && {
        count: numbers.count,
        sum: numbers.sum,
        least: numbers.data().least,
        greatest: numbers.data().greatest,
        quantiles: Object.fromEntries(quantiles.map((it) => [it, numbers.quantile(it)])),
        histogram: numbers.histogram(bars),
      }),
      ...(values && {
        values: values.top(mostValues).map(([value, count]) => ({ value, count })),
        distinct: values.distinct,
        hasMoreValues: values.hasOthers,
      }),
    }
  })
  return { samples: statistics.samples, columns }
}

/** The statistics that {@link statsJson} wrote; undefined for any other text. */
export function statsFromJson(
  text: string,
): { readonly by: string | undefined; readonly data: StatisticsData } | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const { schemaVersion: version, parts, by } = value as Readonly<Record<string, unknown>>
  if (version !== schemaVersion || !isStatisticsData(parts)) return undefined
  return { by: typeof by === 'string' ? by : undefined, data: parts }
}

/** True for what `DatasetStatistics` can merge. */
export function isStatisticsData(value: unknown): value is StatisticsData {
  if (!isObject(value) || !isCount(value.samples) || !isObject(value.columns)) return false
  const { columns, groups } = value
  const isGroups = groups === undefined || (isObject(groups) && Object.values(groups).every(isStatisticsData))
  return isGroups && Object.values(columns).every(isColumn)
}

function isColumn(value: unknown): boolean {
  if (!isObject(value) || !isObject(value.numbers) || !isObject(value.values)) return false
  const { numbers, values } = value
  return (
    isCount(numbers.count) &&
    isPairs(numbers.counts, 'number') &&
    typeof numbers.isExact === 'boolean' &&
    isCount(values.others) &&
    isPairs(values.values, 'string')
  )
}

function isPairs(value: unknown, key: 'number' | 'string'): boolean {
  return (
    Array.isArray(value) &&
    value.every((it) => Array.isArray(it) && it.length === 2 && typeof it[0] === key && isCount(it[1]))
  )
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
