/** Why a file is not written, in words. Apart from the writers, so that what starts quickly need not load translations. */
import { localize } from '../../core/src/internal.ts'
import { RefusedWriteError } from './replace-on-disk.ts'
import { BusyFileError } from './save-lock.ts'

/** What `write` gives. @throws Error with a clause for users if it is refused; else what `write` throws */
export async function inWords<Result>(write: Promise<Result>): Promise<Result> {
  try {
    return await write
  } catch (error) {
    if (error instanceof BusyFileError) throw new Error(localize`another program is saving the file`)
    throw error instanceof RefusedWriteError ? new Error(reasonOfRefusal(error)) : error
  }
}

function reasonOfRefusal({ reason, path }: RefusedWriteError): string {
  switch (reason) {
    case 'changed':
      return localize`the file was changed by another program`
    case 'not-a-file':
      return localize`${path} is not a regular file`
    case 'outside':
      return localize`the link leads out of the folder, to ${path}`
    case 'interrupted':
      return localize`an earlier save was interrupted. The previous content is in ${path}. Restore or remove that file`
    default:
      return reason satisfies never
  }
}
