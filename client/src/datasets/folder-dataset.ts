/** The files of a folder as one dataset, in the order of their names. Each stays the dataset that it is: it is edited on its own. */
import { type DatasetMapping, localize, type Position, reasonOf } from '../../../core/src/internal.ts'
import { type ByteRange, ChangedFileError } from './byte-file.ts'
import type { Dataset } from './dataset.ts'
import type { DatasetView, ReadSample, SamplePlaces } from './dataset-view.ts'
import type { LeftOutFolder } from './folder-walk.ts'
import type { Sample } from './listed-sample.ts'
import type { ListedFile } from './safe-fixes-of-matching.ts'

/** A file of a folder. */
export interface FolderPart<Address> {
  readonly address: Address
  /** Its path below the folder. */
  readonly name: string
}

/** What a folder has: its datasets, and the folders below it that were not looked into. */
export interface FolderContent<Address> {
  readonly files: readonly FolderPart<Address>[]
  readonly leftOut: readonly LeftOutFolder[]
}

/** What a folder needs: its files, and the datasets that they are, as long as it uses them. */
export interface FolderParts<Address> {
  find(): Promise<FolderContent<Address>>
  use(address: Address): Dataset
  release(address: Address): void
}

interface Part<Address> extends FolderPart<Address> {
  readonly dataset: Dataset
  readonly stop: () => void
  generation: number
  size: number
}

/** A folder. Samples are numbered from 0, through all files. */
export class FolderDataset<Address> implements DatasetView {
  readonly kind = 'rows'
  readonly #parts: FolderParts<Address>
  readonly #open: Part<Address>[] = []
  readonly #listeners = new Set<() => void>()
  #found = 0
  #leftOut: readonly LeftOutFolder[] = []
  #failure: string | undefined
  #generation = 0
  #isReading = true
  #isDisposed = false
  #loading: Promise<void> | undefined

  constructor(parts: FolderParts<Address>) {
    this.#parts = parts
  }

  readonly index: SamplePlaces = this.#places()

  get generation(): number {
    return this.#generation
  }

  get failure(): string | undefined {
    if (this.#failure !== undefined) return this.#failure
    const [first, ...others] = this.#open.filter(({ dataset }) => dataset.failure !== undefined)
    return first && andMore(`${first.name}: ${first.dataset.failure}`, others.length)
  }

  get remark(): string | undefined {
    const [first, ...others] = this.#leftOut
    return first && andMore(leftOutText(first), others.length)
  }

  get progress(): { readonly done: number; readonly total: number } | undefined {
    return this.#isReading ? { done: this.#open.length, total: Math.max(1, this.#found) } : undefined
  }

  load(): Promise<void> {
    this.#loading ??= this.#load()
    return this.#loading
  }

  async refresh(): Promise<void> {
    await this.load()
    for (const { dataset } of this.#open) await dataset.refresh()
  }

  onChanged(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  sampleAt(place: number): Promise<Sample> {
    const { part, own } = this.#partAt(place)
    return part.dataset.sampleAt(own)
  }

  mapping(place: number): Promise<DatasetMapping | undefined> {
    return this.#partAt(place).part.dataset.mapping()
  }

  bytesOf(place: number): Promise<Uint8Array> {
    const { part, own } = this.#partAt(place)
    return part.dataset.bytesOf(own)
  }

  async *samples(from = 0): AsyncIterable<ReadSample> {
    let first = 0
    for (const part of this.#open) {
      const { dataset, size } = part
      if (isAnother(part)) throw new ChangedFileError()
      if (from < first + size)
        for await (const it of dataset.samples(Math.max(0, from - first)))
          yield { ...it, place: first + it.place }
      first += size
    }
  }

  originOf(place: number): string {
    const { part, own } = this.#partAt(place)
    return `${part.name}:${part.dataset.index.numberOf(own)}`
  }

  /** The file of the sample with a number, and its number there. @throws RangeError if there is none */
  addressOf(number: number): { readonly address: Address; readonly number: number } {
    const { part, own } = this.#partAt(number)
    return { address: part.address, number: part.dataset.index.numberOf(own) }
  }

  /** The files, as far as they are listed. */
  get parts(): readonly ListedFile<Address>[] {
    let first = 0
    return this.#open.map(({ address, dataset, generation }) => {
      const part = { address, dataset, first, generation }
      first += dataset.index.size
      return part
    })
  }

  /** The file of the sample with a number, as a dataset. @throws RangeError if there is none */
  partOf(number: number): Dataset {
    return this.#partAt(number).part.dataset
  }

  /** The place here of a sample that has a place in one of the files; undefined for another file. */
  placeIn(isPart: (address: Address) => boolean, own: number): number | undefined {
    let first = 0
    for (const { address, dataset } of this.#open) {
      if (isPart(address)) return first + own
      first += dataset.index.size
    }
    return undefined
  }

  dispose(): void {
    this.#isDisposed = true
    this.#listeners.clear()
    for (const { address, stop } of this.#open.splice(0)) {
      stop()
      this.#parts.release(address)
    }
  }

  async #load(): Promise<void> {
    try {
      const { files: found, leftOut } = await this.#parts.find()
      this.#found = found.length
      this.#leftOut = leftOut
      // One after the other: the places of samples never move while files are read.
      for (const it of found) {
        if (this.#isDisposed) return
        const dataset = this.#parts.use(it.address)
        const part: Part<Address> = {
          ...it,
          dataset,
          generation: dataset.generation,
          size: 0,
          stop: dataset.onChanged(() => this.#partChanged(part)),
        }
        this.#open.push(part)
        await dataset.load()
        part.generation = dataset.generation
        part.size = dataset.index.size
        this.#tell()
      }
      if (found.length === 0) this.#failure = localize`The folder has no datasets`
    } catch (error) {
      this.#failure = localize`The folder cannot be read: ${reasonOf(error)}`
    } finally {
      this.#isReading = false
      for (const part of this.#open) this.#meet(part)
      this.#tell()
    }
  }

  /** A file that was read again or has grown has other samples, and those after it other places. */
  #partChanged(part: Part<Address>): void {
    if (!this.#isReading) this.#meet(part)
    this.#tell()
  }

  #meet(part: Part<Address>): void {
    const { generation, index, progress } = part.dataset
    if (!isAnother(part) || progress) return
    part.generation = generation
    part.size = index.size
    this.#generation++
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener()
  }

  #partAt(place: number): { readonly part: Part<Address>; readonly own: number } {
    let own = place
    for (const part of this.#open) {
      if (own < part.dataset.index.size) return { part, own }
      own -= part.dataset.index.size
    }
    throw new RangeError(`Invalid place ${place} among ${this.index.size} samples`)
  }

  #places(): SamplePlaces {
    const partAt = (place: number) => this.#partAt(place)
    const size = () => this.#open.reduce((sum, { dataset }) => sum + dataset.index.size, 0)
    return {
      get size() {
        return size()
      },
      rangeOf(place: number): ByteRange {
        const { part, own } = partAt(place)
        return part.dataset.index.rangeOf(own)
      },
      numberOf: (place) => place,
      positionOf(place: number): Position {
        const { part, own } = partAt(place)
        return part.dataset.index.positionOf(own)
      },
      placeOf: (number) => (0 <= number && number < size() ? number : undefined),
    }
  }
}

/** True if samples of the part were not yet met as they are now: it was read again, or has grown. */
function isAnother({ dataset, generation, size }: Part<unknown>): boolean {
  return dataset.generation !== generation || dataset.index.size !== size
}

function leftOutText({ path, reason }: LeftOutFolder): string {
  switch (reason) {
    case 'link':
      return localize`\`${path}\` is left out, because it is a link to a folder`
    case 'depth':
      return localize`\`${path}\` is left out, because it is nested too deeply`
    case 'unreadable':
      return localize`\`${path}\` is left out, because it cannot be read`
  }
}

function andMore(text: string, nOthers: number): string {
  return nOthers === 0 ? text : localize`${text} (and ${nOthers} more)`
}
