/** Fixing beyond one problem: *Fix All* with what it did and what is left, all of one rule, and turning a rule off. */

import * as vscode from 'vscode'
import type { BaseLanguageClient, TextEdit } from 'vscode-languageclient'
import {
  type Analysis,
  allowEdit,
  configurationWithRuleOff,
  isConfigurationPath,
  relativePath,
  ruleOffEdits,
} from '../../../core/src/internal.ts'
import { sampleAddress } from '../datasets/sample-uri.ts'
import { rangeIn } from '../document-range.ts'
import { configurationFor, showBroken } from '../nearest-configuration.ts'
import { showInformation } from '../notice.ts'
import type { ReadWorkspaceFile } from '../workspace-files.ts'
import type { LiveAnalyses } from './live-analyses.ts'

/** What the server says about fixing: see `openchatml.fixPlan` there. */
interface FixPlan {
  readonly version: number
  readonly edits: readonly TextEdit[]
  readonly fixed: number
  readonly unsafe: number
  readonly total: number
  /** A configuration file with errors, because of which there are no edits. */
  readonly broken?: string
}

interface RuleChoice {
  readonly rule?: string
}

/** What fixing works with. */
export interface FixingServices {
  readonly analyses: LiveAnalyses
  readonly readFile: ReadWorkspaceFile
  /** False for a document whose YAML header and attributes of messages can't be saved. */
  keepsHeaders(uri: vscode.Uri): boolean
}

/** Saves a configuration that was changed in the background, where it has no visible editor. */
const saveCommand = 'openchatml.saveConfiguration'

const mostRounds = 10 // one fix may make room for another; two that undo each other would never end

/** Registers `openchatml.fixAll`, `openchatml.fixAllUnsafe`, and what the light bulb offers for the rule of a problem. */
export function registerFixing(
  context: vscode.ExtensionContext,
  client: BaseLanguageClient,
  { analyses, readFile, keepsHeaders }: FixingServices,
): void {
  const plan = (document: vscode.TextDocument, choice: RuleChoice & { readonly isUnsafe?: boolean }) =>
    client.sendRequest<FixPlan>('openchatml.fixPlan', {
      textDocument: { uri: client.code2ProtocolConverter.asUri(document.uri) },
      ...choice,
    })
  const edit = (document: vscode.TextDocument, { edits }: FixPlan, isConfirmed: boolean) => {
    const change = new vscode.WorkspaceEdit()
    const label = vscode.l10n.t('Fixes that may change the meaning')
    for (const { range, newText } of edits) {
      const place = client.protocol2CodeConverter.asRange(range)
      change.replace(
        document.uri,
        place,
        newText,
        isConfirmed ? undefined : { needsConfirmation: true, label },
      )
    }
    return vscode.workspace.applyEdit(change)
  }

  /** Applies the safe fixes of `choice` until there are none left. */
  const fixSafely = async (document: vscode.TextDocument, choice: RuleChoice) => {
    let fixed = 0
    const first = await plan(document, choice)
    let last = first
    for (let round = 0; round < mostRounds && last.edits.length > 0; round++) {
      if (last.version !== document.version || !(await edit(document, last, true))) break
      fixed += last.fixed
      last = await plan(document, choice)
    }
    return { fixed, total: first.total, left: last.total, unsafe: last.unsafe, broken: last.broken }
  }

  const fixAll = async (choice: RuleChoice = {}) => {
    const document = activeTranscript()
    if (!document) return
    const { fixed, total, left, unsafe, broken } = await fixSafely(document, choice)
    if (total === 0) return void showInformation(vscode.l10n.t('No problems to fix.'))
    if (broken !== undefined) return showBroken(vscode.Uri.parse(broken))
    // Who asks for one rule has seen what its problems are.
    if (choice.rule !== undefined && fixed === 0 && unsafe > 0) return fixUnsafely(document, choice)
    if (unsafe === 0) {
      const did =
        left === 0
          ? vscode.l10n.t('Fixed {0} of {1} problems.', fixed, total)
          : vscode.l10n.t('Fixed {0} of {1} problems. Problems to fix by hand: {2}', fixed, total, left)
      return void showInformation(did)
    }
    const more = vscode.l10n.t('Fix All, Including Unsafe…')
    const offer = vscode.l10n.t(
      'Fixed {0} of {1} problems. Quick fixes that may change the meaning: {2}',
      fixed,
      total,
      unsafe,
    )
    if ((await showInformation(offer, more)) === more) await fixUnsafely(document, choice)
  }

  /** Shows the changes in VS Code's preview of changes, where each one can be left out. */
  const fixUnsafely = async (document = activeTranscript(), choice: RuleChoice = {}) => {
    if (!document) return
    const chosen = await plan(document, { ...choice, isUnsafe: true })
    if (chosen.broken !== undefined) showBroken(vscode.Uri.parse(chosen.broken))
    if (chosen.edits.length > 0 && chosen.version === document.version) await edit(document, chosen, false)
  }

  context.subscriptions.push(
    vscode.commands.registerCommand('openchatml.fixAll', fixAll),
    vscode.commands.registerCommand('openchatml.fixAllUnsafe', () => fixUnsafely()),
    vscode.commands.registerCommand(saveCommand, saveConfiguration),
    vscode.languages.registerCodeActionsProvider(
      { language: 'openchatml' },
      {
        provideCodeActions: (document, _, { diagnostics, triggerKind }) =>
          triggerKind === vscode.CodeActionTriggerKind.Invoke
            ? ruleActions(document, diagnostics, {
                analysis: keepsHeaders(document.uri) ? analyses.of(document) : undefined,
                canFix: async (rule) => (await plan(document, { rule, isUnsafe: true })).edits.length > 0,
                readFile,
              })
            : [],
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  )
}

interface RuleContext {
  /** Undefined if the transcript can't say that a rule is off. */
  readonly analysis: Analysis | undefined
  /** Whether any problem of a rule can be fixed without a choice. */
  readonly canFix: (rule: string) => Promise<boolean>
  readonly readFile: ReadWorkspaceFile
}

/** What can be done about the rules of `diagnostics`: fix all of one, or turn it off. */
async function ruleActions(
  document: vscode.TextDocument,
  diagnostics: readonly vscode.Diagnostic[],
  { analysis, canFix, readFile }: RuleContext,
): Promise<vscode.CodeAction[]> {
  const rules = new Map<string, vscode.Diagnostic>()
  for (const diagnostic of diagnostics) {
    const rule = ruleOf(diagnostic)
    if (rule !== undefined && !rules.has(rule)) rules.set(rule, diagnostic)
  }
  const actions: vscode.CodeAction[] = []
  for (const [rule, diagnostic] of rules) {
    const add = (title: string, details: Partial<vscode.CodeAction>) => {
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix)
      actions.push(Object.assign(action, { diagnostics: [diagnostic] }, details))
    }
    const others = vscode.languages.getDiagnostics(document.uri).filter((it) => ruleOf(it) === rule)
    if (others.length > 1 && (await canFix(rule))) {
      const title = vscode.l10n.t('Fix all {0} problems of {1}', others.length, rule)
      add(title, { command: { command: 'openchatml.fixAll', title, arguments: [{ rule }] } })
    }
    const inMessage = analysis && allowEdit(analysis, document.offsetAt(diagnostic.range.start), rule)
    if (inMessage) {
      const { text, asksReason } = inMessage
      const snippet = new vscode.SnippetString().appendText(text)
      if (asksReason) snippet.appendPlaceholder('reason')
      const edit = new vscode.WorkspaceEdit()
      edit.set(document.uri, [new vscode.SnippetTextEdit(rangeIn(document, inMessage), snippet)])
      add(vscode.l10n.t('Allow {0} in this message', rule), { edit })
    }
    const inFile = analysis && ruleOffEdits(analysis, rule)
    if (inFile) {
      const edit = new vscode.WorkspaceEdit()
      for (const it of inFile) edit.replace(document.uri, rangeIn(document, it), it.text)
      add(vscode.l10n.t('Turn off {0} in this transcript', rule), { edit })
    }
    const inProject = await projectEdit(document, rule, readFile)
    if (inProject) {
      const { edit, uri, isSaved } = inProject
      const title = vscode.l10n.t(
        'Turn off {0} in this project ({1})',
        rule,
        vscode.workspace.asRelativePath(uri),
      )
      const save = { command: saveCommand, title, arguments: [uri] }
      add(title, { edit, ...(isSaved && { command: save }) })
    }
  }
  return actions
}

/** The name of the rule that reported `diagnostic`. */
function ruleOf(diagnostic: vscode.Diagnostic): string | undefined {
  const { data } = diagnostic as { readonly data?: unknown }
  const rule = diagnostic.source === 'openchatml' ? (data as { rule?: unknown } | undefined)?.rule : undefined
  return typeof rule === 'string' ? rule : undefined
}

/** A change of the configuration in force. */
interface ProjectEdit {
  readonly edit: vscode.WorkspaceEdit
  readonly uri: vscode.Uri
  /** Whether the file is to be saved afterwards: it exists, and has no changes of the user. */
  readonly isSaved: boolean
}

/** Turns `rule` off in the configuration in force; undefined where there is no workspace, or no way to turn it off. */
async function projectEdit(
  document: vscode.TextDocument,
  rule: string,
  readFile: ReadWorkspaceFile,
): Promise<ProjectEdit | undefined> {
  const file = sampleAddress(document.uri)?.dataset ?? document.uri
  if (!vscode.workspace.getWorkspaceFolder(file)) return undefined
  const place = await configurationFor(file, readFile)
  if (!place) return undefined
  const { uri, isNew } = place
  const open = isNew ? undefined : await vscode.workspace.openTextDocument(uri)
  const path = relativePath(uri.path, file.path)
  const text = configurationWithRuleOff(open?.getText() ?? '', rule, path)
  if (text === undefined) return undefined
  const edit = new vscode.WorkspaceEdit()
  if (open) edit.replace(uri, new vscode.Range(0, 0, open.lineCount, 0), text)
  else edit.createFile(uri, { contents: new TextEncoder().encode(text) })
  return { edit, uri, isSaved: open !== undefined && !open.isDirty }
}

async function saveConfiguration(uri: unknown): Promise<void> {
  const document = vscode.workspace.textDocuments.find((it) => it.uri.toString() === String(uri))
  if (document && isConfigurationPath(document.uri.path)) await document.save()
}

function activeTranscript(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document
  return document?.languageId === 'openchatml' ? document : undefined
}
