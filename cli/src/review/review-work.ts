/** The hashes by which a review file knows the samples of a stretch. */
import { createHash } from 'node:crypto'
import { canonicalSample, hashText, type SampleView, viewOfSample } from '../../../core/src/internal.ts'
import {
  type SampleResults,
  type SampleSetup,
  type ShownStretch,
  sampleWork,
} from '../dataset/sample-results.ts'
import type { SampleRange } from '../dataset/samples.ts'
import { SampleLines } from '../find/filter-work.ts'
import type { Doing, Work } from '../parallel/work.ts'

/** What is wanted. */
export interface ReviewSetup extends SampleSetup {
  /** True if the samples are wanted as well, one a line. */
  readonly hasLines: boolean
}

/** A sample as a review file knows it. */
export interface HashedSample {
  readonly place: number
  readonly hash: string
  /** True if it cannot be read. */
  readonly isBroken: boolean
  /** The names of its branches, if there are several. */
  readonly branches: readonly string[]
  /** Where it is in the bytes of the result, with its line break; 0 if samples are not wanted. */
  readonly start: number
  readonly end: number
}

/** The samples in their order. */
export interface ReviewResult extends SampleResults {
  readonly samples: readonly HashedSample[]
}

/** Hashing. */
export type ReviewWork = Work<ReviewSetup, ShownStretch, ReviewResult>

/** The hash of a sample. */
export function hashOfView(view: SampleView): string {
  return hashText(createHash('sha256').update(canonicalSample(view), 'utf8').digest())
}

/** Starts hashing. A sample that cannot be read is known by its text. */
export function startReviewWork(setup: ReviewSetup): Doing<ReviewWork> {
  return (input) => {
    const lines = new SampleLines(input.stretch)
    const samples: HashedSample[] = []
    const add = (view: SampleView, range: SampleRange) => {
      const line = setup.hasLines ? lines.add(range) : { start: 0, end: 0 }
      const { place, branches, form } = view
      samples.push({ place, hash: hashOfView(view), isBroken: form === 'broken', branches, ...line })
    }
    const work = sampleWork(
      {
        ...setup,
        takesBroken: ({ number, problem: { message, source }, range }) => {
          const sample = {
            kind: 'bad',
            json: source.json,
            reason: 'not-json',
            message,
            offset: undefined,
          } as const
          add(viewOfSample(sample, number), range)
          return true
        },
      },
      'nothing',
      ({ sample, number, range }) => add(viewOfSample(sample, number), range),
    )
    const result = work(input)
    return { ...result, bytes: lines.end(), samples }
  }
}
