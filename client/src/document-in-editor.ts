/** The text documents that are open. */
import * as vscode from 'vscode'

/** The open document at `uri`, with what is not saved yet; undefined if there is none. */
export function openDocumentAt(uri: vscode.Uri | undefined): vscode.TextDocument | undefined {
  const key = uri?.toString()
  return key === undefined
    ? undefined
    : vscode.workspace.textDocuments.find((it) => it.uri.toString() === key)
}
