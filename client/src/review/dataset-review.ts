/**
 * What is said about the samples of a dataset, by their places. Decisions are known by the hash of their sample, so in the background
 * the samples that a review file is about are compared with it: first where they were, then, if some are not there, all samples.
 */
import {
  canonicalSample,
  type DatasetMapping,
  hashText,
  readSample,
  type Sample,
  type SampleOpinions,
  type SampleReview,
  sampleReview,
  viewOfSample,
} from '../../../core/src/internal.ts'
import type { DatasetView } from '../datasets/dataset-view.ts'
import { largestSample } from '../datasets/listed-sample.ts'
import { Slices } from '../datasets/slices.ts'
import type { ReviewStore } from './review-store.ts'

/** Where the decisions about a sample are kept, and the number by which they know it. */
export interface ReviewPlace {
  readonly store: ReviewStore
  readonly number: number
}

/** A dataset that can be reviewed. */
export interface ReviewableDataset {
  readonly view: DatasetView
  /** The bytes of a sample, with its edit. */
  bytesOf(place: number): Promise<Uint8Array>
  /** The file of a sample. */
  placeOf(place: number): ReviewPlace
  /** The files, each with the place of its first sample, and the place of a sample by its number. */
  stores(): readonly { readonly store: ReviewStore; place(number: number): number | undefined }[]
}

/** The hash of a sample with these bytes. */
export async function hashOfBytes(bytes: Uint8Array, mapping?: DatasetMapping): Promise<string> {
  return hashOfSample(readSample(bytes, { rest: 'source', mapping }))
}

async function hashOfSample(sample: Sample): Promise<string> {
  const canonical = canonicalSample(viewOfSample(sample, 0))
  return hashText(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(canonical))))
}

/** The review of a dataset as long as someone looks at it. */
export class DatasetReview {
  readonly #dataset: ReviewableDataset
  readonly #listeners = new Set<(place?: number) => void>()
  readonly #stops: (() => void)[]
  /** Of samples that were read in this generation of the dataset, by place. */
  readonly #hashes = new Map<number, string>()
  /** The places where something is said about the sample, or about the one before it. */
  #known = new Map<number, SampleOpinions>()
  #present = new Set<string>()
  /** Hashes that no sample of this generation has: what is said about them is about what samples were. */
  readonly #absent = new Set<string>()
  #isRunning = false
  #isCounting = true
  #isAgain = false

  constructor(dataset: ReviewableDataset) {
    this.#dataset = dataset
    this.#stops = dataset.stores().map(({ store, place }) =>
      store.onChanged((line) => {
        if (line) void this.#heard(line.hash, place(line.place))
        else void this.compare()
      }),
    )
  }

  /** True while decisions are compared with the samples. */
  get isCounting(): boolean {
    return this.#isCounting
  }

  /** What is said about each sample that something is said about, as far as that is known. */
  get known(): ReadonlyMap<number, SampleOpinions> {
    return this.#known
  }

  /** What queries and columns see of the review of a sample. */
  reviewAt(place: number): SampleReview | undefined {
    const about = this.#known.get(place)
    return about && sampleReview(about)
  }

  /** The hash of the sample at `place`; empty if it is too large to be read. @throws what its file system reports */
  async hashAt(place: number): Promise<string> {
    const known = this.#hashes.get(place)
    if (known !== undefined) return known
    const { start, end } = this.#dataset.view.index.rangeOf(place)
    if (end - start > largestSample) return ''
    const { generation } = this.#dataset.view
    const mapping = await this.#dataset.view.mapping(place)
    const hash = await hashOfBytes(await this.#dataset.bytesOf(place), mapping)
    if (generation === this.#dataset.view.generation) this.#hashes.set(place, hash)
    return hash
  }

  /** What is said about the sample at `place`. */
  async opinionsAt(place: number): Promise<SampleOpinions> {
    const { store, number } = this.#dataset.placeOf(place)
    return store.review.of(number, await this.hashAt(place), (hash) => this.#present.has(hash))
  }

  /** Calls `listener` when {@link known} changed: with a place, if only what is said about its sample did. */
  onChanged(listener: (place?: number) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The sample at `place`, or without it every sample, is another one now. */
  forget(place?: number): void {
    if (place === undefined) {
      this.#hashes.clear()
      this.#absent.clear()
    } else {
      const before = this.#hashes.get(place)
      if (before !== undefined) this.#absent.add(before)
      this.#hashes.delete(place)
    }
    void this.compare()
  }

  /** Compares the review files with the samples again. It never rejects. */
  async compare(): Promise<void> {
    this.#isAgain = true
    if (this.#isRunning) return
    this.#isRunning = true
    while (this.#isAgain) {
      this.#isAgain = false
      await this.#compare().catch(() => undefined) // the file changed, so its watcher asks again
    }
    this.#isRunning = false
    this.#isCounting = false
    this.#tell()
  }

  /** Ends what is under way. */
  dispose(): void {
    this.#isAgain = false
    this.#listeners.clear()
    for (const stop of this.#stops) stop()
  }

  async #compare(): Promise<void> {
    const { view } = this.#dataset
    await view.load()
    const slices = new Slices()
    const places = new Set<number>()
    const missing = new Set<string>()
    const present = new Set<string>()
    for (const { store, place } of this.#dataset.stores()) {
      for (const hash of store.review.hashes()) missing.add(hash)
      for (const number of store.review.places.keys()) {
        const at = place(number)
        if (at !== undefined && at < view.index.size) places.add(at)
      }
    }
    // Samples that moved were met before.
    for (const [place, hash] of this.#hashes) if (missing.has(hash)) places.add(place)
    for (const place of places) {
      const hash = await this.hashAt(place)
      if (missing.delete(hash)) present.add(hash)
      await slices.pause()
    }
    for (const hash of this.#absent) if (present.has(hash)) this.#absent.delete(hash)
    for (const hash of this.#absent) missing.delete(hash)
    if (missing.size > 0) await this.#findMoved(missing, present, places, slices)
    this.#present = present
    const known = new Map<number, SampleOpinions>()
    for (const place of places) {
      const about = await this.opinionsAt(place)
      if (about.opinions.length > 0) known.set(place, about)
      await slices.pause()
    }
    this.#known = known
    this.#tell()
  }

  /** Samples that are not where they were decided on are looked for among all. */
  async #findMoved(
    missing: Set<string>,
    present: Set<string>,
    places: Set<number>,
    slices: Slices,
  ): Promise<void> {
    for await (const { place, bytes, mapping } of this.#dataset.view.samples()) {
      if (missing.size === 0 || this.#isAgain) return
      if (bytes && !places.has(place)) {
        const hash = this.#hashes.get(place) ?? (await hashOfBytes(bytes, mapping))
        if (missing.delete(hash)) {
          present.add(hash)
          this.#hashes.set(place, hash)
          places.add(place)
        }
      }
      await slices.pause()
    }
    for (const hash of missing) this.#absent.add(hash)
  }

  /** Something was said about the sample with this hash, which was at `place`. */
  async #heard(hash: string, place: number | undefined): Promise<void> {
    const isThere =
      place !== undefined && !this.#isRunning && (await this.hashAt(place).catch(() => undefined)) === hash
    if (!isThere) return this.compare()
    this.#present.add(hash)
    const about = await this.opinionsAt(place)
    if (about.opinions.length > 0) this.#known.set(place, about)
    else this.#known.delete(place)
    this.#tell(place)
  }

  #tell(place?: number): void {
    for (const listener of [...this.#listeners]) listener(place)
  }
}
