/** Commands on prompts: show one filled, compare it with a commit, and begin a case. */
import * as vscode from 'vscode'
import {
  formOf,
  localized,
  type PromptCase,
  promptTargets,
  targetDescriptions,
  unfilledText,
  unreadHeader,
} from '../../../core/src/internal.ts'
import { askedDocument } from '../asked-document.ts'
import { showFilledPromptCommand } from '../commands.ts'
import { showError, showInformation } from '../notice.ts'
import { type CommittedFiles, committedFiles, whyNoCommits } from '../preview/compare.ts'
import type { CountTexts } from '../preview/context-source.ts'
import { withoutIcons } from '../text-without-links.ts'
import { foundTemplates } from '../training/model-files.ts'
import type { ReadWorkspaceFile } from '../workspace-files.ts'
import { CaseFiles } from './case-files.ts'
import { registerCompareExpected } from './compare-expected.ts'
import { addressOf, type FilledAddress, filledScheme, filledUri } from './filled-address.ts'
import { FilledPrompts } from './filled-prompts.ts'
import { registerInclusions } from './inclusion-index.ts'
import { type CaseTools, caseFromSample, newCase } from './new-cases.ts'
import { registerPartCompletions } from './part-completions.ts'
import { PieceMarks } from './piece-marks.ts'
import { type OpenPrompt, openPrompt } from './prompt-files.ts'
import { PromptLenses } from './prompt-lenses.ts'

/** What prompts read and count with. */
export interface PromptTools extends CaseTools {
  readonly readFile: ReadWorkspaceFile
  readonly count: CountTexts
}

/** Registers the commands and the documents that they show. Programs may pass a document, a case, and a target. */
export function registerPrompts(context: vscode.ExtensionContext, tools: PromptTools): void {
  const { readFile, count } = tools
  const versions = committedFiles()
  const prompts = new FilledPrompts({
    readFile,
    count,
    versionsAt: (uri, commit) => versions.at(uri, commit),
  })
  const open = (uri: vscode.Uri) => openPrompt(uri, readFile)
  registerCompareExpected(context)
  registerInclusions(context, readFile)
  registerPartCompletions(context)
  context.subscriptions.push(
    prompts,
    new PieceMarks(prompts),
    new PromptLenses(prompts),
    new CaseFiles(readFile),
    vscode.workspace.registerTextDocumentContentProvider(filledScheme, prompts),
    vscode.commands.registerCommand(showFilledPromptCommand, async (...args: unknown[]) => {
      const document = await askedDocument(args[0])
      if (!document) return undefined
      const caseName = await chosenCase(document.uri, await open(document.uri), args[1])
      const chosen = caseName === undefined ? undefined : await chosenTarget(readFile, args[2], args[3])
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
        const chosen = await chosenTarget(readFile, args[1], args[2])
        return chosen && { ...address, ...chosen }
      }),
    ),
    vscode.commands.registerCommand(
      'openchatml.comparePromptWithCommit',
      async (uri?: unknown, target?: unknown, commit?: unknown) => {
        const document = await askedDocument(uri)
        if (!document) return undefined
        if (!(await versions.prepare(document.uri))) {
          void showInformation(whyNoCommits())
          return undefined
        }
        const chosen = await chosenCommit(versions, commit)
        if (!chosen) return undefined
        const now = await open(document.uri)
        const before = await openPrompt(document.uri, readFile, await versions.at(document.uri, chosen))
        return compare(document.uri, [...now.cases, ...before.cases], { target, commit: chosen })
      },
    ),
    vscode.commands.registerCommand('openchatml.newCase', async (uri?: unknown, name?: unknown) => {
      const document = await askedDocument(uri)
      return document && newCase(document, tools, name)
    }),
    vscode.commands.registerCommand('openchatml.caseFromSample', async (...args: unknown[]) => {
      const document = await askedDocument(args[0])
      return document && caseFromSample(document, tools, { dataset: args[1], number: args[2] })
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
  { analysis, cases }: OpenPrompt,
  asked: unknown,
): Promise<string | undefined> {
  const names = [...new Set(cases.map(({ name }) => name))]
  if (typeof asked === 'string' && names.includes(asked)) return asked
  const unread = unreadHeader(analysis)
  if (unread) {
    void showError(unfilledText([unread.message]).trimEnd())
    return undefined
  }
  if (names.length === 0) {
    void offerNewCase(source)
    return undefined
  }
  if (names.length === 1) return names[0]
  const items = names.map((name) => ({ label: withoutIcons(name), name }))
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Case') }))?.name
}

/** Without a case, there is nothing to fill a prompt with. */
async function offerNewCase(prompt: vscode.Uri): Promise<void> {
  const newCase = vscode.l10n.t('New Case…')
  const message = vscode.l10n.t('This prompt has no cases.')
  if ((await showInformation(message, newCase)) === newCase)
    await vscode.commands.executeCommand('openchatml.newCase', prompt)
}

type ChosenTarget = Pick<FilledAddress, 'target' | 'template'>

/** A target that a program names, with a chat template, or that the user picks. */
async function chosenTarget(
  readFile: ReadWorkspaceFile,
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
  const found = vscode.workspace.isTrusted ? await foundTemplates(readFile) : []
  const templates = found.map(({ uri, label }) => ({
    label: withoutIcons(label),
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
    label: withoutIcons(message.split('\n')[0] ?? ''),
    description: withoutIcons(
      [hash.slice(0, 8), authorName, authorDate?.toLocaleDateString()].filter(Boolean).join(' · '),
    ),
    hash,
  }))
  const options = { title: vscode.l10n.t('Compare the prompt with'), matchOnDescription: true }
  return (await vscode.window.showQuickPick(items, options))?.hash
}

/** All cases before and after, and their sizes, in one editor. `cases` are those of now and of the commit. */
async function compare(
  source: vscode.Uri,
  cases: readonly PromptCase[],
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
