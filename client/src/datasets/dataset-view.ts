/** What a list shows: the samples of a file, or of the files of a folder. */
import type { DatasetMapping, Position, StoredIndex } from '../../../core/src/internal.ts'
import type { ByteRange } from './byte-file.ts'
import type { SampleKind } from './dataset-protocol.ts'
import type { Sample } from './listed-sample.ts'

/** Where samples are. A sample has a place among all of them, from 0, and a number: the one that it is named by. */
export interface SamplePlaces {
  readonly size: number
  /** @throws RangeError if there is none */
  rangeOf(place: number): ByteRange
  numberOf(place: number): number
  positionOf(place: number): Position
  placeOf(number: number): number | undefined
}

/** A sample as it is read in order. */
export interface ReadSample {
  readonly place: number
  /** Undefined for one that is too large. */
  readonly bytes: Uint8Array | undefined
  /** Why its edit is not applied. */
  readonly mistake?: string
  /** How its columns are called, where they are not to be recognized. */
  readonly mapping?: DatasetMapping | undefined
}

/** Samples that can be listed. */
export interface DatasetView {
  readonly index: SamplePlaces
  readonly kind: SampleKind
  /** Counts how often what is listed became another. */
  readonly generation: number
  /** Why not all can be read. */
  readonly failure: string | undefined
  /** What is not listed, although nothing failed; absent where that cannot be. */
  readonly remark?: string | undefined
  /** Bytes that are read, of all; undefined when all are. */
  readonly progress: { readonly done: number; readonly total: number } | undefined
  /** Reads what was not read yet. It never rejects: see {@link failure}. */
  load(): Promise<void>
  /** Reads again what another program changed. */
  refresh(): Promise<void>
  onChanged(listener: () => void): () => void
  sampleAt(place: number): Promise<Sample>
  /** The bytes of a sample with its edit. */
  bytesOf(place: number): Promise<Uint8Array>
  /** How the columns of a sample are called, where they are not to be recognized. */
  mapping(place: number): Promise<DatasetMapping | undefined>
  /** The samples in order, from `from` on. */
  samples(from?: number): AsyncIterable<ReadSample>
  /** The columns that were kept for this version of the file; absent where none are. */
  keptColumns?(): Promise<StoredIndex | undefined>
  /** Keeps columns for the next time. */
  keepColumns?(index: StoredIndex): Promise<void>
  /** The file of a sample and its number there, as people see it; absent where all are in one file. */
  originOf?(place: number): string
}
