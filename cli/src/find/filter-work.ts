/** Finds the samples of a stretch that match a query. */
import {
  compileQuery,
  type DialectName,
  type PathSettings,
  readSample,
  type SampleMatcher,
  seededNumber,
  viewOfSample,
} from '../../../core/src/internal.ts'
import { type SampleResults, type SampleSetup, type ShownStretch, sampleWork } from '../dataset/sample-results.ts'
import { placeOfSample } from '../dataset/stretch.ts'
import type { Doing, Work } from '../parallel/work.ts'

/** What is looked for. */
export interface FilterSetup extends SampleSetup {
  readonly query: string
  /** True to find the samples that do not match. */
  readonly inverts: boolean
  /** Set if some of the samples are to be chosen by chance. */
  readonly seed: number | undefined
  readonly dialect: DialectName | 'auto'
}

/** A stretch, and how its samples are judged. */
export interface FilterInput extends ShownStretch {
  readonly settings: PathSettings
}

/** The samples that were found, as they are in the file. */
export interface FilterResult extends SampleResults {
  readonly nFound: number
  /** Where each is in the bytes, and its number for a choice by chance; empty without a seed. */
  readonly found: readonly { readonly start: number; readonly end: number; readonly number: number }[]
}

/** Finding. */
export type FilterWork = Work<FilterSetup, FilterInput, FilterResult>
