/** Commands on prompts: show one filled, compare it with a commit, and begin a case. */
import * as vscode from 'vscode'
import {
  analyze,
  casesPath,
  caseText,
  formOf,
  inputsOf,
  isCaseName,
  type JsonObject,
  localized,
  newCaseText,
  promptTargets,
  Transcript,
  targetDescriptions,
  valuesFromRow,
} from '../../../core/src/internal.ts'
import { askedDocument } from '../conversion/converted.ts'
import { type CommittedFiles, committedFiles } from '../preview/compare.ts'
import type { CountTexts } from '../preview/context-source.ts'
import { foundTemplates } from '../training/model-files.ts'
import type { ReadWorkspaceText } from '../workspace-files.ts'
import { CaseFiles } from './case-files.ts'
import { registerCompareExpected } from './compare-expected.ts'
import { addressOf, type FilledAddress, filledScheme, filledUri } from './filled-address.ts'
import { FilledPrompts } from './filled-prompts.ts'
import { registerInclusions } from './inclusion-index.ts'
import { PieceMarks } from './piece-marks.ts'
import { type OpenPrompt, openPrompt } from './prompt-files.ts'
import { PromptLenses } from './prompt-lenses.ts'

/** What prompts read and count with. */
export interface PromptTools {
  readonly readText: ReadWorkspaceText
  readonly count: CountTexts
}

/** Registers the commands and the documents that they show. Programs may pass a document, a case, and a target. */
export function registerPrompts(context: vscode.ExtensionContext, { readText, count }: PromptTools): void {
  const versions = committedFiles()
  const prompts = new FilledPrompts({
    readText,
    count,
    versionIn: (commit) => (uri) => versions.of(uri, commit),
  })
  const open = (uri: vscode.Uri) => openPrompt(uri, readText)
  registerCompareExpected(context)
  registerInclusions(context, readText)
  context.subscriptions.push(
    prompts,
    new PieceMarks(prompts),
    new PromptLenses(prompts),
    new CaseFiles(readText),
    vscode.workspace.registerTextDocumentContentProvider(filledScheme, prompts),
    vscode.commands.registerCommand('openchatml.showFilledPrompt', async (...args: unknown[]) => {
      const document = await askedDocument(args[0])
      if (!document) return undefined
      const caseName = await chosenCase(document.uri, await open(document.uri), args[1])
      const chosen = caseName === undefined ? undefined : await chosenTarget(readText, args[2], args[3])
      if (caseName === undefined || !chosen) return undefined
      const address = { source: document.uri, caseName, ...chosen, commit: undefined }
      return shown(address, vscode.ViewColumn.Beside)
    }),
    vscode.commands.registerCommand('openchatml.choosePromptCase', (uri?: unknown, asked?: unknown) =>
      changed(uri, async (address) => {
        const caseName = await chosenCase(address.source, await open(address.source), asked)
        return caseName === undefined ? undefined : { ...address, caseName }
      }),
    ),
    vscode.commands.registerCommand('openchatml.choosePromptTarget', (...args: unknown[]) =>
      changed(args[0], async (address) => {
        const chosen = await chosenTarget(readText, args[1], args[2])
        return chosen && { ...address, ...chosen }
      }),
    ),
    vscode.commands.registerCommand(
      'openchatml.comparePromptWithCommit',
      async (uri?: unknown, target?: unknown, commit?: unknown) => {
        const document = await askedDocument(uri)
        if (!document) return undefined
        if (!(await versions.prepare(document.uri))) {
          void vscode.window.showInformationMessage(
            vscode.l10n.t('This transcript is not in a Git repository.'),
          )
          return undefined
        }
        const chosen = await chosenCommit(versions, commit)
        return chosen && compare(document.uri, await open(document.uri), { target, commit: chosen })
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

/** Shows a filled prompt. */
async function shown(address: FilledAddress, viewColumn: vscode.ViewColumn): Promise<vscode.Uri> {
  const uri = filledUri(address)
  const document = await vscode.workspace.openTextDocument(uri)
  await vscode.window.showTextDocument(document, { viewColumn, preserveFocus: true })
  return uri
}

/** Shows another filled prompt in place of the one at `uri`, or of the active one. */
async function changed(
  uri: unknown,
  change: (address: FilledAddress) => Promise<FilledAddress | undefined>,
): Promise<vscode.Uri | undefined> {
  const before = uri instanceof vscode.Uri ? uri : vscode.window.activeTextEditor?.document.uri
  const address = before && addressOf(before)
  const next = address && (await change(address))
  if (!next) return undefined
  const tab = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .find(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === before?.toString())
  const result = await shown(next, tab?.group.viewColumn ?? vscode.ViewColumn.Active)
  // One that was kept open is not replaced by itself.
  if (tab && result.toString() !== before?.toString()) {
    const left = tab.group.tabs.find(
      ({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === before?.toString(),
    )
    if (left) await vscode.window.tabGroups.close(left)
  }
  return result
}

/** @param source the address of the prompt */
async function chosenCase(
  source: vscode.Uri,
  { cases }: OpenPrompt,
  asked: unknown,
): Promise<string | undefined> {
  const names = [...new Set(cases.map(({ name }) => name))]
  if (typeof asked === 'string' && names.includes(asked)) return asked
  if (names.length === 0) {
    void offerNewCase(source)
    return undefined
  }
  return names.length === 1 ? names[0] : vscode.window.showQuickPick(names, { title: vscode.l10n.t('Case') })
}

/** Without a case, there is nothing to fill a prompt with. */
async function offerNewCase(prompt: vscode.Uri): Promise<void> {
  const newCase = vscode.l10n.t('New Case…')
  const message = vscode.l10n.t('This prompt has no cases.')
  if ((await vscode.window.showInformationMessage(message, newCase)) === newCase)
    await vscode.commands.executeCommand('openchatml.newCase', prompt)
}

type ChosenTarget = Pick<FilledAddress, 'target' | 'template'>

/** A target that a program names, with a chat template, or that the user picks. */
async function chosenTarget(
  readText: ReadWorkspaceText,
  asked: unknown,
  askedTemplate: unknown,
): Promise<ChosenTarget | undefined> {
  const known = promptTargets.find((it) => it === asked)
  if (known)
    return { target: known, template: askedTemplate instanceof vscode.Uri ? askedTemplate : undefined }
  const items = promptTargets.flatMap((target): readonly (vscode.QuickPickItem & ChosenTarget)[] => {
    if (target === 'chat-template') return []
    if (target === 'next-prompt') {
      const description = localized(targetDescriptions[target] ?? '')
      return [{ label: target, description, target, template: undefined }]
    }
    const { title, summary } = formOf(target)
    return [{ label: title, description: target, detail: localized(summary), target, template: undefined }]
  })
  const found = vscode.workspace.isTrusted ? await foundTemplates(readText) : []
  const templates = found.map(({ uri, label }) => ({
    label,
    description: localized(targetDescriptions['chat-template'] ?? ''),
    target: 'chat-template' as const,
    template: uri,
  }))
  const options = {
    title: vscode.l10n.t('Show the prompt as'),
    matchOnDescription: true,
    matchOnDetail: true,
  }
  return vscode.window.showQuickPick([...items.slice(0, 2), ...templates, ...items.slice(2)], options)
}

/** A commit that a program names, or that the user picks. */
async function chosenCommit(versions: CommittedFiles, asked: unknown): Promise<string | undefined> {
  if (typeof asked === 'string') return asked
  const items = (await versions.commits()).map(({ hash, message, authorName, authorDate }) => ({
    label: message.split('\n')[0] ?? '',
    description: [hash.slice(0, 8), authorName, authorDate?.toLocaleDateString()].filter(Boolean).join(' · '),
    hash,
  }))
  const options = { title: vscode.l10n.t('Compare the prompt with'), matchOnDescription: true }
  return (await vscode.window.showQuickPick(items, options))?.hash
}

/** All cases before and after, and their sizes, in one editor. */
async function compare(
  source: vscode.Uri,
  { cases }: OpenPrompt,
  asked: { readonly target: unknown; readonly commit: string },
): Promise<readonly string[] | undefined> {
  const { commit } = asked
  const target = promptTargets.find((it) => it === asked.target) ?? 'ocm'
  const names = [...new Set(cases.map(({ name }) => name))]
  if (names.length === 0) {
    void offerNewCase(source)
    return undefined
  }
  const changes = [undefined, ...names].map((caseName) => {
    const address = { source, caseName, target, template: undefined }
    const now = filledUri({ ...address, commit: undefined })
    return [now, filledUri({ ...address, commit }), now]
  })
  const name = source.path.split('/').at(-1) ?? ''
  const before = /^[\da-f]{40}$/.test(commit) ? commit.slice(0, 8) : commit
  await vscode.commands.executeCommand(
    'vscode.changes',
    vscode.l10n.t('{0}: cases, {1} ↔ now', name, before),
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
    isCaseName(name) ? undefined : vscode.l10n.t('A name may contain only letters, digits, _, -, and spaces.')
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
  const validateInput = (text: string) =>
    /^[1-9]\d{0,8}$/.test(text) ? undefined : t('A number, starting at 1.')
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
