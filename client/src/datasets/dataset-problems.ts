/** The problems of a dataset as a whole, and of samples among the others: found in one pass, when someone asks (S16). */
import { DatasetCheck, datasetMark, type Problem, readingOf, readSample } from '../../../core/src/internal.ts'
import type { ListedFile } from './safe-fixes-of-matching.ts'
import { Slices } from './slices.ts'
import type { SummaryOptions } from './summary.ts'

/** What was found. */
export interface DatasetProblems {
  /** Each summed up once, with its first samples. */
  readonly problems: readonly Problem[]
  /** By the place of a sample in the list; samples that are not in it have none. */
  readonly bySample: ReadonlyMap<number, readonly Problem[]>
  /** Samples that were compared. */
  readonly nSamples: number
  /** Samples that cannot be read, and so were not compared. */
  readonly nOmitted: number
}

/** How problems are looked for. */
export interface DatasetProblemSearch {
  readonly files: readonly Pick<ListedFile<{ readonly path: string }>, 'address' | 'dataset' | 'first'>[]
  readonly options: Pick<SummaryOptions, 'settings'>
  /** Called for each place of the list; what it throws ends the search. */
  readonly onSample: (place: number) => void
}

/** Compares all samples of `files`. Memory: about 300 bytes a sample. @throws what `onSample` throws, and an error if a file cannot be read */
export async function findDatasetProblems({
  files,
  options: { settings },
  onSample,
}: DatasetProblemSearch): Promise<DatasetProblems> {
  const check = new DatasetCheck()
  const slices = new Slices()
  const places: number[] = []
  let nOmitted = 0
  for (const { address, dataset, first } of files) {
    const shown = address.path.split('/').at(-1) ?? ''
    for await (const { place, bytes, mistake, mapping } of dataset.samples()) {
      onSample(first + place)
      await slices.pause()
      const sample =
        bytes && mistake === undefined ? readSample(bytes, { rest: 'source', mapping }) : undefined
      const reading = sample?.kind === 'good' ? readingOf(sample) : undefined
      if (sample?.kind !== 'good' || !reading) {
        nOmitted++
        continue
      }
      check.add(datasetMark(sample.value, reading), shown, dataset.index.numberOf(place))
      places.push(first + place)
    }
  }
  const found = [...check.problemsOfSamples(settings)]
  return {
    problems: check.problems(settings),
    bySample: new Map(found.map(([nth, problems]) => [places[nth] as number, problems])),
    nSamples: places.length,
    nOmitted,
  }
}
