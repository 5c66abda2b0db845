/** Checks off the steps of the walkthrough when they are done, however they are done. */
import * as vscode from 'vscode'
import { filledScheme } from '../prompts/filled-address.ts'

/** The steps, as `completionEvents` in the manifest name them: `onContext:openchatml.did.STEP`. */
type Step = 'transcript' | 'preview' | 'fix' | 'dataset' | 'prompt'

/** Watches editors and problems until all steps are done. */
export class WelcomeSteps implements vscode.Disposable {
  readonly #done = new Set<Step>()
  /** How many problems a document had. */
  readonly #problems = new WeakMap<vscode.TextDocument, number>()
  readonly #edited = new WeakSet<vscode.TextDocument>()
  readonly #subscriptions: readonly vscode.Disposable[]

  constructor() {
    const { tabGroups } = vscode.window
    const look = () => {
      for (const { tabs } of tabGroups.all) for (const { input } of tabs) this.#lookAt(input)
    }
    this.#subscriptions = [
      tabGroups.onDidChangeTabs(look),
      vscode.workspace.onDidOpenTextDocument(({ languageId }) => {
        if (languageId === 'openchatml') this.#did('transcript')
      }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#edited.add(document)),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => this.#count(uris)),
    ]
    look()
    if (vscode.workspace.textDocuments.some(({ languageId }) => languageId === 'openchatml'))
      this.#did('transcript')
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose()
  }

  #lookAt(input: unknown): void {
    if (input instanceof vscode.TabInputCustom && input.viewType === 'openchatml.dataset')
      this.#did('dataset')
    if (input instanceof vscode.TabInputWebview && input.viewType.includes('openchatml.preview'))
      this.#did('preview')
    if (input instanceof vscode.TabInputText && input.uri.scheme === filledScheme) this.#did('prompt')
  }

  /** A transcript with fewer problems after an edit is one in which something was fixed. */
  #count(uris: readonly vscode.Uri[]): void {
    const changed = new Set(uris.map(String))
    for (const document of vscode.workspace.textDocuments) {
      if (document.languageId !== 'openchatml' || !changed.has(document.uri.toString())) continue
      const before = this.#problems.get(document) ?? 0
      const now = vscode.languages.getDiagnostics(document.uri).length
      this.#problems.set(document, now)
      if (now < before && this.#edited.has(document) && !document.isClosed) this.#did('fix')
    }
  }

  #did(step: Step): void {
    if (this.#done.has(step)) return
    this.#done.add(step)
    void vscode.commands.executeCommand('setContext', `openchatml.did.${step}`, true)
  }
}
