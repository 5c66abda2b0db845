/** Sums up the samples of a stretch. */
import {
  ColumnTable,
  DatasetStatistics,
  type DialectName,
  type StatisticsData,
  type StatisticsOptions,
  standardColumns,
  type TableData,
  viewOfSample,
} from '../../../core/src/internal.ts'
import { judgeFor } from '../check/judge-for.ts'
import { type SampleResults, type SampleSetup, sampleWork } from '../dataset/sample-results.ts'
import { tokenCounter } from '../find/filter-work.ts'
import type { Doing, Work } from '../parallel/work.ts'
import { type ReviewedStretch, reviewsOf } from '../review/reviewed-dataset.ts'
import { loadRenderer } from '../training/load-renderer.ts'
import type { RenderChoice } from '../training/training-work.ts'

/** What is summed up. */
export interface StatsSetup extends SampleSetup, StatisticsOptions {
  readonly dialect: DialectName | 'auto'
  /** What samples are rendered by, to count what a model is trained on; undefined if nothing asks for that. */
  readonly choice: RenderChoice | undefined
  /** True for the values of each sample, instead of their sums. */
  readonly isTable: boolean
}

/** The sums, or the values. */
export interface StatsResult extends SampleResults {
  readonly data: StatisticsData
  readonly table: TableData | undefined
}

/** Summing up. */
export type StatsWork = Work<StatsSetup, ReviewedStretch, StatsResult>

/** Starts summing up. */
export async function startStatsWork(setup: StatsSetup): Promise<Doing<StatsWork>> {
  const { by, columns, dialect } = setup
  const count = await tokenCounter(columns === undefined || columns.includes('tokens') || by === 'tokens')
  const renderer = await loadRenderer(setup.choice)
  const training = renderer?.count.bind(renderer)
  const judgeBy = await judgeFor([
    ...(columns ?? standardColumns.map(({ name }) => name)),
    ...(by === undefined ? [] : [by]),
  ])
  return ({ shown, stretch, settings, reviewed }) => {
    const judge = judgeBy?.({ dialect, settings })
    const review = reviewsOf(reviewed)
    const statistics = new DatasetStatistics({ by, columns, isRedacted: true })
    const table = setup.isTable ? new ColumnTable(columns) : undefined
    const work = sampleWork(setup, 'nothing', ({ sample, number }, _where, collector) => {
      const view = viewOfSample(sample, number, { judge, review, training, ...(count && { count }) })
      if (view.form === 'broken')
        collector.read() // which says what is wrong
      else if (table) table.add(view)
      else statistics.add(view)
    })
    return { ...work({ shown, stretch, settings }), data: statistics.data(), table: table?.data() }
  }
}
