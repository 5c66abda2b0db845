/** Commands on prompts: show one filled, compare it with the last commit, and begin a case. */
import * as vscode from 'vscode'
import {
  analyze,
  casesPath,
  caseText,
  inputsOf,
  isCaseName,
  type JsonObject,
  newCaseText,
  Transcript,
  valuesFromRow,
} from '../../../core/src/internal.ts'
import { askedDocument } from '../conversion/converted.ts'
import { committedFiles } from '../preview/compare.ts'
import type { ReadWorkspaceText } from '../workspace-files.ts'
import { CaseFiles } from './case-files.ts'
import { FilledPrompts, filledScheme, filledUri, type ShownTarget, shownTargets } from './filled-prompts.ts'
import { PieceMarks } from './piece-marks.ts'
import { type OpenPrompt, openPrompt } from './prompt-files.ts'

/** Registers the commands and the documents that they show. Programs may pass a document, a case, and a target. */
export function registerPrompts(context: vscode.ExtensionContext, readText: ReadWorkspaceText): void {
  const versions = committedFiles()
  const prompts = new FilledPrompts(readText, (uri) => versions.of(uri))
  const open = (uri: vscode.Uri) => openPrompt(uri, readText)
  context.subscriptions.push(
    prompts,
    new PieceMarks(prompts),
    new CaseFiles(readText),
    vscode.workspace.registerTextDocumentContentProvider(filledScheme, prompts),
    vscode.commands.registerCommand('openchatml.showFilledPrompt', async (...args: unknown[]) => {
      const document = await askedDocument(args[0])
      return (
        document && showFilled(document.uri, await open(document.uri), { caseName: args[1], target: args[2] })
      )
    }),
    vscode.commands.registerCommand(
      'openchatml.comparePromptWithCommit',
      async (uri?: unknown, target?: unknown) => {
        const document = await askedDocument(uri)
        if (!document) return undefined
        if (!(await versions.prepare(document.uri))) {
          void vscode.window.showInformationMessage(
            vscode.l10n.t('This transcript is not in a Git repository.'),
          )
          return undefined
        }
        return compare(document.uri, await open(document.uri), target)
      },
    ),
    vscode.commands.registerCommand('openchatml.newCase', async (uri?: unknown, name?: unknown) => {
      const document = await askedDocument(uri)
      return document && newCase(document, name)
    }),
    vscode.commands.registerCommand('openchatml.caseFromSample', async (...args: unknown[]) => {
      const document = await askedDocument(args[0])
      return document && caseFromSample(document, readText, { dataset: args[1], row: args[2] })
    }),
  )
}

interface Asked {
  readonly caseName: unknown
  readonly target: unknown
}

async function showFilled(
  source: vscode.Uri,
  prompt: OpenPrompt,
  asked: Asked,
): Promise<vscode.Uri | undefined> {
  const caseName = await chosenCase(prompt, asked.caseName)
  const target = caseName === undefined ? undefined : await chosenTarget(asked.target)
  if (caseName === undefined || !target) return undefined
  const uri = filledUri({ source, caseName, target, isCommitted: false })
  const shown = await vscode.workspace.openTextDocument(uri)
  await vscode.window.showTextDocument(shown, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true })
  return uri
}

async function chosenCase({ cases }: OpenPrompt, asked: unknown): Promise<string | undefined> {
  const names = [...new Set(cases.map(({ name }) => name))]
  if (typeof asked === 'string' && names.includes(asked)) return asked
  if (names.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('This prompt has no cases. Add one with New Case…'),
    )
    return undefined
  }
  return names.length === 1 ? names[0] : vscode.window.showQuickPick(names, { title: vscode.l10n.t('Case') })
}

async function chosenTarget(asked: unknown): Promise<ShownTarget | undefined> {
  const known = shownTargets.find((it) => it === asked)
  if (known) return known
  const items = shownTargets.map((target) => ({
    label: target,
    target,
    ...(target === 'next-prompt' && { description: vscode.l10n.t('Harmony, up to where the model goes on') }),
  }))
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Show the prompt as') }))?.target
}

/** All cases before and after, in one editor. */
async function compare(
  source: vscode.Uri,
  { cases }: OpenPrompt,
  asked: unknown,
): Promise<readonly string[] | undefined> {
  const target = shownTargets.find((it) => it === asked) ?? 'ocm'
  const names = [...new Set(cases.map(({ name }) => name))]
  if (names.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('This prompt has no cases. Add one with New Case…'),
    )
    return undefined
  }
  const changes = names.map((caseName) => {
    const now = filledUri({ source, caseName, target, isCommitted: false })
    return [now, filledUri({ source, caseName, target, isCommitted: true }), now]
  })
  const name = source.path.split('/').at(-1) ?? ''
  await vscode.commands.executeCommand(
    'vscode.changes',
    vscode.l10n.t('{0}: cases, last commit ↔ now', name),
    changes,
  )
  return names
}

/** Adds a case to the file of cases, with the inputs that it has to give. */
async function newCase(prompt: vscode.TextDocument, asked: unknown): Promise<vscode.Uri | undefined> {
  const { header } = analyze(Transcript.parse(prompt.getText()))
  const inputs = inputsOf(header.filled) ?? []
  if (inputs.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('This transcript declares no inputs.'))
    return undefined
  }
  const validateInput = (name: string) =>
    isCaseName(name) ? undefined : vscode.l10n.t('A name has letters, digits, _, -, and spaces.')
  const name =
    typeof asked === 'string'
      ? asked
      : await vscode.window.showInputBox({ title: vscode.l10n.t('Name of the case'), validateInput })
  if (name === undefined || !isCaseName(name)) return undefined
  return addCase(prompt.uri, newCaseText(inputs, name))
}

/** Adds the case in `text` to the file of cases of `prompt`, and shows it. */
async function addCase(prompt: vscode.Uri, text: string): Promise<vscode.Uri> {
  const uri = prompt.with({ path: casesPath(prompt.path) })
  const edit = new vscode.WorkspaceEdit()
  edit.createFile(uri, { ignoreIfExists: true })
  await vscode.workspace.applyEdit(edit)
  const document = await vscode.workspace.openTextDocument(uri)
  const before = document.getText()
  const insertion = new vscode.WorkspaceEdit()
  const end = document.positionAt(before.length)
  insertion.insert(uri, end, before === '' || before.endsWith('\n') ? text : `\n${text}`)
  await vscode.workspace.applyEdit(insertion)
  const editor = await vscode.window.showTextDocument(document)
  const start = document.positionAt(document.getText().length - text.length)
  editor.selection = new vscode.Selection(start, start)
  editor.revealRange(new vscode.Range(start, document.positionAt(document.getText().length)))
  return uri
}

const largestDataset = 100_000_000 // bytes that are read for one row

/** Adds a case with the values that a row of a dataset has for the inputs. */
async function caseFromSample(
  prompt: vscode.TextDocument,
  readText: ReadWorkspaceText,
  asked: { readonly dataset: unknown; readonly row: unknown },
): Promise<vscode.Uri | undefined> {
  const { t } = vscode.l10n
  const inputs = inputsOf(analyze(Transcript.parse(prompt.getText())).header.filled) ?? []
  const filters = { JSONL: ['jsonl', 'ndjson'] }
  const dataset =
    asked.dataset instanceof vscode.Uri
      ? asked.dataset
      : (await vscode.window.showOpenDialog({ filters, title: t('Dataset') }))?.[0]
  if (!dataset) return undefined
  const validateInput = (text: string) => (/^[1-9]\d{0,8}$/.test(text) ? undefined : t('A number from 1.'))
  const row =
    asked.row ??
    (await vscode.window.showInputBox({ title: t('Line of the sample'), value: '1', validateInput }))
  const line = Number(row)
  if (row === undefined || !Number.isInteger(line) || line < 1) return undefined
  const values = valuesInLine((await readText(dataset, largestDataset)) ?? '', line)
  const found = values && valuesFromRow(inputs, values)
  if (!found || Object.keys(found).length === 0) {
    void vscode.window.showInformationMessage(
      t('Line {0} has no values for the inputs of this prompt.', line),
    )
    return undefined
  }
  return addCase(prompt.uri, caseText(`sample ${line}`, found))
}

function valuesInLine(text: string, line: number): JsonObject | undefined {
  let start = 0
  for (let left = line; left > 1; left--) {
    start = text.indexOf('\n', start) + 1
    if (start === 0) return undefined
  }
  const end = text.indexOf('\n', start)
  try {
    const value: unknown = JSON.parse(text.slice(start, end === -1 ? text.length : end))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined
  } catch {
    return undefined // no JSON
  }
}
