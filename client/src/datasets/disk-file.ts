/** Files on a disk, for Node. Only the entry of the extension for Node imports this. */
import { randomUUID } from 'node:crypto'
import { chmod, chown, type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import {
  type ByteFile,
  type ByteRange,
  ChangedFileError,
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
      const file = await open(path, 'r')
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
  const { size, mtimeMs } = await stat(path)
  return { size, modified: mtimeMs }
}

async function withFile<Result>(path: string, use: (file: FileHandle) => Promise<Result>): Promise<Result> {
  const file = await open(path, 'r')
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}

async function readRange(file: FileHandle, { start, end }: ByteRange): Promise<Uint8Array> {
  const bytes = new Uint8Array(end - start)
  let length = 0
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, start + length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return bytes.subarray(0, length)
}

/** A copy beside the file takes its place when it is complete. Links, permissions and, as far as allowed, the owner stay. */
async function replace(
  path: string,
  { start, end }: ByteRange,
  bytes: Uint8Array,
  expected: FileVersion,
): Promise<FileVersion> {
  const target = await realpath(path)
  const temporary = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`)
  const { mode, size, uid, gid } = await stat(target)
  await assertUnchanged(target, expected)
  try {
    const copy = await open(temporary, 'wx', mode)
    try {
      await withFile(target, async (file) => {
        await copyRange(file, copy, { start: 0, end: start })
        await writeAll(copy, bytes)
        await copyRange(file, copy, { start: end, end: size })
      })
      await copy.sync()
    } finally {
      await copy.close()
    }
    const copied = await stat(temporary)
    // Only some may give files away; others keep what they may keep.
    if (copied.uid !== uid || copied.gid !== gid) await chown(temporary, uid, gid).catch(() => undefined)
    await chmod(temporary, mode) // the umask may have taken something away
    await assertUnchanged(target, expected)
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  return versionOf(target)
}

async function copyRange(from: FileHandle, to: FileHandle, { start, end }: ByteRange): Promise<void> {
  for (let at = start; at < end; ) {
    const bytes = await readRange(from, { start: at, end: Math.min(end, at + chunkSize) })
    if (bytes.length === 0) throw new ChangedFileError('The file became shorter while it was copied')
    await writeAll(to, bytes)
    at += bytes.length
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, null)
    at += bytesWritten
  }
}

async function assertUnchanged(path: string, expected: FileVersion): Promise<void> {
  if (!isSameVersion(await versionOf(path), expected))
    throw new ChangedFileError('Another program changed the file in the meantime')
}
