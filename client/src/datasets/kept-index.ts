/** The indexes of one file that are kept on a disk (S6), and whether they are still those of the file. They have no text of samples. */
import {
  hashOfSample,
  joinedBytes,
  type StoredIndex,
  storedBytes,
  storedIndexIn,
} from '../../../core/src/internal.ts'
import type { IndexStore } from '../../disk/index-store.ts'
import type { ByteFile, FileVersion } from './byte-file.ts'

/** Bytes of the smallest file whose indexes are kept: smaller ones are read as quickly. */
export const leastIndexed = 8 * 2 ** 20

const blockLength = 4096
const nBlocks = 64 // between the first and the last one

/** What is kept of a file: where its samples are, and their columns. */
export type IndexPart = 'places' | 'columns'

/** Where the indexes of a file are kept. */
export interface KeptIndexOptions {
  readonly store: IndexStore
  /** Of the file. */
  readonly address: string
  /** Of the program: another one may find other things in a file. */
  readonly program: string
}

/** The indexes of a file. Nothing is thrown: an index that cannot be read or written is not there. */
export class KeptIndex {
  readonly #options: KeptIndexOptions
  readonly #file: ByteFile
  #known: { readonly version: FileVersion; readonly fingerprint: Promise<string> } | undefined

  constructor(file: ByteFile, options: KeptIndexOptions) {
    this.#file = file
    this.#options = options
  }

  /** The index of that version of the file; undefined if it is not known. */
  async read(part: IndexPart, version: FileVersion): Promise<StoredIndex | undefined> {
    if (version.size < leastIndexed) return undefined
    const bytes = await this.#options.store.read(this.#keyOf(part))
    const stored = bytes && storedIndexIn(bytes)
    if (!stored || !Array.isArray(stored.head)) return undefined
    const [seal, head] = stored.head as readonly unknown[]
    return seal === (await this.#sealOf(version)) ? { head, arrays: stored.arrays } : undefined
  }

  /** Keeps the index of that version of the file, if it still is. */
  async write(part: IndexPart, version: FileVersion, { head, arrays }: StoredIndex): Promise<void> {
    if (version.size < leastIndexed) return
    try {
      const seal = await this.#sealOf(version)
      if (seal === undefined) return
      await this.#options.store.write(this.#keyOf(part), storedBytes({ head: [seal, head], arrays }))
    } catch {
      // A full disk, or a folder that is not writable: the next reader makes the index again.
    }
  }

  #keyOf(part: IndexPart): string {
    return `${part} ${this.#options.address}`
  }

  /** Says which content of the file an index is of; undefined if the file is another version now. */
  async #sealOf(version: FileVersion): Promise<string | undefined> {
    const { size, modified } = version
    const isKnown = this.#known?.version.size === size && this.#known.version.modified === modified
    if (!isKnown) this.#known = { version, fingerprint: fingerprintOf(this.#file, size) }
    try {
      const fingerprint = await this.#known?.fingerprint
      const now = await this.#file.version()
      if (now.size !== size || now.modified !== modified) return undefined
      return `${this.#options.program} ${size} ${modified} ${fingerprint}`
    } catch {
      return undefined
    }
  }
}

/** The hash of the first, the last, and 64 evenly spread blocks. */
async function fingerprintOf(file: Pick<ByteFile, 'read'>, size: number): Promise<string> {
  const blocks: Uint8Array[] = []
  const last = Math.max(0, size - blockLength)
  for (let block = 0; block <= nBlocks + 1; block++) {
    const start = Math.floor((last * block) / (nBlocks + 1))
    blocks.push(await file.read({ start, end: Math.min(size, start + blockLength) }))
  }
  return hashOfSample(joinedBytes(blocks))
}
