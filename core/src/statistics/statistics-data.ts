/** Checks statistics that come from a file. */
import { isObject } from '../embedded/json-value.ts'
import type { StatisticsData } from './dataset-statistics.ts'
import { isCount, isNumberSummaryData } from './number-summary.ts'

/** True for what `DatasetStatistics` can merge. */
export function isStatisticsData(value: unknown): value is StatisticsData {
  if (!isObject(value) || !isCount(value.samples) || !isObject(value.columns)) return false
  const { columns, groups, refused = [] } = value
  const isGroups = groups === undefined || (isObject(groups) && Object.values(groups).every(isStatisticsData))
  const isRefused = Array.isArray(refused) && refused.every((it) => typeof it === 'string')
  return isGroups && isRefused && Object.values(columns).every(isColumn)
}

function isColumn(value: unknown): boolean {
  if (!isObject(value) || !isObject(value.numbers) || !isObject(value.values)) return false
  const { numbers, values } = value
  return isNumberSummaryData(numbers) && isCount(values.others) && isValueCounts(values.values)
}

function isValueCounts(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((it) => Array.isArray(it) && it.length === 2 && typeof it[0] === 'string' && isCount(it[1]))
  )
}
