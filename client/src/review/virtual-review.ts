/** Review files of file systems that cannot append: they are written as a whole, and looked at again afterwards. */
import * as vscode from 'vscode'
import { largestReview } from '../../../core/src/internal.ts'
import type { ReviewAccess } from './review-access.ts'

const attempts = 5 // so that two windows that write at the same time both succeed

/** The review file at `uri`. */
export function virtualReview(uri: vscode.Uri): ReviewAccess {
  const read = async () => {
    const size = await vscode.workspace.fs.stat(uri).then(
      (it) => it.size,
      () => undefined,
    )
    if (size === undefined) return undefined
    if (size > largestReview) throw new Error(vscode.l10n.t('The review file is too large'))
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri))
  }
  return {
    read,
    async append(lines) {
      for (let attempt = 0; attempt < attempts; attempt++) {
        const before = (await read()) ?? ''
        const lineBreak = before === '' || before.endsWith('\n') ? '' : '\n'
        await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(before + lineBreak + lines))
        if ((await read())?.includes(lines)) return
      }
      throw new Error(vscode.l10n.t('Another program is writing to the review file'))
    },
  }
}
