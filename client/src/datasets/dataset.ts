/** A dataset: a file of which only the places of samples are kept in memory. It is read again when someone else changed it. */
import {
  areSameBytes,
  type ChangeLog,
  type Cutter,
  cutterFor,
  DatasetError,
  type DatasetKind,
  type DatasetMapping,
  datasetKind,
  inFile,
  inverse,
  isLinesName,
  joinedBytes,
  localize,
  lookedAt,
  type Position,
  positionsInSample,
  type RangeChanges,
  type Rearranged,
  rearranged,
  reasonOf,
  type SampleChange,
  SampleIndex,
  type SamplePlace,
  type StoredIndex,
  sessionForm,
  WholeCutter,
} from '../../../core/src/internal.ts'
import { type ByteFile, ChangedFileError, type FileVersion, isSameFile, isSameVersion } from './byte-file.ts'
import type { DatasetView, ReadSample } from './dataset-view.ts'
import { KeptIndex, type KeptIndexOptions, leastIndexed } from './kept-index.ts'
import { largestSample, readSample, type Sample, staleEdit, tooLarge } from './listed-sample.ts'
import { type EditOfPacked, PackedEdits, textOf } from './packed-edits.ts'
import { Slices } from './slices.ts'

const noBytes = new Uint8Array(0)
const encoder = new TextEncoder()
/** The byte that a list begins with. */
const openBracket = 0x5b
const readAtOnce = 4 * 2 ** 20 // bytes of samples in a row that are read together

/** Samples that the list keeps the places of: 12 bytes each, so that a small file that unpacks to empty lines takes no more memory than others. */
const mostSamples = 2 ** 25

function tooManySamples(): Error {
  const most = mostSamples.toLocaleString('en')
  return new Error(localize`it has more than ${most} samples, which is the limit in the editor`)
}

const compared = 4096 // bytes at both ends of what was read, which stay where a file only grows

/** What is kept of a file of lines that may grow. */
interface Growable {
  readonly cutter: Cutter
  /** Bytes that were cut. */
  length: number
  /** The first bytes, and the last ones so far. */
  readonly head: Uint8Array
  tail: Uint8Array
}

const mostChanges = 50 // that can be taken back

/** A change that was written. */
interface WrittenChange {
  undo(): Promise<void>
  /** It will not be undone. */
  forget?(): Promise<void>
}

/** The samples of a packed file, of a session, or of a file that cannot be read to its end, are not added, deleted, or moved. */
export class ReadOnlyError extends Error {
  constructor() {
    super(
      localize`Samples cannot be added, deleted, or moved in this file. Use *Save as JSONL*, and change the samples there`,
    )
  }
}

/** A file with many conversations. */
export class Dataset implements DatasetView {
  readonly file: ByteFile
  readonly #isNamedLines: boolean
  readonly #mapping: () => Promise<DatasetMapping | undefined>
  readonly #listeners = new Set<() => void>()
  #index = new SampleIndex('lines')
  #version: FileVersion | undefined
  #kind: DatasetKind = 'lines'
  #failure: string | undefined
  #done = 0
  #isReading = true
  #generation = 0
  /** Counts the samples that were replaced, which moved those after them. */
  #nReplaced = 0
  #saving: Promise<unknown> = Promise.resolve()
  #loading: Promise<void> | undefined
  #isDisposed = false
  /** Of a packed file. */
  readonly #edits: PackedEdits
  #isSession = false
  /** What {@link undoChange} takes back, the last one last. */
  #changes: WrittenChange[] = []
  /** Of a file of lines that ends with a line break. */
  #growable: Growable | undefined
  readonly #kept: KeptIndex | undefined
  #keeping: Promise<void> = Promise.resolve()
  /** True if the places of samples are kept as they are now. */
  #arePlacesKept = false

  /**
   * @param name of the file: under one that is not a dataset's, every JSON list is a list of samples
   * @param mapping says how the columns of samples are called; by default they are recognized
   * @param kept where indexes of the file are kept, so that it opens at once the next time; by default nowhere
   */
  constructor(
    file: ByteFile,
    name: string,
    mapping: () => Promise<DatasetMapping | undefined> = async () => undefined,
    kept?: KeptIndexOptions,
  ) {
    this.#kept = kept && new KeptIndex(file, kept)
    this.file = file
    this.#edits = new PackedEdits(file)
    this.#mapping = mapping
    this.#isNamedLines = isLinesName(name)
  }

  /** The places of samples, as far as the file is read. */
  get index(): SampleIndex {
    return this.#index
  }

  /** True for a JSON list; else there is a sample a line. */
  get isList(): boolean {
    return this.#kind === 'list'
  }

  /** Why the file cannot be read. */
  get failure(): string | undefined {
    return this.#failure
  }

  /** Counts how often the file was read again. */
  get generation(): number {
    return this.#generation
  }

  /** Bytes that are read, of all; undefined when all are. */
  get progress(): { readonly done: number; readonly total: number } | undefined {
    return this.#isReading ? { done: this.#done, total: this.#version?.size ?? this.#done } : undefined
  }

  /** Calls `listener` while the file is read, and when it changes. */
  onChanged(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Reads the file if that was not done yet; resolves when all of it is. It never rejects: see {@link failure}. */
  load(): Promise<void> {
    this.#loading ??= this.#read()
    return this.#loading
  }

  /** Reads the file again if it is not the version that is known, once what is being written is. */
  refresh(): Promise<void> {
    return this.#exclusively(() => this.#refresh())
  }

  async #refresh(): Promise<void> {
    await this.load()
    const version = await this.file.version().catch(() => undefined)
    const isKnown = version && this.#version && isSameVersion(version, this.#version)
    // What broke off may have been an obstacle that is gone; a list without an end has none still.
    if (isKnown && (this.#failure === undefined || this.#index.size > 0)) return
    this.#loading = version ? this.#follow(version) : this.#read()
    await this.#loading
  }

  /** Reads what was appended to the file, or all of it if that isn't all that changed. */
  async #follow(version: FileVersion): Promise<void> {
    const [growable, before, generation] = [this.#growable, this.#version, this.#generation]
    const hasGrown =
      growable &&
      before &&
      isSameFile(before, version) &&
      (await this.#hasOnlyGrown(growable, before, version))
    if (!hasGrown || generation !== this.#generation) return this.#read()
    this.#growable = undefined
    this.#isReading = true
    const slices = new Slices()
    try {
      this.#version = version
      for (let start = before.size; start < version.size; ) {
        const end = Math.min(version.size, start + readAtOnce)
        const bytes = await this.file.read({ start, end })
        if (this.#isDisposed || generation !== this.#generation) return
        if (bytes.length === 0) throw new ChangedFileError()
        growable.cutter.push(bytes)
        growable.tail = tailOf(growable.tail, bytes)
        start += bytes.length
        growable.length = start
        this.#done = start
        if (this.#index.size > mostSamples) throw tooManySamples()
        this.#tell()
        await slices.pause()
      }
      this.#end(growable)
    } catch (error) {
      this.#fail(error)
    } finally {
      if (generation === this.#generation) {
        this.#isReading = false
        this.#tell()
      }
    }
  }

  async #hasOnlyGrown(
    { head, tail }: Growable,
    { size }: FileVersion,
    version: FileVersion,
  ): Promise<boolean> {
    if (version.size <= size) return false
    try {
      const first = await this.file.read({ start: 0, end: head.length })
      const last = await this.file.read({ start: size - tail.length, end: size })
      return areSameBytes(first, head) && areSameBytes(last, tail)
    } catch {
      return false // reading all of it says what is wrong
    }
  }

  /** All bytes are there. A line that has no end yet is a sample; the file is read again when it goes on. */
  #end(growable: Growable): void {
    const isClean = growable.cutter.openStart >= growable.length
    if (isClean && this.#kind === 'lines' && !this.isPacked) this.#growable = growable
    else growable.cutter.end()
  }

  #fail(error: unknown): void {
    this.#failure =
      error instanceof DatasetError ? error.message : localize`The file cannot be read: ${reasonOf(error)}`
  }

  /** How the columns of samples are called, where they are not to be recognized. */
  mapping(): Promise<DatasetMapping | undefined> {
    return this.#mapping()
  }

  /** The columns of samples are called otherwise now. */
  async mappingChanged(): Promise<void> {
    await this.load()
    if (this.#isDisposed || this.#isReading) return
    this.#generation++
    this.#tell()
  }

  /** True if edits go to a file of their own. */
  get isPacked(): boolean {
    return this.file.packing !== undefined
  }

  /** What samples are in the file. */
  get kind(): DatasetKind {
    return this.#kind
  }

  /** Reads the edits of a packed file again: another program may have written them. */
  async refreshEdits(): Promise<void> {
    await this.load()
    if (!this.isPacked || this.#isDisposed) return
    if (!(await this.#edits.read()) || this.#isReading) return
    this.#generation++
    this.#tell()
  }

  /** The bytes of a sample, with its edit. @throws ChangedFileError if the file is another one now */
  async bytesOf(place: number): Promise<Uint8Array> {
    return (await this.#edits.applied(this.#index.numberOf(place), await this.#storedBytes(place))).bytes
  }

  /** As {@link bytesOf}, to read the sample. @throws RangeError for one that is too large to be read in time */
  async readableBytesOf(place: number): Promise<Uint8Array> {
    const { start, end } = this.#index.rangeOf(place)
    if (end - start > largestSample) throw new RangeError(tooLarge().message)
    return this.bytesOf(place)
  }

  /** The bytes of a sample as they are in the file. */
  async #storedBytes(place: number): Promise<Uint8Array> {
    const range = this.#index.rangeOf(place)
    const bytes = await this.file.read(range)
    if (bytes.length < range.end - range.start) throw new ChangedFileError()
    return bytes
  }

  /** A sample, read. */
  async sampleAt(place: number): Promise<Sample> {
    const { start, end } = this.#index.rangeOf(place)
    if (end - start > largestSample) return tooLarge()
    const { bytes, mistake } = await this.#edits.applied(
      this.#index.numberOf(place),
      await this.#storedBytes(place),
    )
    return mistake === undefined ? readSample(bytes, { mapping: await this.#mapping() }) : staleEdit(mistake)
  }

  /** Where in the file the mistake of a sample is, or where the sample begins. */
  async positionOf(place: number): Promise<Position> {
    const start = this.#index.positionOf(place)
    const sample = await this.sampleAt(place)
    return sample.kind === 'bad' ? inFile(start, sample.position) : start
  }

  /**
   * The samples from `from` on in order, in long reads; bytes are `undefined` for a sample that is too large.
   *
   * @throws ChangedFileError if another program changes the file meanwhile, unless it only adds to its end
   */
  async *samples(from = 0): AsyncIterable<ReadSample> {
    const index = this.#index
    const mapping = await this.#mapping()
    for (let place = from; place < index.size; ) {
      const first = index.rangeOf(place)
      if (first.end - first.start > largestSample) {
        yield { place, bytes: undefined }
        place++
        continue
      }
      for (const stored of await this.#stretchFrom(place, index)) {
        const edited = await this.#edits.applied(index.numberOf(place), stored)
        if (this.#index !== index) throw new ChangedFileError()
        yield { place, mapping, ...edited }
        place++
      }
    }
  }

  /** The bytes of samples in a row that `index` has. @throws ChangedFileError if they are not where it says any more */
  async #stretchFrom(place: number, index: SampleIndex): Promise<readonly Uint8Array[]> {
    for (;;) {
      const nReplaced = this.#nReplaced
      const { start } = index.rangeOf(place)
      let next = place + 1
      while (next < index.size && index.rangeOf(next).end - start <= readAtOnce) next++
      const ranges = Array.from({ length: next - place }, (_, nth) => index.rangeOf(place + nth))
      const bytes = await this.file.read({ start, end: ranges.at(-1)?.end ?? start })
      // What is unpacked stays, whatever becomes of the file.
      if (!this.isPacked && !(await this.#isCurrent())) await this.refresh()
      if (this.#index !== index) throw new ChangedFileError()
      // One of them may have been saved here meanwhile; another program has at most added some.
      if (nReplaced === this.#nReplaced)
        return ranges.map((it) => bytes.subarray(it.start - start, it.end - start))
    }
  }

  /**
   * Writes `json` in the place of a sample that is `original`; every other byte stays.
   *
   * @throws ChangedFileError if the sample, or the file, is another one now; then nothing is written
   */
  replace(place: number, original: Uint8Array, json: string): Promise<void> {
    return this.#exclusively(() => this.#replace(place, original, json))
  }

  /**
   * Adds, deletes, duplicates, or moves the sample at `place`, which is `original`; every other byte stays. False if it is at the end
   * that it would move to.
   *
   * @throws ReadOnlyError for a file whose samples cannot be changed so
   * @throws ChangedFileError if the sample, or the file, is another one now; then nothing is written
   */
  change(place: number, original: Uint8Array, change: SampleChange): Promise<boolean> {
    return this.#exclusively(async () => {
      await this.#assertWritable()
      const { start, end } = this.#index.rangeOf(place)
      if (!areSameBytes(await this.bytesOf(place), original)) throw new ChangedFileError()
      const rangeOf = (it: number) => (0 <= it && it < this.#index.size ? this.#index.rangeOf(it) : undefined)
      const ranges = { own: { start, end }, before: rangeOf(place - 1), after: rangeOf(place + 1) }
      const result = rearranged(change, ranges, encoder.encode(this.isList ? ',' : '\n'))
      if (!result) return false
      await this.#rearrange(result)
      return true
    })
  }

  /** Adds the sample with these bytes to a file without samples. @throws as {@link change} */
  addFirst(bytes: Uint8Array): Promise<void> {
    return this.#exclusively(async () => {
      await this.#assertWritable()
      const { size } = await this.#assertCurrent()
      if (this.#index.size > 0) throw new ChangedFileError()
      // There may be a byte order mark, and white space.
      const own = this.isList
        ? (await this.file.read({ start: 0, end: size })).indexOf(openBracket) + 1
        : size
      const pieces = this.isList ? [bytes] : [bytes, encoder.encode('\n')]
      await this.#rearrange({ start: own, end: own, pieces })
    })
  }

  /** Writes `result` as one change, which can be undone. */
  async #rearrange(result: Rearranged): Promise<void> {
    const pieces: Uint8Array[] = []
    for (const it of result.pieces) pieces.push(it instanceof Uint8Array ? it : await this.file.read(it))
    const after = joinedBytes(pieces)
    const before = await this.file.read(result)
    const changes = [{ start: result.start, before, after }]
    await this.#swap(changes)
    this.#remember({ undo: () => this.#swap(inverse(changes)) })
  }

  /**
   * Writes many samples at once, as one change: into the file, or for a packed one into its edits. All bytes of other samples stay.
   * `samples` are then closed when the change cannot be undone any more.
   *
   * @throws ChangedFileError if a sample, or the file, is another one now; then nothing is written, and `samples` stay open
   */
  changeAll(samples: ChangeLog): Promise<void> {
    return this.#exclusively(async () => {
      await this.#assertCurrent()
      const forget = () => samples.close()
      if (!this.isPacked) {
        await this.#swap(samples)
        this.#remember({ undo: () => this.#swap(inverse(samples)), forget })
        return
      }
      const isOther = () => {
        this.#generation++
        this.#tell()
      }
      const undo = await this.#writeEdits(samples)
      isOther()
      this.#remember({ undo: () => undo().then(isOther), forget })
    })
  }

  /**
   * Deletes samples as one change; every byte of the others stays, and what separates them.
   *
   * @param isDeleted asked for places
   * @param log an empty one, which keeps what is deleted
   * @throws ReadOnlyError for a file whose samples cannot be changed so
   * @throws ChangedFileError if the file is another one now; then nothing is written
   */
  deleteAll(isDeleted: (place: number) => boolean, log: ChangeLog): Promise<void> {
    return this.#exclusively(async () => {
      await this.#assertWritable()
      const index = this.#index
      let lastKept = index.size - 1
      while (lastKept >= 0 && isDeleted(lastKept)) lastKept--
      for (let place = 0; place < index.size; place++) {
        if (!isDeleted(place)) continue
        const own = index.rangeOf(place)
        // What separates two samples goes with the first of them, and at the end with the second.
        const range =
          place < lastKept
            ? { start: own.start, end: index.rangeOf(place + 1).start }
            : { start: place > 0 ? index.rangeOf(place - 1).end : own.start, end: own.end }
        const before = await this.file.read(range)
        await log.add({ number: index.numberOf(place), start: range.start, before, after: noBytes })
      }
      await this.#swap(log)
      this.#remember({ undo: () => this.#swap(inverse(log)), forget: () => log.close() })
    })
  }

  #remember(change: WrittenChange): void {
    this.#changes.push(change)
    if (this.#changes.length > mostChanges) void this.#changes.shift()?.forget?.()
  }

  /** Changes that were written before cannot be undone any more. */
  #forgetChanges(): void {
    for (const it of this.#changes) void it.forget?.()
    this.#changes = []
  }

  /**
   * Takes the last {@link change} or {@link changeAll} back; false if there is none, or if something else was written since.
   *
   * @throws ChangedFileError if the file is another one now; then nothing is written
   */
  undoChange(): Promise<boolean> {
    return this.#undo(() => this.#changes.at(-1))
  }

  /** Takes back `change`, which was the {@link lastChange}; false if it is not that any more. @throws as {@link undoChange} */
  undoIfLast(change: WrittenChange | undefined): Promise<boolean> {
    return this.#undo(() => (this.#changes.at(-1) === change ? change : undefined))
  }

  /** The change that {@link undoChange} takes back. */
  get lastChange(): WrittenChange | undefined {
    return this.#changes.at(-1)
  }

  #undo(choose: () => WrittenChange | undefined): Promise<boolean> {
    return this.#exclusively(async () => {
      const last = choose()
      if (!last) return false
      await this.#assertCurrent()
      await last.undo()
      this.#changes.pop()
      await last.forget?.()
      return true
    })
  }

  #exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#saving.then(work)
    this.#saving = result.catch(() => undefined) // reported to the caller
    return result
  }

  async #assertWritable(): Promise<void> {
    await this.load()
    if (this.isPacked || this.#isSession || this.#failure !== undefined) throw new ReadOnlyError()
    await this.#assertCurrent()
  }

  /** The version of the file. @throws ChangedFileError if it is not the one that is known */
  async #assertCurrent(): Promise<FileVersion> {
    await this.load()
    const version = this.#version
    if (!version || !(await this.#isCurrent())) throw new ChangedFileError()
    return version
  }

  /** True if the file is still the version that is known. */
  async #isCurrent(): Promise<boolean> {
    const version = await this.file.version()
    return this.#version !== undefined && isSameVersion(version, this.#version)
  }

  /** Applies `changes`, and reads the file again, because the samples after it have other numbers. */
  async #swap(changed: RangeChanges): Promise<void> {
    if (!this.#version) throw new ChangedFileError()
    await this.file.replace(changed, this.#version)
    const changes = this.#changes
    this.#changes = []
    this.#loading = this.#read()
    this.#changes = changes // their places are those of the file that was just written
    await this.#loading
  }

  /** The columns of the samples, as they were kept for this version of the file; undefined if there are none. */
  async keptColumns(): Promise<StoredIndex | undefined> {
    await this.load()
    return this.#mayKeep() && this.#version ? this.#kept?.read('columns', this.#version) : undefined
  }

  /** Keeps the columns of the samples for the next time that this version of the file is opened. */
  async keepColumns(index: StoredIndex): Promise<void> {
    if (this.#mayKeep() && this.#version) await this.#kept?.write('columns', this.#version, index)
  }

  /** What is unpacked is in no file, and what is broken is read again each time. */
  #mayKeep(): boolean {
    return !this.isPacked && !this.#isSession && this.#failure === undefined && !this.#isReading
  }

  /** Resolves when the places that are kept are written. */
  get kept(): Promise<void> {
    return this.#keeping
  }

  async #keepPlaces(): Promise<void> {
    if (!this.#kept || this.#arePlacesKept || !this.#mayKeep() || !this.#version) return
    if (this.#version.size < leastIndexed) return
    this.#arePlacesKept = true
    const head = { kind: this.#kind }
    await this.#kept.write('places', this.#version, { head, arrays: this.#index.arrays() })
  }

  /** True if the places of samples are known from the last time. */
  async #restore(version: FileVersion, isCurrent: () => boolean): Promise<boolean> {
    const stored = this.isPacked ? undefined : await this.#kept?.read('places', version)
    if (!stored || !isCurrent()) return false
    const kind = (stored.head as { readonly kind?: unknown } | null)?.kind
    if (kind !== 'lines' && kind !== 'list') return false
    const index = SampleIndex.from(kind, stored.arrays, version.size)
    if (!index || index.size > mostSamples) return false
    this.#kind = kind
    this.#isSession = false
    this.#index = index
    this.#done = version.size
    this.#arePlacesKept = true
    return true
  }

  /** It is not needed any more. */
  dispose(): void {
    this.#keeping = Promise.all([this.#keeping, this.#keepPlaces()]).then(() => undefined) // those after the last save
    this.#isDisposed = true
    this.#listeners.clear()
    this.#forgetChanges()
    void this.file.close?.()
  }

  async #replace(place: number, original: Uint8Array, json: string): Promise<void> {
    const version = await this.#assertCurrent()
    if (this.isPacked) {
      const number = this.#index.numberOf(place)
      await this.#writeEdits([{ number, before: original, after: encoder.encode(json) }])
      this.#forgetChanges() // they would take this one back as well
      return
    }
    if (!this.isList && /[\r\n]/.test(json)) throw new RangeError('A sample is one line')
    const { start } = this.#index.rangeOf(place)
    if (!areSameBytes(await this.bytesOf(place), original)) throw new ChangedFileError()
    const bytes = encoder.encode(json)
    if (areSameBytes(bytes, original)) return
    this.#version = await this.file.replace([{ start, before: original, after: bytes }], version)
    this.#growable = undefined
    this.#forgetChanges() // they would be elsewhere now
    this.#index.resize(
      place,
      bytes.length,
      this.isList ? endsOf(this.#index.positionOf(place), original, json) : undefined,
    )
    this.#nReplaced++
    this.#arePlacesKept = false
    this.#tell()
  }

  async #writeEdits(
    samples: Iterable<EditOfPacked> | AsyncIterable<EditOfPacked>,
  ): Promise<WrittenChange['undo']> {
    const storedAt = async (number: number) => {
      const place = this.#index.placeOf(number)
      return place === undefined ? undefined : this.#storedBytes(place)
    }
    const undo = await this.#edits.write(samples, storedAt)
    this.#tell()
    return undo
  }

  async #read(): Promise<void> {
    const generation = ++this.#generation
    const isCurrent = () => !this.#isDisposed && this.#generation === generation
    this.#index = new SampleIndex('lines')
    this.#failure = undefined
    this.#isReading = true
    this.#done = 0
    this.#forgetChanges()
    this.#edits.clear()
    this.#growable = undefined
    const slices = new Slices()
    try {
      this.#version = await this.file.version()
      this.#arePlacesKept = false
      if (await this.#restore(this.#version, isCurrent)) return
      let cutter: Cutter | undefined
      let start = new Uint8Array() // of the file, until they show what it is
      let tail = new Uint8Array()
      let length = 0
      for await (const chunk of this.file.chunks()) {
        if (!isCurrent()) return
        if (this.#done === 0 && this.file.packing) await this.#edits.read()
        if (cutter) cutter.push(chunk)
        else {
          start = joinedBytes([start, chunk])
          cutter = this.#cutterFor(start, start.length >= lookedAt)
        }
        tail = tailOf(tail, chunk)
        length += chunk.length
        if (this.#index.size > mostSamples) throw tooManySamples()
        this.#done = this.file.nRead ?? this.#done + chunk.length
        this.#tell()
        await slices.pause()
      }
      if (!isCurrent()) return
      cutter ??= this.#cutterFor(start, true)
      if (cutter) this.#end({ cutter, length, head: start.slice(0, compared), tail })
      this.#failure = this.#edits.problem(this.#index)
    } catch (error) {
      this.#fail(error)
    } finally {
      if (this.#generation === generation) {
        this.#isReading = false
        this.#tell()
        this.#keeping = Promise.all([this.#keeping, this.#keepPlaces()]).then(() => undefined)
      }
    }
  }

  /** What cuts the file that begins with `start`, and has taken that; undefined if it may still be either kind. */
  #cutterFor(start: Uint8Array, isEnough: boolean): Cutter | undefined {
    const text = new TextDecoder().decode(start.subarray(0, lookedAt), { stream: true })
    const isTable = this.file.packing === 'parquet'
    const known = isTable ? 'rows' : datasetKind(text, { isAnyList: !this.#isNamedLines })
    if (known === undefined && !isEnough) return undefined
    this.#kind = known ?? 'lines'
    const index = new SampleIndex(this.#kind)
    this.#index = index
    const take = (place: SamplePlace) => index.add(place)
    const isSession = this.#isNamedLines && this.#kind === 'lines' && sessionForm(text) !== undefined
    this.#isSession = isSession
    const cutter = isSession ? new WholeCutter(take) : cutterFor(this.#kind, take)
    cutter.push(start)
    return cutter
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener()
  }
}

/** Where a sample that begins at `start` ended before, and ends now. */
function endsOf(
  start: Position,
  original: Uint8Array,
  json: string,
): { readonly before: Position; readonly after: Position } {
  const before = textOf(original)
  const end = (text: string) => positionsInSample(text)(text.length)
  return { before: inFile(start, end(before)), after: inFile(start, end(json)) }
}

function tailOf(before: Uint8Array, chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  return joinedBytes([before, chunk.subarray(-compared)]).slice(-compared)
}
