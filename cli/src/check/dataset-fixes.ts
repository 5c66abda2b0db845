/** The fixed samples of a dataset: kept on the disk until all of it has been checked, then written. */
import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyRange, identityOf, readRange, writeAll } from '../../../client/disk/byte-ranges.ts'
import { openRegularFile } from '../../../client/disk/regular-file.ts'
import { RefusedWriteError } from '../../../client/disk/replace-on-disk.ts'
import { packingOf, signatureLength } from '../../../core/src/internal.ts'
import { FileProblem, fileProblem } from '../files/file-problem.ts'
import { createFileFrom, rewriteFile } from '../files/replace-file.ts'

/** A sample to be replaced. It is data, which can be sent to another thread. */
export interface SampleEdit {
  /** Offsets of its bytes in the file. */
  readonly start: number
  readonly end: number
  /** What they are, as {@link hashOf} tells. */
  readonly hash: Uint8Array
  /** What takes their place. */
  readonly bytes: Uint8Array
}

/** What bytes are told by. */
export function hashOf(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest()
}

/** The edits of one dataset. */
export class DatasetFixes {
  readonly path: string
  readonly #within: string | undefined
  readonly #identity: string
  readonly #edits = new EditLog()
  /** True if it has a sample a line, so that others can follow it in one file. */
  isLines = false
  /** True when all of the dataset has been checked: before that, nothing is written. */
  isComplete = false

  private constructor(path: string, within: string | undefined, identity: string) {
    this.path = path
    this.#within = within
    this.#identity = identity
  }

  /** For the dataset at `path`, which is read after this. @throws FileProblem */
  static async begin(path: string, within: string | undefined): Promise<DatasetFixes> {
    try {
      const identity = identityOf(await stat(path, { bigint: true }))
      if (await isPacked(path))
        throw new FileProblem(
          path,
          'is compressed or Parquet, which `--fix` does not write; write it as JSONL first',
        )
      return new DatasetFixes(path, within, identity)
    } catch (error) {
      throw fileProblem(path, error)
    }
  }

  /** Takes the edits of the next samples. */
  async add(edits: readonly SampleEdit[]): Promise<void> {
    for (const edit of edits) await this.#edits.add(edit)
  }

  /** Swaps the dataset for one with its samples replaced, if there are any. @throws FileProblem; then it is what it was */
  async writeInPlace(): Promise<void> {
    if (this.#edits.isEmpty) return
    await rewriteFile(this.path, {
      within: this.#within,
      assertUnchanged: (file) => this.#assertUnchanged(file),
      write: async (copy, file) => void (await this.#copy(file, copy)),
    })
  }

  /** Writes the dataset with its samples replaced to the end of `to`; the last byte of it, unless it is empty. */
  async append(to: FileHandle): Promise<number | undefined> {
    const file = await openRegularFile(this.path)
    try {
      await this.#assertUnchanged(file)
      return await this.#copy(file, to)
    } finally {
      await file.close()
    }
  }

  /** Lets go of the edits. */
  close(): Promise<void> {
    return this.#edits.close()
  }

  async #assertUnchanged(file: FileHandle): Promise<void> {
    if (identityOf(await file.stat({ bigint: true })) === this.#identity) return
    throw new RefusedWriteError('changed', this.path)
  }

  /** A file that is written twice in one tick of its clock looks unchanged: what is replaced must be what was read. */
  async #copy(from: FileHandle, to: FileHandle): Promise<number | undefined> {
    let at = 0
    let last: number | undefined
    for await (const { start, end, hash, bytes } of this.#edits) {
      await copyRange(from, to, { start: at, end: start })
      const isSame = Buffer.from(hash).equals(hashOf(await readRange(from, { start, end })))
      if (!isSame) throw new RefusedWriteError('changed', this.path)
      await writeAll(to, bytes)
      at = end
      last = bytes.at(-1)
    }
    const { size } = await from.stat()
    await copyRange(from, to, { start: at, end: size })
    return at < size ? (await readRange(from, { start: size - 1, end: size }))[0] : last
  }
}

async function isPacked(path: string): Promise<boolean> {
  const file = await openRegularFile(path)
  try {
    return packingOf(await readRange(file, { start: 0, end: signatureLength })) !== undefined
  } finally {
    await file.close()
  }
}

/** Writes all of `fixes` to a new file at `path`, one after the other on lines of their own. @throws FileProblem */
export async function writeFixes(path: string, fixes: readonly DatasetFixes[]): Promise<void> {
  if (fixes.length === 0) throw new FileProblem(path, 'is not written, because there is no dataset')
  const other = fixes.length > 1 ? fixes.find(({ isLines }) => !isLines) : undefined
  if (other)
    throw new FileProblem(
      path,
      `is not written, because ${other.path} is not JSONL, and can't be joined to other files`,
    )
  await createFileFrom(path, async (copy) => {
    let last: number | undefined
    for (const it of fixes) {
      if (last !== undefined && last !== lineFeed) await writeAll(copy, Uint8Array.of(lineFeed))
      last = (await it.append(copy)) ?? last
    }
  })
}

const lineFeed = 0x0a

const headLength = 8 + 8 + 8 + 32 // start, end, length, hash

/** Edits in order in a temporary file, so that memory does not grow with them. */
class EditLog {
  readonly #path = join(tmpdir(), `ocm-${randomUUID()}.fixes`)
  #file: FileHandle | undefined
  #size = 0

  get isEmpty(): boolean {
    return this.#size === 0
  }

  async add({ start, end, hash, bytes }: SampleEdit): Promise<void> {
    this.#file ??= await open(this.#path, 'wx+', 0o600)
    const head = new Uint8Array(headLength)
    new Float64Array(head.buffer, 0, 3).set([start, end, bytes.length])
    head.set(hash, 24)
    await writeAll(this.#file, head, this.#size)
    await writeAll(this.#file, bytes, this.#size + headLength)
    this.#size += headLength + bytes.length
  }

  async *[Symbol.asyncIterator](): AsyncIterableIterator<SampleEdit> {
    const file = this.#file
    if (!file) return
    for (let at = 0; at < this.#size; ) {
      const head = await readRange(file, { start: at, end: at + headLength })
      const [start = 0, end = 0, length = 0] = new Float64Array(head.buffer, 0, 3)
      at += headLength
      yield {
        start,
        end,
        hash: head.subarray(24),
        bytes: await readRange(file, { start: at, end: at + length }),
      }
      at += length
    }
  }

  async close(): Promise<void> {
    await this.#file?.close()
    await rm(this.#path, { force: true })
  }
}
