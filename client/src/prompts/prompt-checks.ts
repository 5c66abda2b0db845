/** Problems of open prompts once they are filled: budgets, missing parts, and what else needs cases and parts. */
import * as vscode from 'vscode'
import {
  analyze,
  checkPrompt,
  isPrompt,
  type Problem,
  ruleDocumentationPath,
  ruleNamed,
  ruleSettingsFrom,
  type Severity,
  Transcript,
} from '../../../core/src/internal.ts'
import { ProjectSettings } from '../datasets/configuration-in-force.ts'
import { Pauses } from '../pauses.ts'
import { dialectOf } from '../preview/document-sessions.ts'
import { filledScheme } from './filled-address.ts'
import type { PromptAccess } from './filled-prompts.ts'
import { openPrompt } from './prompt-files.ts'

const pause = 400 // milliseconds without typing: all cases are filled
const largestPrompt = 1_000_000 // code units; larger ones are checked by `ocm check`

const severities: Readonly<Record<Severity, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
}

/** Documents that are made of others: a filled prompt, a version in Git. */
const derived: ReadonlySet<string> = new Set([filledScheme, 'git'])

interface CheckedPrompt {
  readonly files: ReadonlySet<string>
  readonly problems: readonly Problem[]
}

/** Keeps the problems of open prompts up to date. */
export class PromptChecks implements vscode.CodeActionProvider, vscode.Disposable {
  readonly #access: Pick<PromptAccess, 'readText' | 'count'>
  readonly #pagesAt: vscode.Uri
  readonly #collection = vscode.languages.createDiagnosticCollection('openchatml-prompts')
  readonly #checked = new Map<string, CheckedPrompt>()
  readonly #pauses = new Pauses<string>(pause)
  readonly #subscriptions: readonly vscode.Disposable[]

  /** @param pagesAt the folder of the extension, which has the pages about rules */
  constructor(access: Pick<PromptAccess, 'readText' | 'count'>, pagesAt: vscode.Uri) {
    this.#access = access
    this.#pagesAt = pagesAt
    const watcher = vscode.workspace.createFileSystemWatcher('**/*')
    const follow = (uri: vscode.Uri) => this.#follow(uri)
    this.#subscriptions = [
      this.#collection,
      watcher,
      watcher.onDidChange(follow),
      watcher.onDidCreate(follow),
      watcher.onDidDelete(follow),
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        for (const document of vscode.workspace.textDocuments) this.#schedule(document)
      }),
      vscode.workspace.onDidOpenTextDocument((document) => this.#schedule(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        this.#schedule(document)
        follow(document.uri)
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.#collection.delete(uri)
        this.#checked.delete(uri.toString())
      }),
      vscode.languages.registerCodeActionsProvider({ language: 'openchatml' }, this, {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      }),
    ]
    for (const document of vscode.workspace.textDocuments) this.#schedule(document)
  }

  provideCodeActions(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
    const { problems = [] } = this.#checked.get(document.uri.toString()) ?? {}
    return problems.flatMap(({ range: place, fixes }) =>
      rangeIn(document, place).intersection(range)
        ? fixes.map(({ title, edits }) => {
            const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix)
            action.edit = new vscode.WorkspaceEdit()
            for (const it of edits) action.edit.replace(document.uri, rangeIn(document, it), it.text)
            return action
          })
        : [],
    )
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose()
    this.#pauses.dispose()
  }

  /** A change of a case, a part, or the configuration of a prompt. */
  #follow(changed: vscode.Uri): void {
    const uri = changed.toString()
    for (const document of vscode.workspace.textDocuments) {
      if (this.#checked.get(document.uri.toString())?.files.has(uri)) this.#schedule(document)
    }
  }

  #schedule(document: vscode.TextDocument): void {
    if (document.languageId !== 'openchatml' || derived.has(document.uri.scheme)) return
    this.#pauses.after(document.uri.toString(), () => void this.#check(document))
  }

  async #check(document: vscode.TextDocument): Promise<void> {
    const { version, uri } = document
    const found = await this.#problemsOf(document)
    if (document.isClosed || document.version !== version) return
    if (found) this.#checked.set(uri.toString(), found)
    else this.#checked.delete(uri.toString())
    this.#collection.set(uri, found?.problems.map((it) => this.#diagnostic(document, it)) ?? [])
  }

  async #problemsOf(document: vscode.TextDocument): Promise<CheckedPrompt | undefined> {
    const text = document.getText()
    if (text.length > largestPrompt) return undefined
    if (!isPrompt(analyze(Transcript.parse(text, { dialect: dialectOf(document) })))) return undefined
    const { readText, count } = this.#access
    const prompt = await openPrompt(document.uri, readText)
    const files = new Set(prompt.files.map(String))
    // Parts are not read in Restricted Mode, so nothing is known of what the prompt says.
    if (!vscode.workspace.isTrusted && prompt.parts.problems.length > 0) return { files, problems: [] }
    const check = checkPrompt(prompt)
    const counts = check.texts.length > 0 ? await count(check.texts) : []
    const project = new ProjectSettings(document.uri, readText, () => {})
    const { rules } = await project.read()
    project.dispose()
    const own = vscode.workspace.getConfiguration('openchatml', document).get('rules')
    return { files, problems: check.problems(counts, [ruleSettingsFrom(own), ...rules]) }
  }

  #diagnostic(
    document: vscode.TextDocument,
    { range, message, severity, code, rule }: Problem,
  ): vscode.Diagnostic {
    const diagnostic = new vscode.Diagnostic(rangeIn(document, range), message, severities[severity])
    diagnostic.source = 'openchatml'
    const page = ruleNamed(rule)
    diagnostic.code = page
      ? { value: code, target: vscode.Uri.joinPath(this.#pagesAt, ruleDocumentationPath(page)) }
      : code
    return diagnostic
  }
}

function rangeIn(
  document: vscode.TextDocument,
  { start, end }: { readonly start: number; readonly end: number },
): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end))
}
