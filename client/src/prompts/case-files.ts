/** Files of cases in the editor: checked against the inputs of their prompt, with proposals and fixes. */

import * as vscode from 'vscode'
import {
  type Analysis,
  analyze,
  type CaseProblem,
  caseSchema,
  headerCompletions,
  inputsOf,
  largestCases,
  promptPath,
  readCases,
  readMapping,
  Transcript,
} from '../../../core/src/internal.ts'
import { rangeIn } from '../document-range.ts'
import { Pauses } from '../pauses.ts'
import type { ReadWorkspaceText } from '../workspace-files.ts'

const selector: vscode.DocumentSelector = { pattern: '**/*.cases.yaml' }
const pause = 200 // milliseconds without typing
const largestPrompt = 10_000_000 // bytes

/** Keeps the problems of open files of cases up to date. */
export class CaseFiles
  implements vscode.CompletionItemProvider, vscode.CodeActionProvider, vscode.Disposable
{
  readonly #readText: ReadWorkspaceText
  readonly #collection = vscode.languages.createDiagnosticCollection('openchatml-cases')
  readonly #problems = new Map<string, readonly CaseProblem[]>()
  readonly #pauses = new Pauses<string>(pause)
  readonly #subscriptions: readonly vscode.Disposable[]

  constructor(readText: ReadWorkspaceText) {
    this.#readText = readText
    this.#subscriptions = [
      this.#collection,
      vscode.languages.registerCompletionItemProvider(selector, this),
      vscode.languages.registerCodeActionsProvider(selector, this, {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      }),
      vscode.workspace.onDidOpenTextDocument(({ uri }) => this.#follow(uri)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#follow(document.uri)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.#collection.delete(uri)
        this.#problems.delete(uri.toString())
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
    const problems = this.#problems.get(document.uri.toString()) ?? []
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
    const problems = analysis && isPrompt ? readCases(document.getText(), analysis).problems : []
    this.#problems.set(document.uri.toString(), problems)
    const diagnostics = problems.map(({ range, message }) => {
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
    const open = vscode.workspace.textDocuments.find((it) => it.uri.toString() === prompt?.toString())
    const text = open?.getText() ?? (prompt && (await this.#readText(prompt, largestPrompt)))
    return text === undefined ? undefined : analyze(Transcript.parse(text))
  }
}

function promptUri(uri: vscode.Uri): vscode.Uri | undefined {
  const path = promptPath(uri.path)
  return path === undefined ? undefined : uri.with({ path })
}
