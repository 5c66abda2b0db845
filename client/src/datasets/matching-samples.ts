/** The samples that a list shows, to be taken along: as lines, byte for byte or in another form, and as what decides about them. */
import {
  bytesAsText,
  type ChangeLog,
  ConversionError,
  columnNamed,
  convertedLine,
  readSample,
  restFor,
  SeededSample,
  type SplitSample,
  sampleLine,
  seededNumber,
  type TargetForm,
} from '../../../core/src/internal.ts'
import { ChangedFileError } from './byte-file.ts'
import type { Dataset } from './dataset.ts'
import type { DatasetView, ReadSample } from './dataset-view.ts'
import { viewOf } from './sample-views.ts'
import { Slices } from './slices.ts'
import type { SummaryOptions } from './summary.ts'

/** What a list shows. */
export interface MatchingSamples {
  readonly dataset: DatasetView
  /** Of the dataset: of another one, the samples are others. */
  readonly generation: number
  /** The query; empty for all samples. */
  readonly query: string
  /** How many there are. */
  readonly size: number
  /** True if the query asks for samples that cannot be read: those are left out otherwise. */
  readonly isAboutBroken: boolean
  readonly options: SummaryOptions
  has(place: number): boolean
}

/** A file whose samples are in a list. */
export interface ListedPart {
  readonly dataset: Dataset
  /** The place in the list of its first sample. */
  readonly first: number
  /** Of the dataset, when its samples were listed. */
  readonly generation: number
}

/** What became of samples that were taken along. */
export interface Taken {
  lines: number
  /** Samples that cannot be read, or written in the form that is wanted. */
  omitted: number
  /** Samples of which the form does not say everything. */
  lossy: number
}

/** The samples as lines, in the order of the file; in their own form without `to`. @throws ChangedFileError if they are others now */
export async function* takenLines(
  samples: MatchingSamples,
  to: TargetForm | undefined,
  taken: Taken,
  onSample: (place: number) => void = () => undefined,
): AsyncIterableIterator<Uint8Array> {
  const slices = new Slices()
  for await (const sample of allOf(samples)) {
    const { place } = sample
    onSample(place)
    await slices.pause()
    if (!samples.has(place)) continue
    const line = to === undefined ? ownLine(sample, samples) : lineIn(to, sample, taken)
    if (!line) taken.omitted++
    else {
      taken.lines++
      yield line
    }
  }
}

/** `size` of the samples by chance, as places: those that `ocm filter --sample` chooses with this seed. @throws ChangedFileError */
export async function randomPlaces(
  samples: MatchingSamples,
  { size, seed, keyOf }: { readonly size: number; readonly seed: number; keyOf(place: number): string },
): Promise<ReadonlySet<number>> {
  const chosen = new SeededSample<number>(size)
  const slices = new Slices()
  for await (const sample of allOf(samples)) {
    await slices.pause()
    const { place } = sample
    if (samples.has(place) && ownLine(sample, samples)) chosen.add(seededNumber(seed, keyOf(place)), place)
  }
  return new Set(chosen.items())
}

/** What decides into which part a sample goes. */
export interface SplitColumns {
  readonly stratum: string | undefined
  readonly group: string | undefined
  keyOf(place: number): string
}

/** The samples that are split, with their places. @throws ChangedFileError if they are others now */
export async function splitUnits(
  samples: MatchingSamples,
  { stratum, group, keyOf }: SplitColumns,
): Promise<readonly (SplitSample & { readonly place: number })[]> {
  const slices = new Slices()
  const units: (SplitSample & { readonly place: number })[] = []
  const { index } = samples.dataset
  for await (const sample of allOf(samples)) {
    await slices.pause()
    const { place } = sample
    if (!samples.has(place) || !ownLine(sample, samples)) continue
    const view = viewOf(sample, index.numberOf(place), samples.options)
    const valueOfColumn = (name: string | undefined) => {
      const value = name === undefined ? undefined : columnNamed(name).valueOf(view)
      return value === undefined ? undefined : String(value)
    }
    units.push({ place, key: keyOf(place), group: valueOfColumn(group), stratum: valueOfColumn(stratum) })
  }
  return units
}

/** All samples of the dataset, as long as it is the one whose samples are shown. @throws ChangedFileError */
async function* allOf({ dataset, generation }: MatchingSamples): AsyncIterable<ReadSample> {
  for await (const it of dataset.samples()) {
    if (dataset.generation !== generation) throw new ChangedFileError()
    yield it
  }
  if (dataset.generation !== generation) throw new ChangedFileError()
}

/** @throws ChangedFileError if the samples of the file are others than those that were listed */
export function assertListed({ dataset, generation }: ListedPart): void {
  if (dataset.generation !== generation) throw new ChangedFileError()
}

/**
 * Deletes those of the samples that are in one file, as one change of it; false if there are none.
 *
 * @param log an empty one, which keeps what is deleted
 * @throws what {@link Dataset.deleteAll} throws, and ChangedFileError if the samples of the file are others than those listed
 */
export async function deleteFrom(
  part: ListedPart,
  samples: Pick<MatchingSamples, 'has'>,
  log: ChangeLog,
): Promise<boolean> {
  const { dataset, first } = part
  assertListed(part)
  const isDeleted = (place: number) => {
    assertListed(part)
    return samples.has(first + place)
  }
  if (!Array.from({ length: dataset.index.size }, (_, place) => place).some(isDeleted)) return false
  await dataset.deleteAll(isDeleted, log)
  return true
}

/** The sample on one line; undefined if it is not text. */
export function lineOf(bytes: Uint8Array): Uint8Array | undefined {
  return bytesAsText(bytes) === undefined ? undefined : sampleLine(bytes)
}

/** The line that a sample is; undefined for one that cannot be read, unless such samples were asked for. */
function ownLine({ bytes, mistake, mapping }: ReadSample, samples: MatchingSamples): Uint8Array | undefined {
  if (!bytes || mistake !== undefined) return undefined
  const line = lineOf(bytes)
  if (!line || samples.isAboutBroken) return line
  return readSample(bytes, { rest: 'source', mapping }).kind === 'good' ? line : undefined
}

function lineIn(
  to: TargetForm,
  { bytes, mistake, mapping }: ReadSample,
  taken: Taken,
): Uint8Array | undefined {
  const sample =
    bytes && mistake === undefined ? readSample(bytes, { mapping, rest: restFor({ to }) }) : undefined
  if (sample?.kind !== 'good') return undefined
  try {
    const reading = sample.read()
    const { line, losses } = convertedLine(reading, { to }, sample.frame)
    if (sample.losses.length + reading.losses.length + losses.length > 0) taken.lossy++
    return new TextEncoder().encode(line)
  } catch (error) {
    if (error instanceof ConversionError) return undefined
    throw error
  }
}
