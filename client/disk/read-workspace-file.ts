/**
 * Reads the files of a workspace that are read without being opened by the user: configuration, expectations, snapshots, and
 * transcripts that are searched for symbols. The author of the workspace may have put anything in their place.
 */
import { type FileHandle, readlink, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, relative, sep } from 'node:path'
import { readSome } from './byte-ranges.ts'
import { inTime } from './in-time.ts'
import { type FileReading, patience, type ReadLimits, type Refusal } from './read-limits.ts'
import { NotAFile, openRegularFile } from './regular-file.ts'

const chunkSize = 64 * 1024

/** Reads the file at `path`. Never throws, and never waits longer than it may. */
export async function readWorkspaceFile(path: string, limits: ReadLimits): Promise<FileReading> {
  const late: FileReading = { kind: 'refused', refusal: { reason: 'late' } }
  return inTime(readNow(path, limits), patience, late)
}

async function readNow(
  path: string,
  { bytes, within, isConfined = false }: ReadLimits,
): Promise<FileReading> {
  try {
    const target = await realpath(path)
    const roots =
      within && (await Promise.all([...(isConfined ? [] : [dirname(path)]), ...within].map(realFolder)))
    if (roots && !isInSome(roots, target)) return refused({ reason: 'outside' })
    const file = await openRegularFile(target)
    try {
      // A part of the path may have become a link in the meantime.
      if (roots && !isInSome(roots, await pathOf(file, target))) return refused({ reason: 'outside' })
      const { size } = await file.stat()
      const content = size <= bytes ? await readAtMost(file, bytes) : undefined
      return content ? { kind: 'read', bytes: content } : refused({ reason: 'too-large', bytes })
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof NotAFile) return refused({ reason: error.isDirectory ? 'directory' : 'special' })
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' }
    return refused({ reason: 'error', error })
  }
}

function refused(refusal: Refusal): FileReading {
  return { kind: 'refused', refusal }
}

/** Undefined for a folder that is not there, in which nothing can be. */
async function realFolder(folder: string): Promise<string | undefined> {
  return realpath(folder).catch(() => undefined)
}

function isInSome(folders: readonly (string | undefined)[], path: string): boolean {
  return folders.some((folder) => folder !== undefined && isBelow(folder, path))
}

/** True if `path` is in `folder`, at any depth; both without links. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Where the open `file` is. Linux knows of the file itself; elsewhere its path is resolved again. */
async function pathOf(file: FileHandle, path: string): Promise<string> {
  return readlink(`/proc/self/fd/${file.fd}`).catch(() => realpath(path))
}

/** The content; undefined if there is more than `limit`, whatever the size of the file was said to be. */
async function readAtMost(file: FileHandle, limit: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  for (let length = 0; length <= limit; ) {
    const chunk = new Uint8Array(Math.min(chunkSize, limit + 1 - length))
    const count = await readSome(file, chunk)
    if (count === 0) return Buffer.concat(chunks)
    chunks.push(chunk.subarray(0, count))
    length += count
  }
  return undefined
}
