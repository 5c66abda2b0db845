/** The edits of samples of a packed file, which are in a text next to it: the file itself is not written. */
import {
  areSameBytes,
  type ChangedSample,
  type FreshEdit,
  hashOfSample,
  largestOverlay,
  localize,
  noEdits,
  type Overlay,
  overlayOf,
  overlayWith,
  type SampleIndex,
  staleEditText,
} from '../../../core/src/internal.ts'
import { type ByteFile, ChangedFileError } from './byte-file.ts'

/** A sample that is edited. */
export type EditOfPacked = Omit<ChangedSample, 'start'>

/** The bytes of a sample with its edit. */
interface EditedBytes {
  readonly bytes: Uint8Array
  /** Why the edit of the sample is not applied. */
  readonly mistake?: string
}

/** All edits of a file. */
export class PackedEdits {
  readonly #file: Pick<ByteFile, 'edits'>
  #overlay: Overlay = noEdits
  /** The text that they are. */
  #text: string | undefined

  constructor(file: Pick<ByteFile, 'edits'>) {
    this.#file = file
  }

  /** Forgets the edits, until they are read again. */
  clear(): void {
    this.#overlay = noEdits
    this.#text = undefined
  }

  /** Reads the edits; false if they are the same as before. */
  async read(): Promise<boolean> {
    const before = this.#text
    this.#set(await this.#file.edits?.read())
    return this.#text !== before
  }

  /** What is in the place of `stored`, the sample with this number, after its edit, and why that is not applied. */
  async applied(number: number, stored: Uint8Array): Promise<EditedBytes> {
    const edit = this.#overlay.edits.get(number)
    if (!edit) return { bytes: stored }
    if ((await hashOfSample(stored)) !== edit.hash) return { bytes: stored, mistake: staleEditText(edit) }
    return { bytes: new TextEncoder().encode(edit.json) }
  }

  /**
   * Writes edits; one that changes nothing is removed. Returns what takes them back.
   *
   * @param storedAt the sample with a number as it is in the file; undefined if there is none
   * @throws ChangedFileError if the edits, or a sample, are others now; then nothing is written
   */
  async write(
    samples: Iterable<EditOfPacked> | AsyncIterable<EditOfPacked>,
    storedAt: (number: number) => Promise<Uint8Array | undefined>,
  ): Promise<() => Promise<void>> {
    const { edits } = this.#file
    if (!edits) throw new RangeError('A packed file has a place for edits')
    const before = await edits.read()
    if (before !== this.#text) throw new ChangedFileError()
    const fresh = new Map<number, FreshEdit | undefined>()
    let length = before?.length ?? 0
    for await (const { number, before: original, after } of samples) {
      const stored = await storedAt(number)
      if (stored === undefined) throw new ChangedFileError()
      const now = await this.applied(number, stored)
      if (now.mistake !== undefined || !areSameBytes(now.bytes, original)) throw new ChangedFileError()
      const json = textOf(after)
      length += json.length
      if (length > largestOverlay) throw tooManyEdits()
      const isUndone = areSameBytes(after, stored)
      fresh.set(number, isUndone ? undefined : { hash: await hashOfSample(stored), json })
    }
    const text = overlayWith(before ?? '', fresh)
    const write = async (now: string, expected: string | undefined) => {
      if (now === (expected ?? '')) return
      await edits.write(now, expected)
      this.#set(now)
    }
    await write(text, before)
    return () => write(before ?? '', text)
  }

  /** What is wrong with the edits as a whole; what is wrong with one of them is reported for its sample. */
  problem(index: SampleIndex): string | undefined {
    const [mistake] = this.#overlay.mistakes
    if (mistake) return localize`Line ${mistake.line} of the edits file: ${mistake.message}`
    for (const { row, line } of this.#overlay.edits.values())
      if (index.placeOf(row) === undefined)
        return localize`Line ${line} of the edits file: there is no sample ${row}`
    return undefined
  }

  #set(text: string | undefined): void {
    this.#text = text
    this.#overlay = text === undefined ? noEdits : overlayOf(text)
  }
}

function tooManyEdits(): Error {
  const megabytes = largestOverlay / 2 ** 20
  return new Error(
    localize`the edits of a compressed or Parquet file would be larger than ${megabytes} MB. Use *Save as JSONL*, and change the samples there`,
  )
}

/** `bytes` as text, with a byte order mark if there is one. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}
