/** The file that samples of a dataset are written to: which one is proposed, and what is offered afterwards. */
import * as vscode from 'vscode'
import { fileBeside } from '../file-beside.ts'
import { offerToOpen } from '../notice.ts'

/** Asks for a file for samples of the dataset at `uri`; `part` is a piece of the name that is proposed, which is never that of the dataset. */
export function askedTarget(
  uri: vscode.Uri,
  { title, part }: { readonly title: string; readonly part?: string },
): Thenable<vscode.Uri | undefined> {
  const proposed = fileBeside(uri, (name) => {
    const stem = name.replace(/\.(?:gz|zst|parquet)$/i, '').replace(/\.(?:jsonl?|ndjson)$/i, '')
    const whole = `${stem}.jsonl`
    return part === undefined && whole !== name ? whole : `${stem}.${part ?? 'copy'}.jsonl`
  })
  return vscode.window.showSaveDialog({
    title,
    ...(proposed && { defaultUri: proposed }),
    filters: { JSONL: ['jsonl'] },
  })
}

/** Says with `show`, or as information, what was written to `to`, and offers to open it as a list. */
export function offerList(to: vscode.Uri, text: string, show?: Parameters<typeof offerToOpen>[2]): void {
  void offerToOpen(text, () => vscode.commands.executeCommand('openchatml.openAsDataset', to), show)
}

/** The name of a file in messages. */
export function nameOf({ path }: vscode.Uri): string {
  return path.split('/').at(-1) ?? ''
}
