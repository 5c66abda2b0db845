/** The fixed samples of a dataset: kept on the disk until all of it has been checked, then written. */
import { type FileHandle, stat } from 'node:fs/promises'
import { identityOf, readRange, writeAll } from '../../../client/disk/byte-ranges.ts'
import { openRegularFile } from '../../../client/disk/regular-file.ts'
import { RefusedWriteError } from '../../../client/disk/replace-on-disk.ts'
import { replaceRanges, writeChanged } from '../../../client/disk/replace-ranges.ts'
import { type ChangedSample, ChangeLog, packingOf, signatureLength } from '../../../core/src/internal.ts'
import { FileProblem, fileProblem } from '../files/file-problem.ts'
import { createFileFrom, writeProblem } from '../files/replace-file.ts'
import { temporarySpool } from '../files/temporary-spool.ts'

/** The edits of one dataset. */
export class DatasetFixes {
  readonly path: string
  readonly #within: string | undefined
  readonly #identity: string
  readonly #edits = new ChangeLog(temporarySpool)
  /** True if it has a sample a line, so that others can follow it in one file. */
  isLines = false
  /** How many problems the edits fix. */
  nFixed = 0
  /** True when all of the dataset has been checked: before that, nothing is written. */
  isComplete = false
  /** True when they are in a file. */
  isWritten = false

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
  async add(edits: readonly ChangedSample[]): Promise<void> {
    for (const edit of edits) await this.#edits.add(edit)
  }

  /** Swaps the dataset for one with its samples replaced, if there are any. @throws FileProblem; then it is what it was */
  async writeInPlace(): Promise<void> {
    if (this.#edits.count === 0) return
    try {
      await replaceRanges(this.path, {
        changes: this.#edits,
        within: this.#within,
        isExpected: (file) => this.#isUnchanged(file),
      })
      this.isWritten = true
    } catch (error) {
      throw writeProblem(this.path, error)
    }
  }

  /** Writes the dataset with its samples replaced to the end of `to`; the last byte of it, unless it is empty. */
  async append(to: FileHandle): Promise<number | undefined> {
    const file = await openRegularFile(this.path)
    try {
      if (!(await this.#isUnchanged(file))) throw new RefusedWriteError('changed', this.path)
      return await writeChanged(file, to, { path: this.path, changes: this.#edits })
    } finally {
      await file.close()
    }
  }

  /** Lets go of the edits. */
  close(): Promise<void> {
    return this.#edits.close()
  }

  async #isUnchanged(file: FileHandle): Promise<boolean> {
    return identityOf(await file.stat({ bigint: true })) === this.#identity
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
  for (const it of fixes) it.isWritten = true
}

const lineFeed = 0x0a
