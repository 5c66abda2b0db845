/** Replaces stretches of a file, however many, in one swap. */
import type { FileHandle } from 'node:fs/promises'
import type { RangeChanges } from '../../core/src/internal.ts'
import { copyRange, readRange, writeAll } from './byte-ranges.ts'
import { RefusedWriteError, replaceOnDisk } from './replace-on-disk.ts'

/** What becomes of a file. */
export interface RangeReplacement {
  readonly changes: RangeChanges
  /** True if the open file is still the version that the changes are of. */
  isExpected(file: FileHandle): Promise<boolean>
  /** As {@link Replacement.within}. */
  readonly within?: string | undefined
}

/**
 * Applies `changes` to the file at `path`: all of them or none. The stretches must still have the bytes that they had: a file that
 * is written twice in one tick of its clock has one version only.
 *
 * @throws what {@link replaceOnDisk} throws; RefusedWriteError if the file is not what was expected
 */
export async function replaceRanges(
  path: string,
  { changes, isExpected, within }: RangeReplacement,
): Promise<void> {
  await replaceOnDisk(path, {
    within,
    assertUnchanged: async (file) => {
      if (!(await isExpected(file)) || !(await holds(file, changes)))
        throw new RefusedWriteError('changed', path)
    },
    write: async (copy, file) => void (await writeChanged(file, copy, { path, changes })),
  })
}

/**
 * Writes the content of `from` with `changes` to the current position of `to`; returns the last byte of it, undefined if it is
 * empty. @throws RefusedWriteError if a stretch has other bytes
 */
export async function writeChanged(
  from: FileHandle,
  to: FileHandle,
  { path, changes }: { readonly path: string; readonly changes: RangeChanges },
): Promise<number | undefined> {
  let at = 0
  let last: number | undefined
  for await (const { start, before, after } of changes) {
    await copyRange(from, to, { start: at, end: start })
    if (!(await hasBytes(from, start, before))) throw new RefusedWriteError('changed', path)
    await writeAll(to, after)
    at = start + before.length
    last = after.at(-1)
  }
  const { size } = await from.stat()
  await copyRange(from, to, { start: at, end: size })
  return at < size ? (await readRange(from, { start: size - 1, end: size }))[0] : last
}

async function holds(file: FileHandle, changes: RangeChanges): Promise<boolean> {
  for await (const { start, before } of changes) if (!(await hasBytes(file, start, before))) return false
  return true
}

async function hasBytes(file: FileHandle, start: number, bytes: Uint8Array): Promise<boolean> {
  return Buffer.from(await readRange(file, { start, end: start + bytes.length })).equals(bytes)
}
