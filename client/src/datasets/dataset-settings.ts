/**
 * How the samples of a dataset are judged: as transcripts beside it. What the configuration file of the project says counts
 * more than the settings of VS Code, so that the list agrees with the command line.
 */
import * as vscode from 'vscode'
import {
  configurationFileNames,
  dialectNames,
  intents,
  noPathSettings,
  type PathSettings,
  readConfiguration,
  ruleSettingsFrom,
  settingsForPath,
} from '../../../core/src/internal.ts'
import { largestConfiguration } from '../../disk/read-limits.ts'
import type { ReadWorkspaceText } from '../workspace-files.ts'
import type { SummaryOptions } from './summary.ts'

/** What is set for one dataset, as long as somebody looks at it. */
export class DatasetSettings implements vscode.Disposable {
  readonly #uri: vscode.Uri
  readonly #readText: ReadWorkspaceText
  readonly #changed: () => void
  readonly #subscriptions: vscode.Disposable[]
  #project = noPathSettings
  #found = ''
  #readings = 0

  /** @param changed is called when samples are to be judged anew */
  constructor(uri: vscode.Uri, readText: ReadWorkspaceText, changed: () => void) {
    this.#uri = uri
    this.#readText = readText
    this.#changed = changed
    const watcher = vscode.workspace.createFileSystemWatcher(`**/{${configurationFileNames.join(',')}}`)
    const readAgain = () => void this.#load()
    this.#subscriptions = [
      watcher,
      watcher.onDidChange(readAgain),
      watcher.onDidCreate(readAgain),
      watcher.onDidDelete(readAgain),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('openchatml', uri)) this.#changed()
      }),
    ]
    readAgain()
  }

  /** What counts now. */
  get options(): SummaryOptions {
    const configuration = vscode.workspace.getConfiguration('openchatml', {
      uri: this.#uri,
      languageId: 'openchatml',
    })
    const {
      rules,
      templates = configuration.get('templates') !== false,
      intent = intents.find(({ name }) => name === configuration.get('intent'))?.name,
    } = this.#project
    return {
      dialect: dialectNames.find((it) => it === configuration.get('dialect')) ?? 'auto',
      settings: [ruleSettingsFrom(configuration.get('rules')), ...rules],
      templates,
      intent,
    }
  }

  dispose(): void {
    this.#readings++
    for (const subscription of this.#subscriptions) subscription.dispose()
  }

  async #load(): Promise<void> {
    const reading = ++this.#readings
    const file = await nearestConfiguration(this.#uri, this.#readText)
    if (reading !== this.#readings) return
    const found = file ? `${file.folder} ${file.text}` : ''
    if (found === this.#found) return
    this.#found = found
    this.#project = file ? settingsIn(file, this.#uri) : noPathSettings
    this.#changed()
  }
}

function settingsIn({ folder, text }: ConfigurationFile, uri: vscode.Uri): PathSettings {
  const below = uri.path.slice(folder.path.length).replace(/^\//, '')
  return settingsForPath(readConfiguration(text).configuration, below)
}

interface ConfigurationFile {
  readonly folder: vscode.Uri
  readonly text: string
}

/** The nearest configuration file upwards from the file at `uri`. It never rejects. */
async function nearestConfiguration(
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
  const folder = candidates[nearest]?.folder
  const text = texts[nearest]
  return folder && text !== undefined ? { folder, text } : undefined
}
