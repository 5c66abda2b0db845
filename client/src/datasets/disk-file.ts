/** Files on a disk, for Node. Only the entry of the extension for Node imports this. */
import type { BigIntStats } from 'node:fs'
import { type FileHandle, stat } from 'node:fs/promises'
import { copyRange, identityOf, readRange, ShorterFileError, writeAll } from '../../disk/byte-ranges.ts'
import { openRegularFile } from '../../disk/regular-file.ts'
import { RefusedWriteError, replaceOnDisk } from '../../disk/replace-on-disk.ts'
import {
  type ByteFile,
  type ByteRange,
  ChangedFileError,
  type ExpectedContent,
  type FileVersion,
  isSameVersion,
} from './byte-file.ts'

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
          const { bytesRead } = await file.read(buffer, 0, chunkSize, null)
          if (bytesRead === 0) return
          yield buffer.subarray(0, bytesRead)
        }
      } finally {
        await file.close()
      }
    },
    replace: (range, bytes, expected) => replace(path, range, bytes, expected),
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

/** The range must hold `expected.bytes` still: a file that is written twice in one tick of its clock has one version only. */
async function replace(
  path: string,
  { start, end }: ByteRange,
  bytes: Uint8Array,
  expected: ExpectedContent,
): Promise<FileVersion> {
  try {
    await replaceOnDisk(path, {
      assertUnchanged: async (file) => {
        const isSame =
          isSameVersion(versionIn(await file.stat({ bigint: true })), expected.version) &&
          Buffer.from(await readRange(file, { start, end })).equals(expected.bytes)
        if (!isSame) throw new ChangedFileError('Another program changed the file in the meantime')
      },
      write: async (copy, file) => {
        await copyRange(file, copy, { start: 0, end: start })
        await writeAll(copy, bytes)
        await copyRange(file, copy, { start: end, end: expected.version.size })
      },
    })
  } catch (error) {
    const isChanged = error instanceof RefusedWriteError && error.reason === 'changed'
    if (isChanged || error instanceof ShorterFileError)
      throw new ChangedFileError('Another program replaced the file in the meantime')
    throw error
  }
  return versionOf(path)
}
