/** The datasets in a folder, by any file system. */
import * as vscode from 'vscode'
import { isDatasetName, PathPattern } from '../../../core/src/internal.ts'
import type { FolderContent } from './folder-dataset.ts'
import { type FolderEntry, filesBelow, mostFiles, TooManyFilesError } from './folder-walk.ts'

/** True for an address that may stand for the files of a folder. */
export async function isFolder(uri: vscode.Uri): Promise<boolean> {
  if (uri.query !== '') return true
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.Directory) !== 0
  } catch {
    return false // who reads it as a file says what is wrong
  }
}

/** The address of the files below `folder` that match a pattern. */
export function patternUri(folder: vscode.Uri, pattern: string): vscode.Uri {
  return folder.with({ query: pattern })
}

/**
 * The datasets below the folder at `uri`, in the order of their names; those that match the pattern in its query, if there is one.
 * `isList` is asked for each file `*.json`.
 */
export async function datasetsIn(
  uri: vscode.Uri,
  isList: (file: vscode.Uri) => Promise<boolean>,
): Promise<FolderContent<vscode.Uri>> {
  const folder = uri.with({ query: '' })
  const pattern = uri.query === '' ? undefined : new PathPattern(`./${uri.query}`)
  const at = (path: string) => (path === '' ? folder : vscode.Uri.joinPath(folder, path))
  const { files, leftOut } = await filesBelow(
    async (path) => (await vscode.workspace.fs.readDirectory(at(path))).map(entryOf),
    async (path) =>
      (pattern?.matches(path) ?? true) &&
      (isDatasetName(path) || (/\.json$/i.test(path) && (await isList(at(path))))),
  ).catch((error: unknown) => {
    if (!(error instanceof TooManyFilesError)) throw error
    throw new Error(vscode.l10n.t('it has more than {0} datasets, which is the limit', mostFiles))
  })
  return { files: files.map((name) => ({ address: at(name), name })), leftOut }
}

function entryOf([name, type]: [string, vscode.FileType]): FolderEntry {
  const isFolder = (type & vscode.FileType.Directory) !== 0
  return {
    name,
    kind: isFolder ? 'folder' : 'file',
    isLink: (type & vscode.FileType.SymbolicLink) !== 0,
  }
}
