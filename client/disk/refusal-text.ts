/** Why a file was not read, in words. Apart from the reader, so that what starts quickly need not load translations. */
import { localize } from '../../core/src/internal.ts'
import type { Refusal } from './read-limits.ts'

/** A sentence without final stop, which holds nothing of the file. */
export function refusalText(refusal: Refusal): string {
  switch (refusal.reason) {
    case 'directory':
      return localize`This is a directory. Expected a file`
    case 'special':
      return localize`Not read: this is a device, a pipe, or a socket. Expected a regular file`
    case 'outside':
      return localize`Not read: this link leads out of the workspace`
    case 'late':
      return localize`Not read: the file system does not answer`
    case 'too-large':
      return localize`Not read: the file is larger than ${Math.floor(refusal.bytes / 1e6)} MB`
    case 'error':
      return localize`This file cannot be read`
    default:
      return refusal satisfies never
  }
}
