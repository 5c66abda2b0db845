/**
 * How the samples of a dataset are judged: as transcripts next to it. What the configuration file of the project says counts
 * more than the settings of VS Code, so that the list agrees with the command line.
 */
import * as vscode from 'vscode'
import { dialectNames, intents, ruleSettingsFrom } from '../../../core/src/internal.ts'
import type { ReadWorkspaceFile } from '../workspace-files.ts'
import { ProjectSettings } from './configuration-in-force.ts'
import type { SummaryOptions } from './summary.ts'

/** What is set for one dataset, as long as someone looks at it. */
export class DatasetSettings implements vscode.Disposable {
  readonly #uri: vscode.Uri
  readonly #project: ProjectSettings
  readonly #watch: vscode.Disposable

  /** @param changed is called when samples are to be judged again */
  constructor(uri: vscode.Uri, readFile: ReadWorkspaceFile, changed: () => void) {
    this.#uri = uri
    this.#project = new ProjectSettings(uri, readFile, changed)
    this.#watch = vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('openchatml', uri)) changed()
    })
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
    } = this.#project.current
    return {
      dialect: dialectNames.find((it) => it === configuration.get('dialect')) ?? 'auto',
      settings: [ruleSettingsFrom(configuration.get('rules')), ...rules],
      templates,
      intent,
    }
  }

  /** The labels that a review can give; undefined if the project does not say. */
  get labels(): readonly string[] | undefined {
    return this.#project.current.labels
  }

  dispose(): void {
    this.#watch.dispose()
    this.#project.dispose()
  }
}
