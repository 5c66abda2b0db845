/** The marks by which the samples of a stretch are compared with all others. */
import { datasetMark } from '../../../core/src/internal.ts'
import {
  type SampleResults,
  type SampleSetup,
  type ShownStretch,
  sampleWork,
} from '../dataset/sample-results.ts'
import type { Doing, Work } from '../parallel/work.ts'
import type { PlacedMark } from '../report/report-work.ts'

/** The marks, in the order of the samples. */
export interface MarkResult extends SampleResults {
  readonly marks: readonly PlacedMark[]
}

/** Marking. */
export type MarkWork = Work<SampleSetup, ShownStretch, MarkResult>

/** Starts marking. */
export function startMarkWork(setup: SampleSetup): Doing<MarkWork> {
  return (input) => {
    const marks: PlacedMark[] = []
    const work = sampleWork(setup, 'nothing', ({ sample, number }, _where, collector) => {
      const mark = datasetMark(sample.value, collector.read())
      marks.push({ shown: input.shown, number, mark })
    })
    return { ...work(input), marks }
  }
}
