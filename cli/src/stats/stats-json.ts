/** Statistics of a dataset for programs, and for `--merge`. */
import {
  type DatasetStatistics,
  isObject,
  isStatisticsData,
  type StatisticsData,
} from '../../../core/src/internal.ts'
import { datasetsOfPart } from '../dataset/report-title.ts'
import { type UnreadData, unreadOfPart } from '../dataset/unread-input.ts'
import { maxLengthShare } from './max-length.ts'
import type { StatsOptions } from './stats-text.ts'

const schemaVersion = 1
const quantiles = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99] as const
const mostValues = 100
const bars = 20

/** One JSON object: what was asked for, and `parts`, which `--merge` needs. */
export function statsJson(
  statistics: DatasetStatistics,
  { maxLength, by, datasets, unread }: StatsOptions & { readonly datasets: readonly string[] },
): string {
  const object = {
    schemaVersion,
    datasets,
    unread,
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

/** Statistics that were written for `--merge`. */
export interface ReadStatistics {
  readonly datasets: readonly string[]
  /** The column by whose values there are groups. */
  readonly by: string | undefined
  readonly maxLength: number | undefined
  readonly data: StatisticsData
  readonly unread: UnreadData
}

/** The statistics that {@link statsJson} wrote to the file `path`; undefined for any other text. */
export function statsFromJson(text: string, path: string): ReadStatistics | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const {
    schemaVersion: version,
    parts,
    datasets,
    unread,
    by,
    maxLength,
  } = value as Readonly<Record<string, unknown>>
  if (version !== schemaVersion || !isStatisticsData(parts)) return undefined
  return {
    datasets: datasetsOfPart(datasets, path),
    by: typeof by === 'string' ? by : undefined,
    maxLength: lengthOfPart(maxLength),
    data: parts,
    unread: unreadOfPart(unread),
  }
}

function lengthOfPart(share: unknown): number | undefined {
  const length = isObject(share) ? Number(share.length) : 0
  return Number.isSafeInteger(length) && length > 0 ? length : undefined
}
