/** The editor of datasets: a list of samples, each of which opens as a document of its own. */

import * as vscode from 'vscode'
import { type FoundTexts, reasonOf } from '../../../core/src/internal.ts'
import { Turns } from '../in-turn.ts'
import { showError } from '../notice.ts'
import { freshNonce } from '../preview/html.ts'
import { fromReviewPage } from '../review/review-protocol.ts'
import type { ListReview, Reviews } from '../review/reviews.ts'
import { untitledDocument } from '../untitled-document.ts'
import type { ReadWorkspaceFile } from '../workspace-files.ts'
import { changeSample } from './change-samples.ts'
import type { ComparedList } from './check-dataset.ts'
import type { ColumnThreads } from './column-work.ts'
import type { Dataset } from './dataset.ts'
import { datasetHtml } from './dataset-html.ts'
import { type DatasetLibrary, filesOf } from './dataset-library.ts'
import { fromDatasetPage, type SampleAct } from './dataset-protocol.ts'
import { DatasetSettings } from './dataset-settings.ts'
import type { FixedList } from './fix-matching.ts'
import { FolderDataset } from './folder-dataset.ts'
import {
  DatasetPageSession,
  type DatasetRequest,
  type LayoutMemory,
  type QueryHistory,
} from './page-session.ts'
import type { CountTexts } from './row-source.ts'
import { SampleComparison } from './sample-comparison.ts'
import type { SampleFiles } from './sample-files.ts'
import { type SampleAddress, sampleAddress, sampleUri } from './sample-uri.ts'
import { copyLine, showUnreadable, type TakenList } from './take-along.ts'

/** The type of the editor, as the manifest names it. */
export const datasetEditorType = 'openchatml.dataset'

/** What editors have in common. */
export interface DatasetEditorParts {
  readonly extensionUri: vscode.Uri
  readonly library: DatasetLibrary
  readonly files: SampleFiles
  readonly count: CountTexts
  readonly openThreads: (() => ColumnThreads) | undefined
  readonly readFile: ReadWorkspaceFile
  readonly history: QueryHistory
  readonly layouts: (uri: vscode.Uri) => LayoutMemory
  readonly reviews: Reviews
}

/** A list that is open. */
export interface OpenList extends TakenList, FixedList, ComparedList {
  readonly foundIn: DatasetPageSession['foundIn']
  /** Changes the sample with the focus. */
  readonly change: (act: SampleAct) => Promise<void>
  readonly panel: vscode.WebviewPanel
}

/** Opens datasets as lists. The list itself changes nothing, so there is nothing to save. */
export class DatasetEditors implements vscode.CustomReadonlyEditorProvider {
  readonly #parts: DatasetEditorParts
  readonly #lists = new Set<OpenList>()
  readonly #foundChanged = new vscode.EventEmitter<void>()
  /** Fires when {@link foundIn} may be something else. */
  readonly onFoundChanged = this.#foundChanged.event

  constructor(parts: DatasetEditorParts) {
    this.#parts = parts
  }

  /** What the query of a list found in the open sample at `uri`. */
  foundIn(uri: vscode.Uri): FoundTexts | undefined {
    const address = sampleAddress(uri)
    const sample = this.#parts.files.sampleOf(uri)
    if (!address || !sample) return undefined
    const { json, mapping } = sample
    const bytes = new TextEncoder().encode(json)
    for (const list of this.#lists) {
      const hasIt = list.files.some((it) => it.address.toString() === address.dataset.toString())
      const found = hasIt ? list.foundIn({ bytes, mapping }) : undefined
      if (found) return found
    }
    return undefined
  }

  /** The list of the dataset at `target`, or else the one that is active. */
  listOf(target: unknown): OpenList | undefined {
    const lists = [...this.#lists]
    if (target instanceof vscode.Uri) return lists.find(({ uri }) => uri.toString() === target.toString())
    return lists.find(({ panel }) => panel.active)
  }

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose() {} }
  }

  async resolveCustomEditor({ uri }: vscode.CustomDocument, panel: vscode.WebviewPanel): Promise<void> {
    const { library, files, count, openThreads, readFile, history, layouts, reviews } = this.#parts
    const { webview } = panel
    const root = vscode.Uri.joinPath(this.#parts.extensionUri, 'dist', 'webview')
    let isClosed = false
    const closing = panel.onDidDispose(() => {
      isClosed = true
    })
    const { view, close } = await library.view(uri, panel)
    closing.dispose()
    if (isClosed) {
      close()
      return
    }
    if (uri.query !== '') panel.title = `${nameOf(uri)}: ${uri.query}`
    // The settings of a folder are those of the files in it.
    const judged =
      view instanceof FolderDataset ? vscode.Uri.joinPath(uri.with({ query: '' }), 'a.jsonl') : uri
    const settings = new DatasetSettings(judged, readFile, () => {
      comparison.forget()
      session.judgeAgain()
      review.judgeAgain()
    })
    let reviewOf: ListReview['reviewOf'] = () => undefined
    const session = new DatasetPageSession(view, {
      name: nameOf(uri),
      options: () => ({
        ...settings.options,
        reviewOf: (number) => reviewOf(number),
        problemsAmong: (number) => comparison.problemsOf(number),
      }),
      count,
      openThreads,
      history,
      queried: () => {
        this.#foundChanged.fire()
        comparison.follow()
      },
      layout: layouts(uri),
      post: (message) => void webview.postMessage(message),
      request: (request) => {
        answer({ uri, view, list }, request).catch(showUnreadable) // the sample may be gone by now
      },
    })
    const comparison = new SampleComparison({
      view,
      files: () => list.files,
      options: () => settings.options,
      listing: () => session.listing,
      changed: () => session.judgeAgain(),
    })
    // One change after the other, however fast keys come: each is about the sample that has the focus after the one before.
    const changes = new Turns()
    const list: OpenList = {
      uri,
      panel,
      lists: (file) => library.lists({ uri, view }, file),
      get files() {
        return filesOf({ uri, view })
      },
      foundIn: (sample) => session.foundIn(sample),
      change: (act) =>
        changes.take(async () => {
          const active = session.activePlace
          if (active === undefined && act !== 'add' && act !== 'undo') return // nothing is listed
          const place = active ?? 0
          if (view instanceof FolderDataset && view.index.size <= place) return
          const dataset = view instanceof FolderDataset ? view.partOf(place) : view
          const address = addressIn({ uri, view }, place < view.index.size ? view.index.numberOf(place) : 0)
          await changeSample(act, {
            uri: address.dataset,
            dataset,
            place: dataset.index.placeOf(address.number) ?? 0,
            focusAfter: (by) => session.focus(place + by),
          })
        }),
      search: (query) => session.search(query),
      compare: (onSample) => comparison.compare(onSample),
      matching: async () => {
        await comparison.whenCompared()
        return session.matching()
      },
      get fields() {
        return session.fields
      },
      keyOf: (path) => keyIn({ uri, view }, path),
      activeLine: async () => {
        const place = session.activePlace
        return place === undefined ? undefined : new TextDecoder().decode(await view.bytesOf(place))
      },
    }
    this.#lists.add(list)
    const { listing } = session
    const review = reviews.open({
      uri,
      view,
      panel,
      listing,
      settings,
      post: (it) => void webview.postMessage(it),
      openText: (number) => showSource({ uri, view }, number),
      compared: () => session.judgeAgain(),
    })
    reviewOf = review.reviewOf
    const subscriptions = [
      settings,
      review,
      comparison,
      { dispose: view.onChanged(() => comparison.follow()) },
      webview.onDidReceiveMessage((value: unknown) => {
        const about = fromReviewPage(value)
        if (about) review.receive(about)
        const message = fromDatasetPage(value)
        if (message) session.receive(message)
      }),
      files.onDidSave(({ address, place, before }) => {
        const isIt = (it: vscode.Uri) => it.toString() === address.dataset.toString()
        const changed =
          view instanceof FolderDataset ? view.placeIn(isIt, place) : isIt(uri) ? place : undefined
        if (changed === undefined) return
        comparison.forget()
        session.sampleChanged(changed, before)
        review.sampleChanged(changed)
      }),
    ]
    panel.onDidDispose(() => {
      for (const subscription of subscriptions) subscription.dispose()
      this.#lists.delete(list)
      this.#foundChanged.fire()
      session.dispose()
      close()
    })
    webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [root] }
    const address = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(root, file)).toString()
    webview.html = datasetHtml({
      nonce: freshNonce(),
      script: address('dataset.js'),
      style: address('dataset.css'),
      language: vscode.env.language,
      translations: vscode.l10n.bundle,
    })
  }
}

function nameOf({ path }: vscode.Uri): string {
  return path.split('/').at(-1) ?? ''
}

interface ListedDataset {
  readonly uri: vscode.Uri
  readonly view: Dataset | FolderDataset<vscode.Uri>
}

/** How `ocm` names the samples of a dataset at `path`: by line, or by element or row. */
function keyIn({ view }: ListedDataset, path: string): (place: number) => string {
  const { index } = view
  if (!(view instanceof FolderDataset))
    return (place) =>
      view.kind === 'lines' ? `${path}:${index.numberOf(place)}` : `${path}[${index.numberOf(place)}]`
  return (place) => {
    const { address, number } = view.addressOf(place)
    const own = vscode.workspace.asRelativePath(address, false)
    return view.partOf(place).kind === 'lines' ? `${own}:${number}` : `${own}[${number}]`
  }
}

async function answer(
  { list, ...listed }: ListedDataset & { readonly list: OpenList },
  request: DatasetRequest,
): Promise<void> {
  switch (request.kind) {
    case 'open': {
      const { dataset, number } = addressIn(listed, request.number)
      await openSample(dataset, number, request.as)
      break
    }
    case 'compare': {
      const [one, other] = request.numbers
      await compareAddresses(addressIn(listed, one), addressIn(listed, other))
      break
    }
    case 'showSource':
      await showSource(listed, request.number)
      break
    case 'change':
      await list.change(request.act)
      break
    case 'copyLine':
      await copyLine(list)
      break
    case 'chooseForm':
      await vscode.commands.executeCommand('openchatml.chooseForm', addressIn(listed, request.number).dataset)
      break
    default:
      request satisfies never
  }
}

/** The sample that has a number in the list. */
function addressIn({ uri, view }: ListedDataset, number: number): SampleAddress {
  if (!(view instanceof FolderDataset)) return { dataset: uri, number }
  const { address, number: own } = view.addressOf(number)
  return { dataset: address, number: own }
}

/** Opens a sample as a document, or as a preview. */
export async function openSample(
  dataset: vscode.Uri,
  number: number,
  as: 'text' | 'preview' = 'text',
): Promise<void> {
  await openSampleAt(sampleUri({ dataset, number }), as)
}

/** Opens the sample at `uri` as a document, or as a preview. */
export async function openSampleAt(uri: vscode.Uri, as: 'text' | 'preview'): Promise<void> {
  if (as === 'preview') await vscode.commands.executeCommand('openchatml.showPreview', uri)
  else await vscode.commands.executeCommand('vscode.open', uri)
}

/** Shows two samples of a dataset side by side. */
export async function compareSamples(
  dataset: vscode.Uri,
  [one, other]: readonly [number, number],
): Promise<void> {
  await compareAddresses({ dataset, number: one }, { dataset, number: other })
}

async function compareAddresses(one: SampleAddress, other: SampleAddress): Promise<void> {
  const [name, otherName] = [nameOf(one.dataset), nameOf(other.dataset)]
  const second = name === otherName ? String(other.number) : `${otherName}: ${other.number}`
  const title = `${name}: ${one.number} ↔ ${second}`
  await vscode.commands.executeCommand('vscode.diff', sampleUri(one), sampleUri(other), title)
}

/** A packed file is not text, so the JSON of a sample is shown on its own. */
async function showJson(dataset: Dataset, place: number): Promise<void> {
  const content = new TextDecoder().decode(await dataset.bytesOf(place))
  const document = await untitledDocument(content, 'json')
  await vscode.window.showTextDocument(document)
}

/** A sample that cannot be read is fixed in the text of its file. */
async function showSource(listed: ListedDataset, number: number): Promise<void> {
  try {
    const address = addressIn(listed, number)
    const dataset = listed.view instanceof FolderDataset ? listed.view.partOf(number) : listed.view
    const place = dataset.index.placeOf(address.number)
    if (dataset.isPacked) {
      if (place !== undefined) await showJson(dataset, place)
      return
    }
    const { line, character } =
      place === undefined ? { line: 0, character: 0 } : await dataset.positionOf(place)
    const selection = new vscode.Range(line, character, line, character)
    // Extensions get no documents of more than 50 MB; the editor opens larger ones.
    await vscode.commands.executeCommand('vscode.openWith', address.dataset, 'default', { selection })
  } catch (error) {
    const reason = reasonOf(error)
    void showError(vscode.l10n.t('The file cannot be opened as text: {0}', reason))
  }
}
