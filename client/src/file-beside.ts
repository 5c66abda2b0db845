/** Where a file that is made of a document is proposed to be saved: next to the file that the document comes from. */
import * as vscode from 'vscode'
import { sampleAddress } from './datasets/sample-uri.ts'
import { addressOf } from './prompts/filled-address.ts'

/** Not all file systems have these in names; the names of samples do. */
const unfitForNames = /[<>:"|?*\\]/g

/**
 * The file next to that of the document at `uri`: next to the dataset of a sample, and to the prompt of a filled one; in the first folder
 * of the workspace if there is no file that could be written. A folder of the workspace has no place next to it: the file is in it.
 *
 * @param nameFor the name of the file, by that of the document
 * @returns undefined if there is no such folder
 */
export function fileBeside(uri: vscode.Uri, nameFor: (name: string) => string): vscode.Uri | undefined {
  const source = sampleAddress(uri)?.dataset ?? addressOf(uri)?.source ?? uri
  const folder = folderOf(source.with({ query: '', fragment: '' }))
  const name = (uri.path.split('/').at(-1) ?? '').replaceAll(unfitForNames, '-')
  return folder && vscode.Uri.joinPath(folder, nameFor(name))
}

function folderOf(source: vscode.Uri): vscode.Uri | undefined {
  const folders = vscode.workspace.workspaceFolders?.map(({ uri }) => uri) ?? []
  if (!vscode.workspace.fs.isWritableFileSystem(source.scheme)) return folders[0]
  const own = source.toString()
  return folders.find((it) => it.toString() === own) ?? vscode.Uri.joinPath(source, '..')
}
