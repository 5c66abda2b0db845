/** Review files on a disk. Only the entry of the extension for Node imports this. */
import { largestReview } from '../../../core/src/internal.ts'
import { appendOnDisk } from '../../disk/append-on-disk.ts'
import { readWorkspaceFile } from '../../disk/read-workspace-file.ts'
import { refusalText } from '../../disk/refusal-text.ts'
import { inWords } from '../../disk/write-refusal.ts'
import type { ReviewAccess } from './review-access.ts'

/** The review file at `path`. */
export function reviewOnDisk(path: string): ReviewAccess {
  return {
    async read() {
      const reading = await readWorkspaceFile(path, { bytes: largestReview, within: undefined })
      if (reading.kind === 'missing') return undefined
      if (reading.kind === 'read') return new TextDecoder().decode(reading.bytes)
      throw reading.refusal.reason === 'error'
        ? reading.refusal.error
        : new Error(refusalText(reading.refusal))
    },
    append: (lines) => inWords(appendOnDisk(path, lines)),
  }
}
