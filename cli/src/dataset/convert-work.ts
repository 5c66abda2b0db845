/** Converts the samples of a dataset: one line each. */
import {
  convertedLine,
  type HeaderStyle,
  type RenderPurpose,
  type TargetForm,
} from '../../../core/src/internal.ts'
import type { Doing, Work } from '../parallel/work.ts'
import { type SampleResults, type SampleSetup, type ShownStretch, sampleWork } from './sample-results.ts'

/** How samples are converted. */
export interface ConvertSetup extends SampleSetup {
  readonly to: TargetForm
  readonly purpose: RenderPurpose | undefined
  readonly dropsReasoning: boolean
  readonly headers: HeaderStyle
}

/** A stretch becomes lines. */
export type ConvertWork = Work<ConvertSetup, ShownStretch, SampleResults>

/** Converts stretches. */
export function convertWork(setup: ConvertSetup): Doing<ConvertWork> {
  const { to, purpose, dropsReasoning, headers } = setup
  const writing = { to, purpose, dropsReasoning, headers }
  return sampleWork(setup, 'all', ({ sample: { frame } }, _where, collector) => {
    const { line, losses } = convertedLine(collector.read(), writing, frame)
    collector.lose(losses)
    collector.print(line)
    collector.print('\n')
  })
}
