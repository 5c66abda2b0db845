/** How a maximal length of training sequences fits a dataset. */
import type { DatasetStatistics } from '../../../core/src/internal.ts'

/** How many samples fit a maximum length. */
export interface MaxLengthShare {
  readonly length: number
  /** Samples that are longer. */
  readonly over: number
  /** How many sequences of that length all samples fill at least, cut and packed. */
  readonly sequences: number
}

/** The share of `statistics`; undefined without a length, or if no tokens were counted. */
export function maxLengthShare(
  statistics: DatasetStatistics,
  length: number | undefined,
): MaxLengthShare | undefined {
  const tokens = statistics.numbers('tokens')
  if (length === undefined || !tokens) return undefined
  return { length, over: tokens.above(length), sequences: Math.ceil(tokens.sumUpTo(length) / length) }
}
