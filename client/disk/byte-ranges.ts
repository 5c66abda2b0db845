/** Reading, copying and writing ranges of open files, and telling one version of a file from another. */
import { type BigIntStats, readSync } from 'node:fs'
import { type FileHandle, stat } from 'node:fs/promises'

/** A stretch of a file in bytes: half-open. */
export interface Bytes {
  readonly start: number
  readonly end: number
}

const chunkSize = 4 * 2 ** 20 // bytes: large enough that copying costs more than asking

/** A file became shorter while it was copied. */
export class ShorterFileError extends Error {
  override readonly name = 'ShorterFileError'
}

/**
 * Reads into `bytes` from `position`, or from where the file was read last; how many bytes, 0 at the end. A signal can interrupt
 * reading where files come from a network or another program: then it begins again, which Node leaves to its callers.
 */
export async function readSome(
  file: Pick<FileHandle, 'read'>,
  bytes: Uint8Array,
  position: number | null = null,
): Promise<number> {
  for (;;) {
    try {
      return (await file.read(bytes, 0, bytes.length, position)).bytesRead
    } catch (error) {
      throwUnlessInterrupted(error)
    }
  }
}

/** As {@link readSome}, without waiting for another thread. @param file its number */
export function readSomeSync(file: number, bytes: Uint8Array, position: number | null = null): number {
  for (;;) {
    try {
      return readSync(file, bytes, 0, bytes.length, position)
    } catch (error) {
      throwUnlessInterrupted(error)
    }
  }
}

function throwUnlessInterrupted(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'EINTR') throw error
}

/** The bytes of a range; fewer if the file ends before. */
export async function readRange(file: FileHandle, { start, end }: Bytes): Promise<Uint8Array> {
  const bytes = new Uint8Array(end - start)
  let length = 0
  while (length < bytes.length) {
    const count = await readSome(file, bytes.subarray(length), start + length)
    if (count === 0) break
    length += count
  }
  return bytes.subarray(0, length)
}

/** Writes a range of one file at the current position of another, or at the same offset. @throws ShorterFileError */
export async function copyRange(
  from: FileHandle,
  to: FileHandle,
  { start, end }: Bytes,
  where: 'current' | 'same' = 'current',
): Promise<void> {
  for (let at = start; at < end; ) {
    const bytes = await readRange(from, { start: at, end: Math.min(end, at + chunkSize) })
    if (bytes.length === 0) throw new ShorterFileError('A file became shorter while it was copied')
    await writeAll(to, bytes, where === 'same' ? at : undefined)
    at += bytes.length
  }
}

/** Writes all of `bytes` at an offset, or where the file was written last. */
export async function writeAll(file: FileHandle, bytes: Uint8Array, offset?: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const position = offset === undefined ? null : offset + at
    at += (await file.write(bytes, at, bytes.length - at, position)).bytesWritten
  }
}

/** True if both regular files have the same bytes. */
export async function isSameContent(one: FileHandle, other: FileHandle): Promise<boolean> {
  const [status, { size }] = [await one.stat(), await other.stat()]
  if (!status.isFile() || status.size !== size) return false
  for (let start = 0; start < size; start += chunkSize) {
    const range = { start, end: Math.min(size, start + chunkSize) }
    const [bytes, expected] = [await readRange(one, range), await readRange(other, range)]
    if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).equals(expected)) return false
  }
  return true
}

/** Which file it is, and which change of it. Unlike the time of the content, the time of the last change cannot be set. */
export function identityOf(status: BigIntStats): string {
  return `${placeOf(status)} ${status.ctimeNs}`
}

/** Which file or folder `path` leads to, through any links; undefined if there is none, or it can't be looked at. */
export async function placeAt(path: string): Promise<string | undefined> {
  return stat(path, { bigint: true }).then(placeOf, () => undefined)
}

/** Which file or folder it is, whatever its path and its content are. */
export function placeOf({ dev, ino }: BigIntStats): string {
  return `${dev} ${ino}`
}
