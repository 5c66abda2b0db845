/** Reads transcripts: bytes from a file or from standard input, strictly UTF-8. */
import { type FileHandle, open, stat } from 'node:fs/promises'
import { readRange, readSome } from '../../../client/disk/byte-ranges.ts'
import { isPackedName, validUtf8Length } from '../../../core/src/internal.ts'
import { FileProblem, fileProblem } from './file-problem.ts'
import { foreignBytes } from './foreign-bytes.ts'
import { refuseUnfitInput, standardInputNumber } from './refuse-unfit-input.ts'

/** The name that stands for standard input among paths. */
export const standardInput = '-'

/** True for standard input and pipes, whose text is gone once it was read. */
export async function isReadOnce(path: string): Promise<boolean> {
  if (path === standardInput) return true
  const status = await stat(path).catch(() => undefined) // reading it reports what is wrong
  return status !== undefined && !status.isFile() && !status.isDirectory()
}

/** What is said of a dataset where one conversation is read. */
export const isDataset = 'is a dataset; expected a single conversation'

/** How people see it. */
export const shownInput = '<stdin>'

/** A text and where it comes from. */
export interface Source {
  /** As people see it. */
  readonly path: string
  /** A byte order mark is part of it. */
  readonly text: string
  /** The bytes that were read. */
  readonly bytes: Uint8Array
}

/**
 * Reads the file at `path`, or `input` if that is `-`.
 *
 * @param inputName the file that standard input stands for, if it does
 * @throws FileProblem
 */
export async function readSource(
  path: string,
  input: AsyncIterable<Uint8Array>,
  inputName = shownInput,
): Promise<Source> {
  const shown = path === standardInput ? inputName : path
  try {
    refuseUnfitInput(path === standardInput ? standardInputNumber : path, shown)
    const bytes = path === standardInput ? await readAll(input) : await bytesOf(path)
    const foreign = foreignBytes(bytes)
    if (foreign !== undefined) throw new FileProblem(shown, isPackedName(shown) ? isDataset : foreign)
    return { path: shown, text: decode(bytes, shown), bytes }
  } catch (error) {
    throw fileProblem(shown, error)
  }
}

/** Of a device or a pipe, which may never end, only as much is read as of a file. */
async function bytesOf(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size > mostBytes) throw tooLarge()
    // Nor have files that the system makes up, such as those in /proc, a size.
    return size === 0 ? await readAll(chunksOf(file)) : await readRange(file, { start: 0, end: size })
  } finally {
    await file.close()
  }
}

const chunkSize = 65_536 // bytes, as much as a pipe holds

async function* chunksOf(file: FileHandle): AsyncIterableIterator<Uint8Array> {
  for (;;) {
    const chunk = new Uint8Array(chunkSize)
    const count = await readSome(file, chunk)
    if (count === 0) return
    yield chunk.subarray(0, count)
  }
}

const mostBytes = 2 ** 31 - 1 // as Node reads of a file

async function readAll(input: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of input) {
    length += chunk.length
    if (length > mostBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function tooLarge(): Error {
  return Object.assign(new Error('input is too large'), { code: 'ERR_FS_FILE_TOO_LARGE' })
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error
    throw new FileProblem(path, notUtf8(bytes)) // which says where
  }
}

function notUtf8(bytes: Uint8Array): string {
  const offset = validUtf8Length(bytes)
  const value = (bytes[offset] ?? 0).toString(16).toUpperCase().padStart(2, '0')
  const line = countLineFeeds(bytes.subarray(0, offset)) + 1
  return `is not UTF-8: byte 0x${value} at offset ${offset}, line ${line}`
}

function countLineFeeds(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count++
  return count
}
