/** *Choose Form…*: says how the samples of a dataset are read, where that is not recognized, and writes it down. */
import * as vscode from 'vscode'
import {
  configurationFileNames,
  configurationWithMapping,
  type DatasetMapping,
  datasetMappingIn,
  formOf,
  type JsonObject,
  type JsonValue,
  localized,
  offeredColumns,
  offeredKeys,
  reasonOf,
  relativePath,
  sourceForms,
  unknownSpeakers,
} from '../../../core/src/internal.ts'
import { openDocumentAt } from '../document-in-editor.ts'
import { configurationFor } from '../nearest-configuration.ts'
import { showError, showInformation } from '../notice.ts'
import { withoutIcons } from '../text-without-links.ts'
import type { ReadWorkspaceFile } from '../workspace-files.ts'
import type { Dataset } from './dataset.ts'
import type { DatasetLibrary } from './dataset-library.ts'
import { isFolder } from './folder-files.ts'

/** What a program may pass: an entry of `datasets` without its file, or `auto`. */
type Choice = JsonObject | 'auto'

/** Where *Choose Form…* works. */
export interface FormChooser {
  readonly library: DatasetLibrary
  readonly readFile: ReadWorkspaceFile
}

/**
 * Asks how the dataset at `uri` is read, and offers to write it into the configuration. A program may pass the `choice`, and
 * whether it is `written`.
 */
export async function chooseForm(
  { library, readFile }: FormChooser,
  uri: vscode.Uri,
  { choice, written }: { readonly choice: unknown; readonly written: unknown },
): Promise<void> {
  if (await isFolder(uri)) {
    void showInformation(vscode.l10n.t('Open one of the files first.'))
    return
  }
  const user = {}
  const dataset = library.use(uri, user)
  try {
    await dataset.load()
    const chosen = isChoice(choice) ? choice : await askedForm(await firstSamples(dataset))
    if (chosen === undefined) return
    const mapping = chosen === 'auto' ? chosen : datasetMappingIn({ ...chosen, file_name: '*' })
    await library.choose(uri, mapping)
    if (typeof mapping !== 'object') return
    if (typeof written === 'boolean' ? written : await isWriteWanted(uri))
      await writeChosen({ library, readFile }, uri)
  } catch (error) {
    void showError(vscode.l10n.t("The form can't be chosen: {0}", reasonOf(error)))
  } finally {
    library.release(uri, user)
  }
}

/** Writes the form that was chosen for the dataset at `uri` into the configuration, which it is read by from then on. What goes wrong is shown. */
export async function writeChosen({ library, readFile }: FormChooser, uri: vscode.Uri): Promise<void> {
  const mapping = library.chosen(uri)
  if (typeof mapping !== 'object') return
  try {
    await writeMapping({ library, readFile }, uri, mapping)
    await library.choose(uri, undefined)
  } catch (error) {
    void showError(vscode.l10n.t("The form can't be written to the configuration: {0}", reasonOf(error)))
  }
}

function isChoice(value: unknown): value is Choice {
  return value === 'auto' || (typeof value === 'object' && value !== null)
}

const sampled = 20 // samples whose keys are offered

async function firstSamples(dataset: Dataset): Promise<readonly JsonValue[]> {
  const values: JsonValue[] = []
  for (let place = 0; place < Math.min(sampled, dataset.index.size); place++) {
    try {
      values.push(JSON.parse(new TextDecoder().decode(await dataset.readableBytesOf(place))))
    } catch {
      // The list reports what can't be read.
    }
  }
  return values
}

async function askedForm(samples: readonly JsonValue[]): Promise<Choice | undefined> {
  const { t } = vscode.l10n
  const item = (label: string, description: string, choose: () => Thenable<Choice | undefined>) => ({
    label,
    description,
    choose,
  })
  const separator = { label: t('Forms'), kind: vscode.QuickPickItemKind.Separator } as const
  const items = [
    item(t('Recognize'), t('by the keys of each sample'), async () => 'auto'),
    item(t('Prompt and Response…'), t('custom columns'), () => askedAnswer(samples)),
    item(t('Chosen and Rejected Response…'), t('custom columns'), () => askedPair(samples)),
    item(t('Messages…'), t('a custom column with custom keys'), () => askedMessages(samples)),
    { ...separator, choose: undefined },
    ...sourceForms.flatMap((name) => {
      const form = formOf(name)
      // A session is a file, not a sample of one.
      if (form.holds === 'json' && form.readsLines) return []
      const { title, summary } = form
      return { ...item(title, name, async () => ({ formatting: name })), detail: localized(summary) }
    }),
  ]
  const picked = await vscode.window.showQuickPick(items, {
    title: t('Choose Form'),
    placeHolder: t('How the samples of this file are read'),
    matchOnDescription: true,
  })
  return picked?.choose?.()
}

async function askedAnswer(samples: readonly JsonValue[]): Promise<Choice | undefined> {
  const { t } = vscode.l10n
  const { texts, answers } = offeredColumns(samples)
  const prompt = await askedColumn(t('Prompt'), answers)
  const query = prompt && (await askedColumn(t('More of the prompt'), without(texts, [prompt]), true))
  if (!prompt || query === undefined) return undefined
  // Without one, the prompt is a text that holds all messages.
  const response = await askedColumn(t('Response'), without(answers, [prompt, query]), true)
  const system =
    response === undefined
      ? undefined
      : await askedColumn(t('System message'), without(texts, [prompt, query, response]), true)
  if (response === undefined || system === undefined) return undefined
  return { columns: columnsOf({ prompt, query, response, system }) }
}

async function askedPair(samples: readonly JsonValue[]): Promise<Choice | undefined> {
  const { t } = vscode.l10n
  const { answers } = offeredColumns(samples)
  const prompt = await askedColumn(t('Prompt'), answers)
  const chosen = prompt && (await askedColumn(t('Chosen response'), without(answers, [prompt])))
  const rejected =
    prompt && chosen && (await askedColumn(t('Rejected response'), without(answers, [prompt, chosen])))
  return rejected ? { ranking: true, columns: columnsOf({ prompt, chosen, rejected }) } : undefined
}

async function askedMessages(samples: readonly JsonValue[]): Promise<Choice | undefined> {
  const { t } = vscode.l10n
  const messages = await askedColumn(t('List of messages'), offeredColumns(samples).lists)
  if (!messages) return undefined
  const keys = offeredKeys(samples, messages)
  const role = await askedColumn(t('Who speaks'), keys)
  const content = role && (await askedColumn(t('Text'), without(keys, [role])))
  if (!role || !content) return undefined
  if (role === 'role' && content === 'content') return { formatting: 'openai', columns: { messages } }
  const tags: Record<string, string> = { role_tag: role, content_tag: content }
  for (const word of unknownSpeakers(samples, messages, role)) {
    const tag = await askedSpeaker(word)
    if (tag === undefined) return undefined
    if (tag !== '') tags[tag] = word
  }
  return { formatting: 'sharegpt', columns: { messages }, tags }
}

/** The tag of the role that `word` stands for; empty for none, undefined if the user gave up. */
async function askedSpeaker(word: string): Promise<string | undefined> {
  const { t } = vscode.l10n
  const items = [
    { label: t('User'), tag: 'user_tag' },
    { label: t('Assistant'), tag: 'assistant_tag' },
    { label: t('System'), tag: 'system_tag' },
    { label: t('Tool reply'), tag: 'observation_tag' },
    { label: t('Tool call'), tag: 'function_tag' },
    { label: t('None of these'), tag: '' },
  ]
  return (await vscode.window.showQuickPick(items, stepOf(t('Who is {0}?', word.slice(0, 40)))))?.tag
}

/** One of several steps: it stays open when the list of samples takes the focus, so that no answer is lost. */
const stepOf = (title: string): vscode.QuickPickOptions => ({ title, ignoreFocusOut: true })

/** One of `columns`; empty for none, which only some may be; undefined if the user gave up. */
async function askedColumn(
  title: string,
  columns: readonly string[],
  isOptional = false,
): Promise<string | undefined> {
  const none = { label: vscode.l10n.t('None'), column: '' }
  const items = columns.map((column) => ({ label: withoutIcons(column.slice(0, 100)), column }))
  if (items.length === 0)
    return isOptional
      ? ''
      : void showInformation(vscode.l10n.t('The first samples have no column for this: {0}', title))
  const choices = isOptional ? [none, ...items] : items
  return (await vscode.window.showQuickPick(choices, stepOf(title)))?.column
}

function without(columns: readonly string[], others: readonly string[]): readonly string[] {
  return columns.filter((it) => !others.includes(it))
}

function columnsOf(columns: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.entries(columns).filter(([, name]) => name !== ''))
}

/** What the button says that writes a form into the configuration. */
export function writeLabel(): string {
  return vscode.l10n.t('Write to Configuration')
}

async function isWriteWanted(uri: vscode.Uri): Promise<boolean> {
  const { t } = vscode.l10n
  const write = writeLabel()
  const name = uri.path.split('/').at(-1) ?? ''
  const message = t('{0} is read in this form until VS Code closes.', name)
  return (await showInformation(message, write)) === write
}

/**
 * Writes the mapping into the nearest configuration file, or into a new one of the workspace. What other programs write there
 * meanwhile stays. @throws Error
 */
async function writeMapping(
  { library, readFile }: FormChooser,
  uri: vscode.Uri,
  mapping: DatasetMapping,
): Promise<void> {
  const place = await configurationFor(uri, readFile)
  if (!place) throw new Error(vscode.l10n.t("{0} can't be read", configurationFileNames[0] ?? ''))
  const { uri: file, isNew } = place
  const textFile = library.textFileAt(file)
  const before = isNew ? undefined : await textFile.read()
  const text = configurationWithMapping(before ?? '', mapping, relativePath(file.path, uri.path))
  if (text === undefined) throw new Error(vscode.l10n.t('{0} cannot contain the mapping', file.path))
  if (openDocumentAt(file)?.isDirty) throw new Error(vscode.l10n.t('{0} has unsaved changes', file.path))
  await textFile.write(text, before)
}
