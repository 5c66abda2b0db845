/** Files on a disk, for Node. Only the entry of the extension for Node imports this. */
import type { BigIntStats } from 'node:fs'
import { type FileHandle, stat } from 'node:fs/promises'
import type { RangeChanges } from '../../../core/src/internal.ts'
import { identityOf, readRange, readSome, ShorterFileError } from '../../disk/byte-ranges.ts'
import { openRegularFile } from '../../disk/regular-file.ts'
import { RefusedWriteError } from '../../disk/replace-on-disk.ts'
import { replaceRanges } from '../../disk/replace-ranges.ts'
import { inWords } from '../../disk/write-refusal.ts'
import { type ByteFile, ChangedFileError, type FileVersion, isSameVersion } from './byte-file.ts'

const chunkSize = 4 * 2 ** 20 // bytes: large enough that reading costs more than asking

/** The file at `path`. It is opened for each question only, so that others may move or replace it. */
export function fileOnDisk(path: string): ByteFile {
  return {
    version: () => versionOf(path),
    read: (range) => withFile(path, (file) => readRange(file, range)),
    async *chunks() {
      const file = await openRegularFile(path)
      try {
        const buffer = new Uint8Array(chunkSize)
        for (;;) {
          const count = await readSome(file, buffer)
          if (count === 0) return
          yield buffer.subarray(0, count)
        }
      } finally {
        await file.close()
      }
    },
    replace: (changes, expected) => replace(path, changes, expected),
  }
}

async function versionOf(path: string): Promise<FileVersion> {
  return versionIn(await stat(path, { bigint: true }))
}

function versionIn(stats: BigIntStats): FileVersion {
  return { size: Number(stats.size), modified: Number(stats.mtimeMs), identity: identityOf(stats) }
}

async function withFile<Result>(path: string, use: (file: FileHandle) => Promise<Result>): Promise<Result> {
  const file = await openRegularFile(path)
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}

async function replace(path: string, changes: RangeChanges, expected: FileVersion): Promise<FileVersion> {
  try {
    await replaceRanges(path, {
      changes,
      isExpected: async (file) => isSameVersion(versionIn(await file.stat({ bigint: true })), expected),
    })
  } catch (error) {
    const isChanged = error instanceof RefusedWriteError && error.reason === 'changed'
    if (isChanged || error instanceof ShorterFileError) throw new ChangedFileError()
    return inWords(Promise.reject(error))
  }
  return versionOf(path)
}
