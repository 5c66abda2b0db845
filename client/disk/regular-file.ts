/** Opens files that a workspace names. What is opened is a regular file: never a device, a pipe, or a directory. */
import { constants } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'

/** Thrown by {@link openRegularFile} for what exists and is not a regular file. */
export class NotAFile extends Error {
  override readonly name = 'NotAFile'
  /** True for a directory; false for a device, a pipe, or a socket. */
  readonly isDirectory: boolean

  constructor(isDirectory: boolean) {
    super(isDirectory ? 'directory instead of a file' : 'not a regular file')
    this.isDirectory = isDirectory
  }
}

// Opening a pipe must not wait for a writer, and opening a terminal must not take it over. Windows has neither flag.
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0)

/**
 * Opens the file at `path` for reading. Links are followed.
 *
 * @throws NotAFile for everything but a regular file; the error of Node if there is none, or it cannot be opened
 */
export async function openRegularFile(path: string): Promise<FileHandle> {
  // Opening some devices has effects of its own, so they are not opened at all; the answer that counts is that of the handle.
  assertFile(await stat(path))
  const file = await open(path, flags)
  try {
    assertFile(await file.stat())
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

function assertFile(status: { isFile(): boolean; isDirectory(): boolean }): void {
  if (!status.isFile()) throw new NotAFile(status.isDirectory())
}
