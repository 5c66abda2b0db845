/**
 * Opens the samples that come with the extension, so that a newcomer needs neither a folder nor a clone. Transcripts open as new
 * documents; a dataset and a prompt with parts, which need their files, open where they cannot be changed.
 */
import * as vscode from 'vscode'
import { reasonOf } from '../../../core/src/internal.ts'
import { showFilledPromptCommand } from '../commands.ts'
import { showError, showInformation, showWarning } from '../notice.ts'
import { untitledDocument } from '../untitled-document.ts'
import { isThere } from '../workspace-files.ts'
import { ExampleFiles, exampleScheme } from './example-files.ts'

/** How an example opens. */
type Example = 'new-document' | 'text' | 'dataset'

/** The examples, in order of the walkthrough. */
const examples = {
  '02-weather-tool.ocm': 'new-document',
  '15-mistakes.ocm': 'new-document',
  '09-agent-session.ocm': 'new-document',
  'dataset.jsonl': 'dataset',
  '16-prompt.ocm': 'text',
} as const satisfies Readonly<Record<string, Example>>

type ExampleName = keyof typeof examples

const names = Object.keys(examples) as readonly ExampleName[]

/** What belongs to examples: the cases and parts of the prompt. */
const companions = ['16-prompt.cases.yaml', 'parts/style.md', 'parts/refunds.md']

/** What is shown next to an example. */
type Companion = 'preview' | 'filled'

/**
 * Registers `openchatml.copyExamples` and `openchatml.openExample`, to which the walkthrough passes the name of a file and what to
 * show next to it.
 */
export function registerExamples(context: vscode.ExtensionContext): void {
  const files = new ExampleFiles(context.extensionUri)
  const message = new vscode.MarkdownString(
    vscode.l10n.t(
      'This is an example. [Copy the examples to a folder](command:{0}) to change it.',
      copyCommand,
    ),
  )
  message.isTrusted = { enabledCommands: [copyCommand] }
  context.subscriptions.push(
    files,
    vscode.workspace.registerFileSystemProvider(exampleScheme, files, {
      isCaseSensitive: true,
      isReadonly: message,
    }),
    vscode.commands.registerCommand('openchatml.openExample', async (asked?: unknown, beside?: unknown) => {
      const name = names.find((it) => it === asked) ?? (await picked())
      if (!name) return
      await open(name)
      await show(name, beside)
    }),
    vscode.commands.registerCommand(copyCommand, async (folder?: unknown) => {
      const chosen = folder instanceof vscode.Uri ? folder : await chosenFolder()
      if (chosen) await copyTo(chosen)
    }),
  )
}

const copyCommand = 'openchatml.copyExamples'

async function picked(): Promise<ExampleName | undefined> {
  const items = names.map((name) => ({ ...described(name), description: name, name }))
  const title = vscode.l10n.t('Open Example')
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true, matchOnDetail: true }))
    ?.name
}

function described(name: ExampleName): { readonly label: string; readonly detail: string } {
  const { t } = vscode.l10n
  switch (name) {
    case '02-weather-tool.ocm':
      return { label: t('Weather'), detail: t('A transcript with a tool call') }
    case '15-mistakes.ocm':
      return { label: t('Problems'), detail: t('A transcript with problems to fix') }
    case '09-agent-session.ocm':
      return { label: t('Coding agent'), detail: t('A long session with several turns and tool calls') }
    case 'dataset.jsonl':
      return { label: t('Training data'), detail: t('A dataset with conversations in several forms') }
    case '16-prompt.ocm':
      return { label: t('Customer support'), detail: t('A prompt with inputs, cases, and parts') }
    default:
      return name satisfies never
  }
}

/** The documents that examples were opened as. */
const opened = new Map<ExampleName, vscode.TextDocument>()

async function open(name: ExampleName): Promise<void> {
  const uri = exampleUri(name)
  switch (examples[name]) {
    case 'new-document': {
      const before = opened.get(name)
      const document = before && !before.isClosed ? before : await newDocument(uri)
      opened.set(name, document)
      await vscode.window.showTextDocument(document, { preview: false })
      return
    }
    case 'text':
      await vscode.window.showTextDocument(uri, { preview: false })
      return
    case 'dataset':
      await vscode.commands.executeCommand('vscode.openWith', uri, 'openchatml.dataset')
  }
}

async function newDocument(uri: vscode.Uri): Promise<vscode.TextDocument> {
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri))
  return untitledDocument(text, 'openchatml')
}

/** @param what a {@link Companion}; anything else shows nothing */
async function show(name: ExampleName, what: unknown): Promise<void> {
  const commands: Readonly<Record<Companion, readonly [string, ...unknown[]]>> = {
    preview: ['openchatml.showPreviewToSide'],
    filled: [showFilledPromptCommand, exampleUri(name), 'refund', 'ocm'],
  }
  if (what === 'preview' || what === 'filled') await vscode.commands.executeCommand(...commands[what])
}

function exampleUri(path: string): vscode.Uri {
  return vscode.Uri.from({ scheme: exampleScheme, path: `/${path}` })
}

async function chosenFolder(): Promise<vscode.Uri | undefined> {
  const openLabel = vscode.l10n.t('Copy Here')
  const options = { canSelectFiles: false, canSelectFolders: true, openLabel }
  return (await vscode.window.showOpenDialog(options))?.[0]
}

/** Copies the examples to a new folder in `parent`, and offers to open it. A folder that is there already stays as it is. */
async function copyTo(parent: vscode.Uri): Promise<void> {
  const { t } = vscode.l10n
  const folder = vscode.Uri.joinPath(parent, 'openchatml-examples')
  try {
    if (await isThere(folder)) {
      void showWarning(t('The folder openchatml-examples already exists there.'))
      return
    }
    await copyExamples(folder)
  } catch (error) {
    void showError(t('The examples were not copied: {0}', reasonOf(error)))
    return
  }
  const openFolder = t('Open Folder')
  if ((await showInformation(t('The examples were copied.'), openFolder)) === openFolder)
    await vscode.commands.executeCommand('vscode.openFolder', folder)
}

/**
 * Copies the examples to `folder`, which is not there yet: all of them, or nothing that was copied stays.
 *
 * @throws what a file system reports
 */
export async function copyExamples(folder: vscode.Uri): Promise<void> {
  const copied: vscode.Uri[] = []
  try {
    for (const path of [...names, ...companions]) {
      const content = await vscode.workspace.fs.readFile(exampleUri(path))
      const uri = vscode.Uri.joinPath(folder, path)
      copied.push(uri) // before it is written: a part of it may be there
      await vscode.workspace.fs.writeFile(uri, content)
    }
  } catch (error) {
    await removeCopied(copied, folder)
    throw error
  }
}

/** Removes files in `folder`, and the folders that are empty then. What can't be removed stays. */
async function removeCopied(files: readonly vscode.Uri[], folder: vscode.Uri): Promise<void> {
  for (const file of files) await remove(file)
  const folders = files.map((it) => vscode.Uri.joinPath(it, '..')).filter(({ path }) => path !== folder.path)
  for (const it of [...folders, folder])
    if ((await vscode.workspace.fs.readDirectory(it).then(undefined, () => undefined))?.length === 0)
      await remove(it)
}

async function remove(uri: vscode.Uri): Promise<void> {
  await vscode.workspace.fs
    .delete(uri, { recursive: false, useTrash: false })
    .then(undefined, () => undefined)
}
