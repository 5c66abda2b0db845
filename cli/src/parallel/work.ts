/** What workers can do. Set-ups, pieces and results are data that can be sent to another thread. */
import type { CheckWork } from '../check/check-work.ts'
import type { ConvertWork } from '../dataset/convert-work.ts'
import type { RenderWork } from '../dataset/render-work.ts'
import type { TokenWork } from '../dataset/token-work.ts'
import type { FilterWork } from '../find/filter-work.ts'
import type { MarkWork } from '../find/mark-work.ts'
import type { ReportWork } from '../report/report-work.ts'
import type { ReviewWork } from '../review/review-work.ts'
import type { StatsWork } from '../stats/stats-work.ts'
import type { TrainingWork } from '../training/training-work.ts'

/** A kind of work. */
export interface Work<Setup, Input, Result> {
  readonly setup: Setup
  readonly input: Input
  readonly result: Result
}

/** The kinds of work by name. */
export interface Works {
  readonly check: CheckWork
  readonly convert: ConvertWork
  readonly tokens: TokenWork
  readonly render: RenderWork
  readonly filter: FilterWork
  readonly marks: MarkWork
  readonly stats: StatsWork
  readonly review: ReviewWork
  readonly report: ReportWork
  readonly training: TrainingWork
}

/** Does one piece of work. */
export type Doing<It extends Work<unknown, unknown, unknown>> = (
  input: It['input'],
) => It['result'] | Promise<It['result']>

type Starts = { readonly [Name in keyof Works]: () => Promise<Start<Works[Name]>> }

/** Makes what does the work, once per thread. */
export type Start<It extends Work<unknown, unknown, unknown>> = (
  setup: It['setup'],
) => Doing<It> | Promise<Doing<It>>

/** Loads the work named `name`. */
export async function startWork<Name extends keyof Works>(
  name: Name,
  setup: Works[Name]['setup'],
): Promise<Doing<Works[Name]>> {
  const start = (await starts[name]()) as Start<Works[Name]> // by its own name
  return start(setup)
}

const starts: Starts = {
  check: async () => (await import('../check/check-work.ts')).startCheckWork,
  convert: async () => (await import('../dataset/convert-work.ts')).convertWork,
  tokens: async () => {
    const { tokenWork } = await import('../dataset/token-work.ts')
    const { o200k } = await import('#tokenizer')
    return (setup) => tokenWork(setup, o200k)
  },
  render: async () => (await import('../dataset/render-work.ts')).startRenderWork,
  filter: async () => (await import('../find/filter-work.ts')).startFilterWork,
  marks: async () => (await import('../find/mark-work.ts')).startMarkWork,
  stats: async () => (await import('../stats/stats-work.ts')).startStatsWork,
  review: async () => (await import('../review/review-work.ts')).startReviewWork,
  report: async () => (await import('../report/report-work.ts')).startReportWork,
  training: async () => (await import('../training/training-work.ts')).startTrainingWork,
}
