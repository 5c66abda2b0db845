/** The datasets in a folder, by any file system. */
import * as vscode from 'vscode'
import { isDatasetName, PathPattern } from '../../../core/src/internal.ts'
import type { FolderPart } from './folder-dataset.ts'

const mostFiles = 10_000
const deepest = 32
const skipped: ReadonlySet<string> = new Set(['.git', 'node_modules'])

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
 * The datasets below the folder at `uri`, in the order of their names; those that match the pattern in its query, if there is one. Folders
 * that are links are left out, so that no circle of them is followed. `isList` is asked for each file `*.json`.
 */
export async function datasetsIn(
  uri: vscode.Uri,
  isList: (file: vscode.Uri) => Promise<boolean>,
): Promise<readonly FolderPart<vscode.Uri>[]> {
  const folder = uri.with({ query: '' })
  const pattern = uri.query === '' ? undefined : new PathPattern(`./${uri.query}`)
  const found: FolderPart<vscode.Uri>[] = []
  const look = async (at: vscode.Uri, below: string, depth: number): Promise<void> => {
    const entries = await vscode.workspace.fs.readDirectory(at)
    entries.sort(([one], [other]) => (one < other ? -1 : 1))
    for (const [name, type] of entries) {
      const path = below === '' ? name : `${below}/${name}`
      const isLink = (type & vscode.FileType.SymbolicLink) !== 0
      if ((type & vscode.FileType.Directory) !== 0) {
        if (!isLink && !skipped.has(name) && depth < deepest)
          await look(vscode.Uri.joinPath(at, name), path, depth + 1)
      } else if (pattern?.matches(path) ?? true) {
        const isJson = /\.json$/i.test(name)
        if (!(isDatasetName(name) || (isJson && (await isList(vscode.Uri.joinPath(at, name)))))) continue
        if (found.length === mostFiles)
          throw new Error(vscode.l10n.t('it has more than {0} datasets, which is the limit', mostFiles))
        found.push({ address: vscode.Uri.joinPath(at, name), name: path })
      }
    }
  }
  await look(folder, '', 0)
  return found
}
