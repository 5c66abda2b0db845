/** Review files of file systems that cannot append: they are written as a whole, and looked at again afterwards. */
import * as vscode from 'vscode'
import { joinedBytes, largestReview } from '../../../core/src/internal.ts'
import { bytesAt, writeInPlaceOf } from '../virtual-bytes.ts'
import type { ReviewAccess } from './review-access.ts'

const attempts = 5 // so that two windows that write at the same time both succeed

const lineFeed = 0x0a

/** The review file at `uri`. */
export function virtualReview(uri: vscode.Uri): ReviewAccess {
  const bytes = () => bytesAt(uri, largestReview, () => vscode.l10n.t('The review file is too large'))
  const read = async () => {
    const found = await bytes()
    return found && new TextDecoder().decode(found)
  }
  return {
    read,
    async append(lines) {
      for (let attempt = 0; attempt < attempts; attempt++) {
        const before = await bytes() // kept as it is, also where it is not text
        const isInLine = before !== undefined && before.length > 0 && before.at(-1) !== lineFeed
        const added = new TextEncoder().encode(isInLine ? `\n${lines}` : lines)
        await writeInPlaceOf(before, uri, joinedBytes([before ?? new Uint8Array(), added]))
        if ((await read())?.includes(lines)) return
      }
      throw new Error(vscode.l10n.t('Another program is writing to the review file'))
    },
  }
}
