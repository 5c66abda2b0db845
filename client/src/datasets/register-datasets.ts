/** Datasets in the editor: the list of samples, samples as documents, and the commands for both. */
import * as vscode from 'vscode'
import type { BaseLanguageClient } from 'vscode-languageclient'
import {
  type FoundTexts,
  isObject,
  type JsonObject,
  type SampleMetadata,
} from '../../../core/src/internal.ts'
import { activeUri, askedUri, isPreviewed } from '../asked-document.ts'
import { tellLosses } from '../conversion/losses.ts'
import { openDocumentAt } from '../document-in-editor.ts'
import { showInformation, showNotice } from '../notice.ts'
import { MessageComments } from '../review/message-comments.ts'
import { ReviewLibrary } from '../review/review-library.ts'
import { Reviews } from '../review/reviews.ts'
import type { ReadWorkspaceFile } from '../workspace-files.ts'
import { checkDataset } from './check-dataset.ts'
import { chooseForm } from './choose-form.ts'
import { copyCommand } from './copy-command.ts'
import {
  compareSamples,
  DatasetEditors,
  datasetEditorType,
  type OpenList,
  openSample,
} from './dataset-editor.ts'
import { type DatasetDisk, DatasetLibrary, withoutDisk } from './dataset-library.ts'
import { type Layout, layoutIn, type SampleAct } from './dataset-protocol.ts'
import { deleteMatching } from './delete-matching.ts'
import { MatchingFixes } from './fix-matching.ts'
import { patternUri } from './folder-files.ts'
import type { LayoutMemory, QueryHistory } from './page-session.ts'
import type { CountTexts } from './row-source.ts'
import { compareBranches, switchBranch } from './sample-branches.ts'
import { SampleDiagnostics } from './sample-diagnostics.ts'
import { SampleFiles } from './sample-files.ts'
import { answerSampleTools } from './sample-tools.ts'
import { sampleAddress } from './sample-uri.ts'
import { saveAsJsonl } from './save-as-jsonl.ts'
import { copyLine, exportMatching, exportRandom, splitMatching, type TakeAlongAnswers } from './take-along.ts'

/** What others ask of open samples. */
export interface OpenSamples {
  /** The sample at `uri`, as it was read or saved last; undefined where there is none. */
  sampleOf(uri: vscode.Uri): ReturnType<SampleFiles['sampleOf']>
  /** What the sample at `uri` says besides its conversation; undefined where there is none. */
  metadataOf(uri: vscode.Uri): SampleMetadata | undefined
  /** False for a sample whose dataset has no place for the YAML header and the attributes of messages. */
  keepsHeaders(uri: vscode.Uri): boolean
  /** The fields of a sample of a dataset, by its number; undefined if it does not exist or is not an object. */
  fieldsOf(dataset: vscode.Uri, number: number): Promise<JsonObject | undefined>
  /** What the query of a list found in the sample at `uri`; undefined where there is none. */
  foundIn(uri: vscode.Uri): FoundTexts | undefined
  /** Fires when that may be something else. */
  readonly onFoundChanged: vscode.Event<void>
}

/** What datasets need of the world the extension runs in. */
export interface DatasetOptions {
  readonly count: CountTexts
  /** Absent in browsers, where files are read as a whole. */
  readonly disk: DatasetDisk | undefined
  readonly readFile: ReadWorkspaceFile
  readonly client: BaseLanguageClient
}

/**
 * Adds the editor, the file system of samples, and `openchatml.openAsDataset`, `openchatml.openSample`,
 * `openchatml.openFilesAsDataset`, `openchatml.saveAsJsonl`, `openchatml.chooseForm`, `openchatml.compareSamples`, `openchatml.switchBranch`, `openchatml.compareBranches`, `openchatml.nextSample`, `openchatml.previousSample`,
 * and those that take samples of a list along: `openchatml.exportMatchingSamples`, `openchatml.randomSample`, `openchatml.splitSamples`,
 * `openchatml.copyFilterCommand`, `openchatml.copySampleLine`; and those that change samples: `openchatml.addSample`, `openchatml.deleteSample`,
 * `openchatml.duplicateSample`, `openchatml.moveSampleUp`, `openchatml.moveSampleDown`, `openchatml.fixMatchingSamples`, `openchatml.deleteMatchingSamples`, `openchatml.undoSampleChange`;
 * and `openchatml.checkDataset`. Programs may pass a dataset and numbers.
 */
export function registerDatasets(
  context: vscode.ExtensionContext,
  { count, disk, readFile, client }: DatasetOptions,
): OpenSamples {
  const library = new DatasetLibrary(disk, readFile)
  const files = new SampleFiles(library)
  const reviewFiles = new ReviewLibrary(disk?.openReview)
  const reviews = new Reviews(reviewFiles)
  const { makeSpool } = disk ?? withoutDisk
  const fixes = new MatchingFixes(makeSpool, readFile)
  const { extensionUri } = context
  const command = (name: string, run: (...args: unknown[]) => unknown) =>
    vscode.commands.registerCommand(`openchatml.${name}`, run)
  const editors = new DatasetEditors({
    extensionUri,
    library,
    files,
    count,
    openThreads: disk?.openThreads,
    readFile,
    history: historyIn(context.workspaceState),
    layouts: layoutsIn(context.workspaceState),
    reviews,
  })
  const withList = (name: string, run: (list: OpenList, answers: TakeAlongAnswers) => unknown) =>
    command(name, (target, given) => {
      const list = editors.listOf(target)
      const answers: TakeAlongAnswers = typeof given === 'object' && given !== null ? given : {}
      if (list && answers.query !== undefined) list.search(answers.query)
      if (list) return run(list, answers)
      void showInformation(vscode.l10n.t('Open the list of a dataset first.'))
      return undefined
    })
  context.subscriptions.push(
    withList('exportMatchingSamples', (list, answers) => exportMatching(list, disk, answers)),
    withList('randomSample', (list, answers) => exportRandom(list, disk, answers)),
    withList('splitSamples', (list, answers) => splitMatching(list, disk, answers)),
    withList('copyFilterCommand', (list) => copyCommand(list, { library, readFile })),
    withList('fixMatchingSamples', (list, answers) => fixes.fix(list, answers)),
    withList('deleteMatchingSamples', (list, answers) => deleteMatching(list, makeSpool, answers)),
    withList('checkDataset', (list, answers) => checkDataset(list, answers)),
    fixes,
    withList('copySampleLine', copyLine),
    ...Object.entries(changeCommands).map(([name, act]) => withList(name, (list) => list.change(act))),
    files,
    library,
    reviewFiles,
    reviews,
    new MessageComments({ files, library: reviewFiles, isBlind: (it) => reviews.isBlind(it) }),
    answerSampleTools(client, files),
    new SampleDiagnostics(files, readFile, extensionUri),
    files.onDidSave(({ uri, losses }) => {
      tellLosses(losses, openDocumentAt(uri))
    }),
    vscode.window.registerCustomEditorProvider(datasetEditorType, editors, {
      supportsMultipleEditorsPerDocument: true,
    }),
    command('openAsDataset', openAsDataset),
    command('openFilesAsDataset', openPattern),
    command('saveAsJsonl', (target, to) => {
      const uri = datasetUri(target)
      return uri && saveAsJsonl(library, disk, uri, to instanceof vscode.Uri ? to : undefined)
    }),
    command('chooseForm', (target, choice, written) => {
      const uri = datasetUri(target)
      return uri && chooseForm({ library, readFile }, uri, { choice, written })
    }),
    command('openSample', askAndOpen),
    command('compareSamples', askAndCompare),
    command('switchBranch', (target, branch) => switchBranch(library, target, branch)),
    command('compareBranches', (target) => compareBranches(library, target)),
    command('nextSample', (target) => openNeighbour(library, target, 1)),
    command('previousSample', (target) => openNeighbour(library, target, -1)),
  )
  return {
    sampleOf: (uri) => files.sampleOf(uri),
    metadataOf: (uri) => files.metadataOf(uri),
    keepsHeaders: (uri) => files.traitsOf(uri)?.hasHeaders ?? true,
    fieldsOf: (dataset, number) => fieldsOf(library, dataset, number),
    foundIn: (uri) => editors.foundIn(uri),
    onFoundChanged: editors.onFoundChanged,
  }
}

async function fieldsOf(
  library: DatasetLibrary,
  uri: vscode.Uri,
  number: number,
): Promise<JsonObject | undefined> {
  const user = {}
  const dataset = library.use(uri, user)
  try {
    await dataset.load()
    const place = dataset.index.placeOf(number)
    if (place === undefined) return undefined
    const value: unknown = JSON.parse(new TextDecoder().decode(await dataset.readableBytesOf(place)))
    return isObject(value) ? value : undefined
  } catch {
    return undefined // not JSON, too large, or the file is gone
  } finally {
    library.release(uri, user)
  }
}

/** The commands that change samples. */
const changeCommands: Readonly<Record<string, SampleAct>> = {
  addSample: 'add',
  deleteSample: 'delete',
  duplicateSample: 'duplicate',
  moveSampleUp: 'up',
  moveSampleDown: 'down',
  undoSampleChange: 'undo',
}

const historyKey = 'openchatml.queries'
const mostQueries = 50 // that are remembered

/** The queries that were made in a workspace. */
function historyIn(memory: vscode.Memento): QueryHistory {
  const get = () => memory.get<readonly string[]>(historyKey, [])
  return {
    get,
    keep: (query) => {
      const others = get().filter((it) => it !== query)
      void memory.update(historyKey, [query, ...others].slice(0, mostQueries))
    },
  }
}

const layoutsKey = 'openchatml.layouts'
const mostLayouts = 200 // files whose layouts are remembered

/** The layouts of the lists of files in a workspace. */
function layoutsIn(memory: vscode.Memento): (uri: vscode.Uri) => LayoutMemory {
  const all = () => memory.get<readonly (readonly [string, Layout])[]>(layoutsKey, [])
  return (uri) => {
    const key = uri.toString()
    return {
      get: () => layoutIn(all().find(([it]) => it === key)?.[1]),
      keep: (layout) => {
        const others = all().filter(([it]) => it !== key)
        void memory.update(layoutsKey, [[key, layout], ...others].slice(0, mostLayouts))
      },
    }
  }
}

async function openAsDataset(target?: unknown): Promise<void> {
  const uri = target instanceof vscode.Uri ? target : (activeUri() ?? listedUri())
  if (uri) await vscode.commands.executeCommand('vscode.openWith', uri, datasetEditorType)
  else void showInformation(vscode.l10n.t('Open a file with a dataset first.'))
}

/** Opens the files that match a pattern, in a folder of the workspace, as one dataset. */
async function openPattern(target?: unknown, asked?: unknown): Promise<void> {
  const folder = target instanceof vscode.Uri ? target : vscode.workspace.workspaceFolders?.[0]?.uri
  if (!folder) {
    void showInformation(vscode.l10n.t('Open a folder first.'))
    return
  }
  const pattern =
    typeof asked === 'string'
      ? asked
      : await vscode.window.showInputBox({
          title: vscode.l10n.t('Open Files as Dataset'),
          prompt: vscode.l10n.t('Pattern of paths in the folder, such as data/**/*.parquet'),
        })
  if (pattern)
    await vscode.commands.executeCommand('vscode.openWith', patternUri(folder, pattern), datasetEditorType)
}

async function askAndOpen(target?: unknown, number?: unknown): Promise<void> {
  const uri = datasetUri(target)
  const asked = typeof number === 'number' ? number : uri && (await askedNumber(vscode.l10n.t('Open Sample')))
  if (uri && asked !== undefined) await openSample(uri, asked)
}

async function askAndCompare(target?: unknown, one?: unknown, other?: unknown): Promise<void> {
  const uri = datasetUri(target)
  if (!uri) return
  const title = vscode.l10n.t('Compare Samples')
  const first = typeof one === 'number' ? one : await askedNumber(title)
  const second = first === undefined || typeof other === 'number' ? other : await askedNumber(title)
  if (first !== undefined && typeof second === 'number') await compareSamples(uri, [first, second])
}

async function askedNumber(title: string): Promise<number | undefined> {
  const answer = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('Number of the sample: its line, or its place in the list'),
    validateInput: (text) => (/^\d{1,10}$/.test(text) ? undefined : vscode.l10n.t('This is not a number')),
  })
  return answer === undefined ? undefined : Number(answer)
}

/**
 * Opens the sample before or after the one that is active, in the preview if that has the focus. Those that cannot be read are passed over: the
 * list names them.
 */
async function openNeighbour(library: DatasetLibrary, target: unknown, step: 1 | -1): Promise<void> {
  const active = askedUri(target)
  const address = active && sampleAddress(active)
  if (!address) return
  const as = isPreviewed(active) ? 'preview' : 'text'
  const user = {}
  const dataset = library.use(address.dataset, user)
  try {
    await dataset.load()
    const { index } = dataset
    const place = index.placeOf(address.number)
    let next = place === undefined ? -1 : place + step
    while (0 <= next && next < index.size && (await dataset.sampleAt(next)).kind === 'bad') next += step
    if (0 <= next && next < index.size) await openSample(address.dataset, index.numberOf(next), as)
    else showNotice(vscode.l10n.t('OpenChatML: no more samples'))
  } finally {
    library.release(address.dataset, user)
  }
}

/** The dataset that a program names, that is active, or that the active sample belongs to. */
function datasetUri(target: unknown): vscode.Uri | undefined {
  const uri = askedUri(target) ?? listedUri()
  return uri && (sampleAddress(uri)?.dataset ?? uri)
}

/** The dataset whose list is active. */
function listedUri(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input
  return input instanceof vscode.TabInputCustom ? input.uri : undefined
}
