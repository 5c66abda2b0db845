/** What comes of a stretch of a dataset: what is printed, and what is told about its samples. */
import { ConversionError, type Loss, type ReadOptions } from '../../../core/src/index.ts'
import { describe } from '../parallel/failure.ts'
import { ByteCollector } from './byte-collector.ts'
import type { BadLines } from './dataset.ts'
import { mistakeText } from './mistake-place.ts'
import { type Sample, samplesIn } from './samples.ts'
import { placeOfSample, type Stretch } from './stretch.ts'

/** Something to tell about a sample. */
export interface Note {
  /** `bad` for a sample that cannot be read or written, `file` for such a file, `internal` for a bug, `remark` for what changes no exit status. */
  readonly kind: 'bad' | 'loss' | 'file' | 'internal' | 'remark'
  /** With its place. */
  readonly text: string
}

/** What came of a stretch. */
export interface SampleResults {
  /** What is printed, as UTF-8. */
  readonly bytes: Uint8Array
  /** In the order of the samples. */
  readonly notes: readonly Note[]
  readonly nSamples: number
  /** How many losses there were; the notes have the first ones. */
  readonly nLosses: number
  /** True if the run is to end here. */
  readonly isStopped: boolean
}

/** How samples are read. */
export interface SampleSetup {
  /** The dataset as people see it. */
  readonly shown: string
  readonly badLines: BadLines
  readonly read: ReadOptions
}

/** A sample that could be read. */
export type GoodSample = Extract<Sample, { readonly read: unknown }>

/** Losses that are listed; the kinds repeat, and who needs all of them reads one file at a time. */
export const listedLosses = 100

/** Takes what comes of samples. */
export interface Collector {
  print(text: string): void
  tell(note: Note): void
  lose(where: string, losses: readonly Loss[]): void
}

/** Does something for each sample of `stretch`. A `ConversionError` makes a bad line of a sample. */
export function forSamples(
  stretch: Stretch,
  { shown, badLines, read }: SampleSetup,
  act: (sample: GoodSample, where: string, collector: Collector) => void,
): SampleResults {
  const printed = new ByteCollector(2 * stretch.bytes.length + 4096)
  const notes: Note[] = []
  let nSamples = 0
  let nLosses = 0
  const collector: Collector = {
    print: (text) => printed.add(text),
    tell: (note) => notes.push(note),
    lose: (where, losses) => {
      for (const { message } of losses) {
        nLosses++
        if (nLosses <= listedLosses) notes.push({ kind: 'loss', text: `${where}: lost: ${message}` })
      }
    },
  }
  const result = (isStopped: boolean) => ({
    bytes: printed.end(),
    notes,
    nSamples,
    nLosses,
    isStopped,
  })
  for (const sample of samplesIn(stretch, read)) {
    const where = placeOfSample(shown, stretch.place, sample.number)
    const problem =
      'problem' in sample
        ? sample.problem
        : attempt(sample, () => act(sample, where, collector), where, notes)
    nSamples++
    if (problem === undefined) continue
    notes.push({ kind: 'bad', text: `${where}: ${problem}` })
    if (badLines === 'stop') return result(true)
  }
  return result(false)
}

/** Why `act` failed for a sample, if the sample is to blame. A bug is noted, and the other samples are still done. */
function attempt({ source }: GoodSample, act: () => void, where: string, notes: Note[]): string | undefined {
  try {
    act()
  } catch (error) {
    if (error instanceof ConversionError) return mistakeText(error.message, error.offset, source)
    notes.push({ kind: 'internal', text: `${where}: internal problem: ${describe(error)}` })
  }
  return undefined
}
