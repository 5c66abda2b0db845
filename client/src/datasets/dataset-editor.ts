/** The editor of datasets: a list of samples, each of which opens as a document of its own. */
import * as vscode from 'vscode'
import { freshNonce } from '../preview/html.ts'
import type { ReadWorkspaceText } from '../workspace-files.ts'
import type { Dataset } from './dataset.ts'
import { datasetHtml } from './dataset-html.ts'
import type { DatasetLibrary } from './dataset-library.ts'
import { fromDatasetPage } from './dataset-protocol.ts'
import { DatasetSettings } from './dataset-settings.ts'
import { DatasetPageSession, type DatasetRequest } from './page-session.ts'
import type { CountTexts } from './row-source.ts'
import type { SampleFiles } from './sample-files.ts'
import { sampleUri } from './sample-uri.ts'

/** The type of the editor, as the manifest names it. */
export const datasetEditorType = 'openchatml.dataset'

/** What editors have in common. */
export interface DatasetEditorParts {
  readonly extensionUri: vscode.Uri
  readonly library: DatasetLibrary
  readonly files: SampleFiles
  readonly count: CountTexts
  readonly readText: ReadWorkspaceText
}

/** Opens datasets as lists. The list itself changes nothing, so there is nothing to save. */
export class DatasetEditors implements vscode.CustomReadonlyEditorProvider {
  readonly #parts: DatasetEditorParts

  constructor(parts: DatasetEditorParts) {
    this.#parts = parts
  }

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose() {} }
  }

  resolveCustomEditor({ uri }: vscode.CustomDocument, panel: vscode.WebviewPanel): void {
    const { library, files, count, readText } = this.#parts
    const { webview } = panel
    const root = vscode.Uri.joinPath(this.#parts.extensionUri, 'dist', 'webview')
    const settings = new DatasetSettings(uri, readText, () => session.judgeAgain())
    const dataset = library.use(uri, panel)
    const session = new DatasetPageSession(dataset, {
      name: uri.path.split('/').at(-1) ?? '',
      options: () => settings.options,
      count,
      post: (message) => void webview.postMessage(message),
      request: (request) => void answer({ uri, dataset }, request),
    })
    const subscriptions = [
      settings,
      webview.onDidReceiveMessage((value: unknown) => {
        const message = fromDatasetPage(value)
        if (message) session.receive(message)
      }),
      files.onDidSave(({ address, place }) => {
        if (address.dataset.toString() === uri.toString()) session.sampleChanged(place)
      }),
    ]
    panel.onDidDispose(() => {
      for (const subscription of subscriptions) subscription.dispose()
      session.dispose()
      library.release(uri, panel)
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

interface OpenDataset {
  readonly uri: vscode.Uri
  readonly dataset: Dataset
}

async function answer({ uri, dataset }: OpenDataset, request: DatasetRequest): Promise<void> {
  switch (request.kind) {
    case 'open':
      await openSample(uri, request.number, request.as)
      break
    case 'compare':
      await compareSamples(uri, request.numbers)
      break
    case 'showSource':
      await showSource({ uri, dataset }, request.number)
      break
    default:
      request satisfies never
  }
}

/** Opens a sample as a document, or as a preview. */
export async function openSample(
  dataset: vscode.Uri,
  number: number,
  as: 'text' | 'preview' = 'text',
): Promise<void> {
  const uri = sampleUri({ dataset, number })
  if (as === 'preview') await vscode.commands.executeCommand('openchatml.showPreview', uri)
  else await vscode.commands.executeCommand('vscode.open', uri)
}

/** Shows two samples side by side. */
export async function compareSamples(
  dataset: vscode.Uri,
  [one, other]: readonly [number, number],
): Promise<void> {
  const name = dataset.path.split('/').at(-1) ?? ''
  await vscode.commands.executeCommand(
    'vscode.diff',
    sampleUri({ dataset, number: one }),
    sampleUri({ dataset, number: other }),
    `${name}: ${one} ↔ ${other}`,
  )
}

/** What is packed is no text: the JSON of a sample is shown on its own. */
async function showJson(dataset: Dataset, place: number): Promise<void> {
  const content = new TextDecoder().decode(await dataset.bytesOf(place))
  const document = await vscode.workspace.openTextDocument({ language: 'json', content })
  await vscode.window.showTextDocument(document)
}

/** A sample that cannot be read is fixed in the text of its file. */
async function showSource({ uri, dataset }: OpenDataset, number: number): Promise<void> {
  try {
    const place = dataset.index.placeOf(number)
    if (dataset.isPacked) {
      if (place !== undefined) await showJson(dataset, place)
      return
    }
    const { line, character } =
      place === undefined ? { line: 0, character: 0 } : await dataset.positionOf(place)
    const selection = new vscode.Range(line, character, line, character)
    // Extensions get no documents of more than 50 MB; the editor opens larger ones.
    await vscode.commands.executeCommand('vscode.openWith', uri, 'default', { selection })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    void vscode.window.showErrorMessage(vscode.l10n.t('The file cannot be opened as text: {0}', reason))
  }
}
