/**
 * Appends lines to a file on a disk that several windows and programs append to at the same time. The system puts what is written at
 * once at the end that the file has then, so that no process overwrites or splits the lines of another.
 */
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { placeAt, placeOf, readRange, readSome } from './byte-ranges.ts'
import { RefusedWriteError, resolved } from './replace-on-disk.ts'

/** How lines are appended. */
export interface AppendOptions {
  /** False to leave it to the system when they reach the disk; a crash of this program loses nothing either way. */
  readonly isSynced?: boolean
}

/**
 * Appends `lines`, each with its line break, and waits until they are on the disk. The file is created if there is none. What a
 * crash cut off stays a line of its own. If another program puts a file in the place of this one meanwhile, as editors and git
 * do, they are appended to that one as well, unless it has them.
 *
 * @throws RefusedWriteError for a link that leads out of the folder, and for what is not a regular file; errors of the system
 */
export async function appendOnDisk(
  path: string,
  lines: string,
  { isSynced = true }: AppendOptions = {},
): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    const file = await openToAppend(path)
    try {
      if (!isFirst && (await hasLines(file, lines))) return
      await append(file, lines, path)
      if (isSynced) await file.datasync()
      if (await isAt(path, file)) return
    } finally {
      await file.close()
    }
  }
}

async function append(file: FileHandle, lines: string, path: string): Promise<void> {
  let bytes = Buffer.from((await endsInLine(file, path)) ? `\n${lines}` : lines)
  // On a full disk the system may take a part only: that is a broken line, after which the lines are written again.
  while ((await file.write(bytes)).bytesWritten < bytes.length) bytes = Buffer.from(`\n${lines}`)
}

async function hasLines(file: FileHandle, lines: string): Promise<boolean> {
  const bytes = await readRange(file, { start: 0, end: (await file.stat()).size })
  return Buffer.from(bytes.buffer).includes(lines)
}

async function isAt(path: string, file: FileHandle): Promise<boolean> {
  return (await placeAt(path)) === placeOf(await file.stat({ bigint: true }))
}

const { O_APPEND, O_CREAT, O_EXCL, O_RDWR, O_NOFOLLOW, O_NONBLOCK = 0 } = constants
const flags = O_RDWR | O_APPEND | O_NONBLOCK // opening a pipe must not wait for its other end
const newFileMode = 0o666 // less what the umask takes away

async function openToAppend(path: string): Promise<FileHandle> {
  for (;;) {
    try {
      if (O_NOFOLLOW !== undefined) return await open(path, flags | O_NOFOLLOW)
      return await open(await resolved(path, dirname(path)), flags) // Windows
    } catch (error) {
      if (codeOf(error) === 'ELOOP') return open(await resolved(path, dirname(path)), flags)
      if (codeOf(error) !== 'ENOENT') throw error
    }
    try {
      return await open(path, flags | O_CREAT | O_EXCL, newFileMode)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error // someone made it in the meantime
    }
  }
}

/** True if the file ends within a line. That of another program which is writing at the moment is longer when it is looked at again. */
async function endsInLine(file: FileHandle, path: string): Promise<boolean> {
  for (let known = -1; ; ) {
    const status = await file.stat()
    if (!status.isFile()) throw new RefusedWriteError('not-a-file', path)
    const { size } = status
    if (size === 0) return false
    const last = new Uint8Array(1)
    await readSome(file, last, size - 1)
    if (last[0] === lineBreak) return false
    if (size === known) return true
    known = size
  }
}

const lineBreak = 0x0a

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}
