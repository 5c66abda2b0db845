/** Files of cases in the editor: checked against the inputs of their prompt, with proposals, fixes, and lenses that show it filled. */

import * as vscode from 'vscode'
import {
  type Analysis,
  analyze,
  type CaseReading,
  caseSchema,
  headerCompletions,
  inputsOf,
  largestCases,
  promptPath,
  readCases,
  readMapping,
  Transcript,
} from '../../../core/src/internal.ts'
import { showFilledPromptCommand } from '../commands.ts'
import { openDocumentAt } from '../document-in-editor.ts'
import { rangeIn } from '../document-range.ts'
import { Pauses } from '../pauses.ts'
import { type ReadWorkspaceFile, textIn } from '../workspace-files.ts'

const selector: vscode.DocumentSelector = { pattern: '**/*.cases.yaml' }
const pause = 200 // milliseconds without typing
const largestPrompt = 10_000_000 // bytes

const nothing: CaseReading = { cases: [], problems: [] }

/** Keeps the problems and lenses of open files of cases up to date. */
export class CaseFiles
  implements
    vscode.CompletionItemProvider,
    vscode.CodeActionProvider,
    vscode.CodeLensProvider,
    vscode.Disposable
{
  readonly #readFile: ReadWorkspaceFile
  readonly #collection = vscode.languages.createDiagnosticCollection('openchatml-cases')
  readonly #readings = new Map<string, CaseReading>()
  readonly #changes = new vscode.EventEmitter<void>()
  readonly onDidChangeCodeLenses = this.#changes.event
  readonly #pauses = new Pauses<string>(pause)
  readonly #subscriptions: readonly vscode.Disposable[]

  constructor(readFile: ReadWorkspaceFile) {
    this.#readFile = readFile
    this.#subscriptions = [
      this.#collection,
      this.#changes,
      vscode.languages.registerCompletionItemProvider(selector, this),
      vscode.languages.registerCodeLensProvider(selector, this),
      vscode.languages.registerCodeActionsProvider(selector, this, {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      }),
      vscode.workspace.onDidOpenTextDocument(({ uri }) => this.#follow(uri)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#follow(document.uri)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.#collection.delete(uri)
        this.#readings.delete(uri.toString())
      }),
    ]
    for (const { uri } of vscode.workspace.textDocuments) this.#follow(uri)
  }

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.CompletionItem[]> {
    const inputs =
      inputsOf((await this.#promptOf(document.uri))?.header.filled ?? readMapping('', largestCases)) ?? []
    const mapping = readMapping(document.getText(), largestCases)
    return headerCompletions(mapping, document.offsetAt(position), caseSchema(inputs)).map((it) => {
      const kind = it.kind === 'key' ? vscode.CompletionItemKind.Property : vscode.CompletionItemKind.Value
      const item = new vscode.CompletionItem({ label: it.label, description: it.detail }, kind)
      item.insertText = it.kind === 'key' ? new vscode.SnippetString(it.snippet) : it.newText
      item.filterText = it.filterText
      item.range = rangeIn(document, it.range)
      return item
    })
  }

  provideCodeActions(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
    const { problems } = this.#readings.get(document.uri.toString()) ?? nothing
    return problems.flatMap((problem): readonly vscode.CodeAction[] => {
      const place = rangeIn(document, problem.range)
      if (problem.replacement === undefined || !place.intersection(range)) return []
      const title = vscode.l10n.t('Write {0}', `\`${problem.replacement}\``)
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix)
      action.edit = new vscode.WorkspaceEdit()
      action.edit.replace(document.uri, place, problem.replacement)
      return [action]
    })
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const { cases } = this.#readings.get(document.uri.toString()) ?? nothing
    const title = vscode.l10n.t('Show Filled Prompt…')
    return cases.map(({ name, range }) => {
      const place = document.positionAt(range.start)
      return new vscode.CodeLens(new vscode.Range(place, place), {
        title,
        command: showFilledPromptCommand,
        arguments: [promptUri(document.uri), name],
      })
    })
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose()
    this.#pauses.dispose()
  }

  /** A change of a file of cases, or of its prompt. */
  #follow(changed: vscode.Uri): void {
    for (const document of vscode.workspace.textDocuments) {
      const prompt = promptUri(document.uri)
      if (
        !prompt ||
        (changed.toString() !== document.uri.toString() && changed.toString() !== prompt.toString())
      )
        continue
      this.#pauses.after(document.uri.toString(), () => void this.#check(document))
    }
  }

  async #check(document: vscode.TextDocument): Promise<void> {
    const { version } = document
    const analysis = await this.#promptOf(document.uri)
    if (document.isClosed || document.version !== version) return
    const isPrompt = analysis?.settings.inputs !== undefined
    const reading = analysis && isPrompt ? readCases(document.getText(), analysis) : nothing
    this.#readings.set(document.uri.toString(), reading)
    this.#changes.fire()
    const diagnostics = reading.problems.map(({ range, message }) => {
      const diagnostic = new vscode.Diagnostic(
        rangeIn(document, range),
        message,
        vscode.DiagnosticSeverity.Warning,
      )
      diagnostic.source = 'OpenChatML'
      diagnostic.code = 'W-CASE-VALUE'
      return diagnostic
    })
    this.#collection.set(document.uri, diagnostics)
  }

  /** The prompt of a file of cases: as it is open, else from the disk; undefined if there is none. */
  async #promptOf(uri: vscode.Uri): Promise<Analysis | undefined> {
    const prompt = promptUri(uri)
    const open = openDocumentAt(prompt)
    const text = open?.getText() ?? (prompt && textIn(await this.#readFile(prompt, largestPrompt)))
    return text === undefined ? undefined : analyze(Transcript.parse(text))
  }
}

function promptUri(uri: vscode.Uri): vscode.Uri | undefined {
  const path = promptPath(uri.path)
  return path === undefined ? undefined : uri.with({ path })
}
