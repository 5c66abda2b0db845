/** A file that is read in ranges, because it may be larger than memory. Offsets are bytes. */

import {
  areSameBytes,
  joinedBytes,
  localize,
  type Packing,
  type RangeChanges,
} from '../../../core/src/internal.ts'

/** Which version of a file it is, as far as its file system shows. */
export interface FileVersion {
  /** Bytes. */
  readonly size: number
  /** Milliseconds since 1970. */
  readonly modified: number
  /** Which file of its file system, and which change of it; absent where that is not known. */
  readonly identity?: string
}

/** A stretch of a file: half-open. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** A file of text that is read and written as a whole, such as the edits of a file that is not written itself. */
export interface TextFile {
  /** The text; undefined if there is none. */
  read(): Promise<string | undefined>
  /** Writes `text` in the place of `before`. @throws ChangedFileError if something else is there */
  write(text: string, before: string | undefined): Promise<void>
}

/** A file that is open for reading ranges and for replacing some. */
export interface ByteFile {
  /** How the file is packed, known with its first chunk; ranges and chunks are then those of what is unpacked. */
  readonly packing?: Packing | undefined
  /** Bytes of a packed file that its chunks were made of so far. */
  readonly nRead?: number | undefined
  /** Where edits of a packed file go. */
  readonly edits?: TextFile

  /** The version that is there now. */
  version(): Promise<FileVersion>
  /** The bytes of a range; fewer if the file ends before. */
  read(range: ByteRange): Promise<Uint8Array>
  /** The whole file in chunks, in order. A chunk may be overwritten when the next one is asked for. */
  chunks(): AsyncIterable<Uint8Array>
  /**
   * Applies `changes`, however many: all of them or none.
   *
   * @returns the version that is there then
   * @throws ChangedFileError if the file is not `expected`, or does not have the bytes before; then it is left alone
   */
  replace(changes: RangeChanges, expected: FileVersion): Promise<FileVersion>
  /** It is not needed any more. */
  close?(): Promise<void>
}

/** A file that someone else changed. */
export class ChangedFileError extends Error {
  override readonly name = 'ChangedFileError'

  constructor() {
    super(localize`the file was changed by another program`)
  }
}

/** `bytes` with `changes`. @throws ChangedFileError if a stretch has other bytes than those before */
export async function changedBytes(bytes: Uint8Array, changes: RangeChanges): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let at = 0
  for await (const { start, before, after } of changes) {
    const end = start + before.length
    if (!areSameBytes(bytes.subarray(start, end), before)) throw new ChangedFileError()
    pieces.push(bytes.subarray(at, start), after)
    at = end
  }
  return joinedBytes([...pieces, bytes.subarray(at)])
}

/** True if both are the same version. */
export function isSameVersion(one: FileVersion, other: FileVersion): boolean {
  return one.size === other.size && one.modified === other.modified && one.identity === other.identity
}

/** True if both are the same file, as far as its file system shows, maybe with other content. */
export function isSameFile(one: FileVersion, other: FileVersion): boolean {
  const fileOf = ({ identity }: FileVersion) => identity?.slice(0, identity.lastIndexOf(' '))
  return fileOf(one) === fileOf(other)
}

/** Opens the file on disk at a path; absent where there is no disk. */
export type OpenFileOnDisk = (path: string) => ByteFile
