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
  readDatasetInfo,
} from '../../../core/src/internal.ts'
import { largestConfiguration } from '../../disk/read-limits.ts'
import { nearestConfiguration } from '../nearest-configuration.ts'
import { type ReadWorkspaceFile, textIn } from '../workspace-files.ts'

/** The settings of the project for one dataset, as long as it is open. */
export class ProjectSettings implements vscode.Disposable {
  readonly #uri: vscode.Uri
  readonly #readFile: ReadWorkspaceFile
  readonly #changed: () => void
  readonly #subscriptions: vscode.Disposable[]
  #current = noPathSettings
  #found = JSON.stringify([undefined, undefined])
  #readings = 0
  #reading: Promise<void>

  /** @param changed is called when other settings were read than before */
  constructor(uri: vscode.Uri, readFile: ReadWorkspaceFile, changed: () => void) {
    this.#uri = uri
    this.#readFile = readFile
    this.#changed = changed
    const names = [...configurationFileNames.map((it) => `*${it}`), datasetInfoName]
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
    const [configuration, infoReading] = await Promise.all([
      nearestConfiguration(this.#uri, this.#readFile),
      this.#readFile(vscode.Uri.joinPath(this.#uri, '..', datasetInfoName), largestConfiguration),
    ])
    if (reading !== this.#readings) return
    const info = textIn(infoReading)
    const found = JSON.stringify([configuration?.files.map(({ path, text }) => [path, text]), info])
    if (found === this.#found) return
    this.#found = found
    const settings = configuration?.settingsFor(this.#uri.path) ?? noPathSettings
    const beside = info === undefined ? undefined : mappingBeside(readDatasetInfo(info), this.#uri.path)
    const mapping = settings.mapping ?? beside
    this.#current = { ...settings, mapping }
    this.#changed()
  }
}
