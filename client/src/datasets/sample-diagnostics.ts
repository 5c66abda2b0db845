/**
 * Problems of a sample that its transcript does not show: what reading it reports, and what is wrong with its other branches, to which
 * a quick fix leads (S11, S16). The server knows neither. They are those of the sample as it is in its dataset, until it is saved.
 */
import * as vscode from 'vscode'
import {
  type BranchProblem,
  branchProblems,
  judgedDocument,
  judgedForm,
  type Problem,
  sampleProblems,
  type TranscriptSample,
} from '../../../core/src/internal.ts'
import { openDocumentAt } from '../document-in-editor.ts'
import type { ReadWorkspaceFile } from '../workspace-files.ts'
import { DatasetSettings } from './dataset-settings.ts'
import type { SampleFiles } from './sample-files.ts'
import { sampleAddress, sampleScheme } from './sample-uri.ts'
import type { SummaryOptions } from './summary.ts'

const mostProblems = 100 // of one sample; all of them are on one line

/** A diagnostic as the server's, with the branch that it is about. */
class SampleDiagnostic extends vscode.Diagnostic {
  readonly data: { readonly rule: string }
  readonly branch: string | undefined

  constructor(range: vscode.Range, problem: Problem | BranchProblem, pages: vscode.Uri) {
    super(range, problem.message, severities[problem.severity])
    this.source = 'openchatml'
    this.code = { value: problem.code, target: vscode.Uri.joinPath(pages, `${problem.rule}.md`) }
    this.data = { rule: problem.rule }
    this.branch = 'branch' in problem ? problem.branch : undefined
  }
}

const severities = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
} as const

/** Shows the problems of open samples. */
export class SampleDiagnostics implements vscode.CodeActionProvider, vscode.Disposable {
  readonly #files: SampleFiles
  readonly #readFile: ReadWorkspaceFile
  readonly #pages: vscode.Uri
  readonly #collection = vscode.languages.createDiagnosticCollection('openchatml-samples')
  /** By the addresses of open samples. */
  readonly #settings = new Map<string, DatasetSettings>()
  readonly #subscriptions: readonly vscode.Disposable[]

  /** @param extensionUri where the pages about rules are */
  constructor(files: SampleFiles, readFile: ReadWorkspaceFile, extensionUri: vscode.Uri) {
    this.#files = files
    this.#readFile = readFile
    this.#pages = vscode.Uri.joinPath(extensionUri, 'docs', 'rules')
    this.#subscriptions = [
      this.#collection,
      vscode.workspace.onDidOpenTextDocument((it) => this.#open(it)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#close(uri)),
      files.onDidRead((uri) => {
        const document = openDocumentAt(uri)
        if (document) this.#judge(document)
      }),
      vscode.languages.registerCodeActionsProvider({ scheme: sampleScheme }, this, {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      }),
    ]
  }

  provideCodeActions(
    { uri }: vscode.TextDocument,
    _: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    const branches = new Map<string, vscode.Diagnostic[]>()
    for (const it of diagnostics) {
      if (!(it instanceof SampleDiagnostic) || it.branch === undefined) continue
      branches.set(it.branch, [...(branches.get(it.branch) ?? []), it])
    }
    return [...branches].map(([branch, own]) => {
      const title = vscode.l10n.t('Switch to branch {0}', branch)
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix)
      const command = { command: 'openchatml.switchBranch', title, arguments: [uri, branch] }
      return Object.assign(action, { command, diagnostics: own, isPreferred: true })
    })
  }

  dispose(): void {
    for (const it of [...this.#subscriptions, ...this.#settings.values()]) it.dispose()
    this.#settings.clear()
  }

  #open(document: vscode.TextDocument): void {
    const address = sampleAddress(document.uri)
    const key = document.uri.toString()
    if (!address || this.#settings.has(key)) return
    const settings = new DatasetSettings(address.dataset, this.#readFile, () => this.#judge(document))
    this.#settings.set(key, settings)
    this.#judge(document)
  }

  #close(uri: vscode.Uri): void {
    const key = uri.toString()
    this.#settings.get(key)?.dispose()
    this.#settings.delete(key)
    this.#collection.delete(uri)
  }

  #judge(document: vscode.TextDocument): void {
    const { uri } = document
    const options = this.#settings.get(uri.toString())?.options
    const sample = this.#files.sampleOf(uri)
    if (!options || !sample) return
    const { range } = document.lineAt(0)
    const problems = problemsBeside(sample, options).slice(0, mostProblems)
    this.#collection.set(
      uri,
      problems.map((it) => new SampleDiagnostic(range, it, this.#pages)),
    )
  }
}

function problemsBeside(
  sample: TranscriptSample,
  options: SummaryOptions,
): readonly (Problem | BranchProblem)[] {
  const judged = { ...sample, from: sample.form }
  const own = sampleProblems(judged, options.settings)
  if (!sample.branches) return own
  const { analysis, problems } = shownBranch(sample, options)
  return [...own, ...branchProblems(judged, options, { transcript: analysis.transcript, problems })]
}

function shownBranch(sample: TranscriptSample, options: SummaryOptions) {
  const document = judgedDocument(sample.text, judgedForm(sample), options)
  return { analysis: document.analysis, problems: document.problems().problems }
}
