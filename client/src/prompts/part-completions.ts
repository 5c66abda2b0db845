/** Suggests the paths of parts while an include is written, folder by folder. */
import * as vscode from 'vscode'
import { partPath } from '../../../core/src/internal.ts'
import { pathIn } from './inclusion-index.ts'
import { isPartName, partPattern } from './part-names.ts'

const mostEntries = 500 // of a folder
const longestTag = 500 // UTF-16 code units
const openInclude = /\{%[-+]?\s*include\s+["']([^"']*)$/

/** Registers the suggestions, in prompts and in parts. */
export function registerPartCompletions(context: vscode.ExtensionContext): void {
  const selector = [{ language: 'openchatml' }, { pattern: partPattern }]
  context.subscriptions.push(
    vscode.languages.registerCompletionItemProvider(selector, { provideCompletionItems }, '"', "'", '/'),
  )
}

async function provideCompletionItems(
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<vscode.CompletionList | undefined> {
  const { uri } = document
  const start = position.with({ character: Math.max(0, position.character - longestTag) })
  const before = document.getText(new vscode.Range(start, position))
  const [, written] = openInclude.exec(before) ?? []
  if (written === undefined) return undefined
  const name = written.slice(written.lastIndexOf('/') + 1)
  const folder = folderOf(uri, written.slice(0, written.length - name.length))
  const entries = folder ? await entriesOf(folder) : []
  const offered = entries
    .filter(([it, type]) => !it.startsWith('.') && (isFolder(type) || isPartName(it)))
    .filter(([it]) => folder && vscode.Uri.joinPath(folder, it).toString() !== uri.toString())
  const range = new vscode.Range(position.translate(0, -name.length), position)
  const items = offered.slice(0, mostEntries).map(([it, type]) => itemFor(it, type, range))
  return new vscode.CompletionList(items, offered.length > items.length)
}

/** The folder that a path leads to, with `/` at its end, from the file that has it; undefined outside of the workspace. */
function folderOf(uri: vscode.Uri, path: string): vscode.Uri | undefined {
  const root = vscode.workspace.getWorkspaceFolder(uri)?.uri
  if (!root) return undefined
  const from = pathIn(root, uri)
  if (from === undefined) return undefined
  const anyPart = partPath(from, `${path}part`)
  return anyPart.kind === 'path' ? vscode.Uri.joinPath(root, anyPart.path, '..') : undefined
}

/** What is in a folder; nothing where there is none. */
async function entriesOf(folder: vscode.Uri): Promise<[string, vscode.FileType][]> {
  try {
    return await vscode.workspace.fs.readDirectory(folder)
  } catch {
    return []
  }
}

function isFolder(type: vscode.FileType): boolean {
  return (type & vscode.FileType.Directory) !== 0
}

function itemFor(name: string, type: vscode.FileType, range: vscode.Range): vscode.CompletionItem {
  const kind = isFolder(type) ? vscode.CompletionItemKind.Folder : vscode.CompletionItemKind.File
  const item = new vscode.CompletionItem(name, kind)
  item.range = range
  if (!isFolder(type)) return item
  item.insertText = `${name}/`
  item.command = { title: '', command: 'editor.action.triggerSuggest' }
  return item
}
