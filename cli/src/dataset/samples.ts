/** The samples of a stretch of a dataset, each read as a conversation. */
import {
  type BadSample,
  type GoodSample as ReadableSample,
  type ReadOptions,
  readSample,
  type Stretch,
  samplePlaces,
} from '../../../core/src/internal.ts'
import type { SampleSource } from './mistake-place.ts'
import { isInShard, type Shard } from './shard.ts'
import { stretchLimits } from './stretch.ts'

/** A sample: the conversation of a line, or why there is none. */
export type Sample = GoodSample | BrokenSample

/** A sample that cannot be parsed. */
export interface BrokenSample {
  readonly number: number
  readonly problem: SampleMistake
  /** Its bytes in the file. */
  readonly range: SampleRange
}

/** Where the bytes of a sample are in the file. */
export interface SampleRange {
  readonly start: number
  readonly end: number
}

/** Why a sample cannot be read. */
export interface SampleMistake {
  readonly message: string
  /** Where in the JSON of the sample; undefined if it concerns all of it. */
  readonly offset: number | undefined
  readonly source: SampleSource
  /** True for JSON that is not a conversation. */
  readonly isOther?: boolean
}

/** A sample that could be parsed, and where it is. */
export interface GoodSample {
  readonly number: number
  readonly source: SampleSource
  readonly sample: ReadableSample
  /** Its bytes in the file. */
  readonly range: SampleRange
}

/** Which samples are read. */
export interface WantedSamples {
  /** The part of the samples that is read; absent for all of them. */
  readonly shard?: Shard | undefined
}

/** The wanted samples in their order. Nothing is thrown, whatever the bytes are. */
export function* samplesIn(
  stretch: Stretch,
  options: ReadOptions,
  { shard }: WantedSamples = {},
): IterableIterator<Sample> {
  const { first, place, isTooLong, offset } = stretch
  for (const { start, end, number, line, character } of samplePlaces(stretch)) {
    if (!isInShard(isTooLong ? first : number, shard)) continue
    const range = { start: offset + start, end: offset + end }
    const origin = { start: { line, character }, isLine: place === 'line' || place === 'row' }
    const mistake = stretch.mistakes?.get(number)
    if (mistake !== undefined) {
      const problem = { message: mistake, offset: undefined, source: { json: '', ...origin } }
      yield { number, problem, range }
      if (!isTooLong) continue
      return
    }
    if (isTooLong) {
      const message = `is longer than ${stretchLimits.sample / 2 ** 20} MB, which is the limit`
      const problem = { message, offset: undefined, source: { json: '', ...origin } }
      yield { number: first, problem, range }
      return
    }
    const bytes = stretch.bytes.subarray(start, end)
    const sample = readSample(bytes, options)
    const source = { json: sample.json, ...origin }
    if (sample.kind === 'bad') yield { number, problem: mistakeOf(sample, source), range }
    else yield { number, source, sample, range }
  }
}

function mistakeOf(sample: BadSample, source: SampleSource): SampleMistake {
  const { reason, offset } = sample
  const message = messages[reason] ?? sample.message
  return { message, offset, source, isOther: reason === 'no-conversation' }
}

/** After the place of a sample. */
const messages: Readonly<Partial<Record<BadSample['reason'], string>>> = {
  missing: 'is missing',
  'not-utf8': 'is not UTF-8',
}
