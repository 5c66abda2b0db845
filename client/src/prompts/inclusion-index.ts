/** Who includes a part: a lens above parts, and includes that follow when files are renamed. */

import * as vscode from 'vscode'
import {
  casesPath,
  type Inclusion,
  inclusionEdits,
  inclusionsIn,
  largestPart,
  Transcript,
} from '../../../core/src/internal.ts'
import { openDocumentAt } from '../document-in-editor.ts'
import { rangeIn } from '../document-range.ts'
import { Pauses } from '../pauses.ts'
import { type ReadWorkspaceFile, textIn } from '../workspace-files.ts'
import { includingPattern, mayInclude, partPattern } from './part-names.ts'

const mostPrompts = 2000 // of a folder of the workspace
const pause = 500 // milliseconds without typing: prompts are read again

/** Registers the lens and the reaction to renamed files. */
export function registerInclusions(context: vscode.ExtensionContext, readFile: ReadWorkspaceFile): void {
  const index = new InclusionIndex(readFile)
  context.subscriptions.push(
    index,
    vscode.languages.registerCodeLensProvider({ pattern: partPattern }, index),
    vscode.workspace.onWillRenameFiles((event) => event.waitUntil(index.editsFor(event.files))),
  )
}

/** A file with tags that include parts. */
interface IncludingFile {
  readonly uri: vscode.Uri
  /** Relative to the folder of the workspace. */
  readonly path: string
  readonly folder: vscode.Uri
  readonly text: string
  readonly inclusions: readonly Inclusion[]
}

interface RenamedFile {
  readonly oldUri: vscode.Uri
  readonly newUri: vscode.Uri
}

/** What is included where, read when it is asked for. Nothing is read in Restricted Mode. */
class InclusionIndex implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #readFile: ReadWorkspaceFile
  readonly #changed = new vscode.EventEmitter<void>()
  readonly onDidChangeCodeLenses = this.#changed.event
  readonly #subscriptions: readonly vscode.Disposable[]
  readonly #pauses = new Pauses<string>(pause)
  #files: Promise<readonly IncludingFile[]> | undefined

  constructor(readFile: ReadWorkspaceFile) {
    this.#readFile = readFile
    const watcher = vscode.workspace.createFileSystemWatcher(includingPattern)
    const forget = () => {
      if (!this.#files) return
      this.#files = undefined
      this.#changed.fire()
    }
    this.#subscriptions = [
      this.#changed,
      watcher,
      watcher.onDidChange(forget),
      watcher.onDidCreate(forget),
      watcher.onDidDelete(forget),
      this.#pauses,
      vscode.workspace.onDidChangeTextDocument(({ document: { uri } }) => {
        if (mayInclude(uri.path)) this.#pauses.after('', forget)
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(forget),
    ]
  }

  async provideCodeLenses({ uri }: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    this.#files ??= this.#read()
    const places = (await this.#files).flatMap((file) => {
      const found = file.inclusions.filter(
        ({ path }) => vscode.Uri.joinPath(file.folder, path).toString() === uri.toString(),
      )
      const transcript = Transcript.parse(found.length > 0 ? file.text : '')
      return found.map(({ range }) => new vscode.Location(file.uri, rangeIn(transcript, range)))
    })
    if (places.length === 0) return []
    const top = new vscode.Range(0, 0, 0, 0)
    const { t } = vscode.l10n
    const title = places.length === 1 ? t('Included once') : t('Included {0} times', places.length)
    return [
      new vscode.CodeLens(top, {
        title,
        command: 'editor.action.showReferences',
        arguments: [uri, top.start, places],
      }),
    ]
  }

  /** The edits of files that include what is renamed, or are renamed themselves. Open files count as they are. */
  async editsFor(files: readonly RenamedFile[]): Promise<vscode.WorkspaceEdit> {
    const edit = new vscode.WorkspaceEdit()
    for (const { uri, path, folder, text, inclusions } of await this.#read()) {
      const moved = (it: string): string => {
        for (const { oldUri, newUri } of files) {
          const [before, after] = [pathIn(folder, oldUri), pathIn(folder, newUri)]
          if (before === undefined || after === undefined) continue
          if (it === before || it.startsWith(`${before}/`)) return after + it.slice(before.length)
        }
        return it
      }
      const edits = inclusionEdits(path, inclusions, moved)
      const transcript = Transcript.parse(edits.length > 0 ? text : '')
      for (const it of edits) edit.replace(uri, rangeIn(transcript, it), it.text)
    }
    await moveCases(files, edit)
    return edit
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose()
  }

  async #read(): Promise<readonly IncludingFile[]> {
    if (!vscode.workspace.isTrusted) return []
    const folders = vscode.workspace.workspaceFolders ?? []
    return (await Promise.all(folders.map(({ uri }) => this.#readFolder(uri)))).flat()
  }

  /** The prompts of a folder, and the parts that they include, with the parts inside those. */
  async #readFolder(folder: vscode.Uri): Promise<readonly IncludingFile[]> {
    const pattern = new vscode.RelativePattern(folder, '**/*.ocm')
    const found = await vscode.workspace.findFiles(pattern, '**/node_modules/**', mostPrompts)
    const seen = new Set(found.flatMap((uri) => pathIn(folder, uri) ?? []))
    const files: IncludingFile[] = []
    // Parts are added while their files are read.
    for (const path of seen) {
      const uri = vscode.Uri.joinPath(folder, path)
      const text = await this.#textOf(uri, folder)
      const inclusions = text === undefined ? [] : inclusionsIn(text, path)
      if (text === undefined || inclusions.length === 0) continue
      files.push({ uri, path, folder, text, inclusions })
      for (const it of inclusions) if (seen.size < 2 * mostPrompts) seen.add(it.path)
    }
    return files
  }

  async #textOf(uri: vscode.Uri, root: vscode.Uri): Promise<string | undefined> {
    const open = openDocumentAt(uri)
    return open?.getText() ?? textIn(await this.#readFile(uri, largestPart, { roots: [root] }))
  }
}

/** The cases of a prompt stay its cases when it gets another name. Those of a folder move with it. */
async function moveCases(files: readonly RenamedFile[], edit: vscode.WorkspaceEdit): Promise<void> {
  for (const { oldUri, newUri } of files) {
    if (!/\.ocm$/i.test(oldUri.path) || !/\.ocm$/i.test(newUri.path)) continue
    const cases = oldUri.with({ path: casesPath(oldUri.path) })
    if (files.some((it) => it.oldUri.toString() === cases.toString())) continue
    const isThere = await vscode.workspace.fs.stat(cases).then(
      () => true,
      () => false,
    )
    if (isThere)
      edit.renameFile(cases, newUri.with({ path: casesPath(newUri.path) }), { ignoreIfExists: true })
  }
}

/** The path of a file relative to a folder that it is in; undefined for others. */
export function pathIn(folder: vscode.Uri, { scheme, path }: vscode.Uri): string | undefined {
  const start = folder.path.endsWith('/') ? folder.path : `${folder.path}/`
  return scheme === folder.scheme && path.startsWith(start) ? path.slice(start.length) : undefined
}
