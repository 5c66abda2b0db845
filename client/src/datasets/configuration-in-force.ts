/**
 * What the project sets for one dataset: its nearest configuration file, and the `dataset_info.json` next to the data. Both are
 * read again when they change.
 */
import * as vscode from 'vscode'
import {
  configurationFileNames,
  datasetInfoName,
  mappingBeside,
  noPathSettings,
  type PathSettings,
  readConfiguration,
  settingsForPath,
} from '../../../core/src/internal.ts'
import { largestConfiguration } from '../../disk/read-limits.ts'
import type { ReadWorkspaceText } from '../workspace-files.ts'

/** A configuration file. */
export interface ConfigurationFile {
  readonly folder: vscode.Uri
  readonly name: string
  readonly text: string
}

/** The settings of the project for one dataset, as long as it is open. */
export class ProjectSettings implements vscode.Disposable {
  readonly #uri: vscode.Uri
  readonly #readText: ReadWorkspaceText
  readonly #changed: () => void
  readonly #subscriptions: vscode.Disposable[]
  #current = noPathSettings
  #found = JSON.stringify([null, null, null])
  #readings = 0
  #reading: Promise<void>

  /** @param changed is called when other settings were read than before */
  constructor(uri: vscode.Uri, readText: ReadWorkspaceText, changed: () => void) {
    this.#uri = uri
    this.#readText = readText
    this.#changed = changed
    const names = [...configurationFileNames, datasetInfoName]
    const watcher = vscode.workspace.createFileSystemWatcher(`**/{${names.join(',')}}`)
    const readAgain = () => void this.readAgain()
    this.#subscriptions = [
      watcher,
      watcher.onDidChange(readAgain),
      watcher.onDidCreate(readAgain),
      watcher.onDidDelete(readAgain),
    ]
    this.#reading = this.#load()
  }

  /** What is known so far. */
  get current(): PathSettings {
    return this.#current
  }

  /** The settings, as soon as they are read. */
  async read(): Promise<PathSettings> {
    await this.#reading
    return this.#current
  }

  /** The settings after reading the files again. */
  readAgain(): Promise<PathSettings> {
    this.#reading = this.#load()
    return this.read()
  }

  dispose(): void {
    this.#readings++
    for (const subscription of this.#subscriptions) subscription.dispose()
  }

  async #load(): Promise<void> {
    const reading = ++this.#readings
    const [file, info] = await Promise.all([
      nearestConfiguration(this.#uri, this.#readText),
      this.#readText(vscode.Uri.joinPath(this.#uri, '..', datasetInfoName), largestConfiguration),
    ])
    if (reading !== this.#readings) return
    const found = JSON.stringify([file?.folder.path, file?.text, info])
    if (found === this.#found) return
    this.#found = found
    const settings = file
      ? settingsForPath(readConfiguration(file.text).configuration, pathIn(file.folder, this.#uri))
      : noPathSettings
    const mapping = settings.mapping ?? (info === undefined ? undefined : mappingBeside(info, this.#uri.path))
    this.#current = { ...settings, mapping }
    this.#changed()
  }
}

/** The path of a file relative to a folder above it. */
export function pathIn(folder: vscode.Uri, uri: vscode.Uri): string {
  return uri.path.slice(folder.path.length).replace(/^\//, '')
}

/** The nearest configuration file upwards from the file at `uri`. It never rejects. */
export async function nearestConfiguration(
  uri: vscode.Uri,
  readText: ReadWorkspaceText,
): Promise<ConfigurationFile | undefined> {
  const folders: vscode.Uri[] = []
  for (let folder = vscode.Uri.joinPath(uri, '..'); ; folder = vscode.Uri.joinPath(folder, '..')) {
    folders.push(folder)
    if (folder.path.length <= 1) break
  }
  // All at once: on a file system far away each question takes its time.
  const candidates = folders.flatMap((folder) => configurationFileNames.map((name) => ({ folder, name })))
  const texts = await Promise.all(
    candidates.map(({ folder, name }) => readText(vscode.Uri.joinPath(folder, name), largestConfiguration)),
  )
  const nearest = texts.findIndex((text) => text !== undefined)
  const candidate = candidates[nearest]
  const text = texts[nearest]
  return candidate && text !== undefined ? { ...candidate, text } : undefined
}
