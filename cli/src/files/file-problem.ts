/** A file that cannot be read or written, in words. */
import { type Position, reasonOf } from '../../../core/src/internal.ts'
import { placeText } from './place-in.ts'

/** Why a file is left out; the message names the file and the reason. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem'
  /** The file as people see it. */
  readonly path: string
  readonly reason: string
  /** Where in the file; undefined if it concerns all of it. */
  readonly position: Position | undefined

  constructor(path: string, reason: string, position?: Position) {
    super(`${placeText(path || "''", position)}: ${reason}`)
    this.path = path
    this.reason = reason
    this.position = position
  }
}

const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'already exists',
  ENOENT: 'there is no such file or directory',
  EACCES: 'permission denied',
  EPERM: 'the operation is not permitted',
  EBUSY: 'another program is using the file',
  EISDIR: 'is a directory',
  ENOTDIR: 'a part of the path is not a directory',
  ELOOP: 'its symbolic links form a loop',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be too large',
  EIO: 'the device reports an error',
  EROFS: 'the file system is read-only',
  ERR_FS_FILE_TOO_LARGE: 'is too large: at most 2 GB can be read, and 536,870,888 characters',
  ERR_STRING_TOO_LONG: 'is too large: at most 536,870,888 characters can be read',
  ERR_INVALID_ARG_VALUE: 'is not a valid path',
}

/** The problem that `error`, thrown by Node, is. */
export function fileProblem(path: string, error: unknown): FileProblem {
  if (error instanceof FileProblem) return error
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? ''
  return new FileProblem(path, reasons[code] ?? reasonOf(error))
}
