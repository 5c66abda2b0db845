/** Writes files of users: as a whole or not at all, and never over the work of others. */

import type { FileHandle } from 'node:fs/promises'
import { readRange } from '../../../client/disk/byte-ranges.ts'
import {
  createOnDisk,
  RefusedWriteError,
  type Replacement,
  replaceOnDisk,
} from '../../../client/disk/replace-on-disk.ts'
import { BusyFileError } from '../../../client/disk/save-lock.ts'
import { areSameBytes } from '../../../core/src/internal.ts'
import { FileProblem, fileProblem } from './file-problem.ts'

/** Where a file may be. */
export interface WriteOptions {
  /** The folder it was found in: symbolic links must not lead out of it. Undefined for a file that the user named. */
  readonly within?: string | undefined
}

/**
 * Writes `text` to the file at `path`, if it still holds `expected`. A reader sees the old content or the new one, never a part.
 * Owner, permissions, hard links and extended attributes stay. Who may not write the file may not replace it either.
 *
 * @throws FileProblem if the file cannot be written, or is not what it was; then nothing is written
 */
export async function replaceFile(
  path: string,
  expected: Uint8Array,
  text: string,
  { within }: WriteOptions = {},
): Promise<void> {
  await rewriteFile(path, {
    within,
    assertUnchanged: async (file) => {
      const { size } = await file.stat()
      const isSame =
        size === expected.length && areSameBytes(await readRange(file, { start: 0, end: size }), expected)
      if (!isSame) throw new RefusedWriteError('changed', path)
    },
    write: (copy) => copy.writeFile(text, 'utf8'),
  })
}

/** As {@link replaceOnDisk}. @throws FileProblem */
export async function rewriteFile(path: string, replacement: Replacement): Promise<void> {
  try {
    await replaceOnDisk(path, replacement)
  } catch (error) {
    throw writeProblem(path, error)
  }
}

/** Writes `text` to a new file at `path`, as {@link replaceFile} does to one that exists. @throws FileProblem */
export function createFile(path: string, text: string, options: WriteOptions = {}): Promise<void> {
  return createFileFrom(path, (copy) => copy.writeFile(text, 'utf8'), options)
}

/** As {@link createFile}, with what `write` writes. */
export async function createFileFrom(
  path: string,
  write: (copy: FileHandle) => Promise<void>,
  { within }: WriteOptions = {},
): Promise<void> {
  try {
    await createOnDisk(path, { within, write })
  } catch (error) {
    throw writeProblem(path, error)
  }
}

/** What is wrong with writing the file at `path`. */
export function writeProblem(path: string, error: unknown): FileProblem {
  if (error instanceof FileProblem) return error
  if (error instanceof BusyFileError) return new FileProblem(path, 'another program is saving this file')
  if (!(error instanceof RefusedWriteError)) {
    const problem = fileProblem(path, error)
    const { code } = error as NodeJS.ErrnoException
    // The file can be read: what is not permitted is writing it.
    return code === 'EACCES' || code === 'EPERM'
      ? new FileProblem(path, `is not written: ${problem.reason}`)
      : problem
  }
  switch (error.reason) {
    case 'changed':
      return new FileProblem(path, 'was changed by another program in the meantime and is not overwritten')
    case 'not-a-file':
      return new FileProblem(path, 'is not a regular file')
    case 'outside':
      return new FileProblem(path, 'is a link to a place outside the folder; nothing is written there')
    case 'interrupted':
      return new FileProblem(
        path,
        `an earlier write was interrupted; the previous content is in ${error.path}. Restore or remove that file`,
      )
  }
}
