/** The editor of datasets: a list of samples, each of which opens as a document of its own. */
import * as vscode from 'vscode'
import { dialectNames, intents, ruleSettingsFrom } from '../../../core/src/index.ts'
import { freshNonce } from '../preview/html.ts'
import { datasetHtml } from './dataset-html.ts'
import type { DatasetLibrary } from './dataset-library.ts'
import { DatasetPageSession, type DatasetRequest } from './page-session.ts'
import { fromDatasetPage } from './protocol.ts'
import type { CountTexts } from './row-source.ts'
import type { SampleFiles } from './sample-files.ts'
import { sampleUri } from './sample-uri.ts'
import type { SummaryOptions } from './summary.ts'

/** The type of the editor, as the manifest names it. */
export const datasetEditorType = 'openchatml.dataset'

/** What editors have in common. */
export interface DatasetEditorParts {
  readonly extensionUri: vscode.Uri
  readonly library: DatasetLibrary
  readonly files: SampleFiles
  readonly count: CountTexts
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
    const { library, files, count } = this.#parts
    const { webview } = panel
    const root = vscode.Uri.joinPath(this.#parts.extensionUri, 'dist', 'webview')
    const session = new DatasetPageSession(library.use(uri, panel), {
      name: uri.path.split('/').at(-1) ?? '',
      options: () => summaryOptions(uri),
      count,
      post: (message) => void webview.postMessage(message),
      request: (request) => void answer(uri, request),
    })
    const subscriptions = [
      webview.onDidReceiveMessage((value: unknown) => {
        const message = fromDatasetPage(value)
        if (message) session.receive(message)
      }),
      files.onDidSave(({ address, place }) => {
        if (address.dataset.toString() === uri.toString()) session.sampleChanged(place)
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('openchatml', uri)) session.judgeAgain()
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

async function answer(dataset: vscode.Uri, request: DatasetRequest): Promise<void> {
  switch (request.kind) {
    case 'open':
      await openSample(dataset, request.number, request.as)
      break
    case 'compare':
      await compareSamples(dataset, request.numbers)
      break
    case 'showSource':
      await showLine(dataset, request.number)
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

/** A sample that cannot be read is mended in the text of its file. */
async function showLine(dataset: vscode.Uri, number: number): Promise<void> {
  const line = Math.max(0, number - 1)
  try {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(dataset), {
      selection: new vscode.Range(line, 0, line, 0),
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    void vscode.window.showErrorMessage(vscode.l10n.t('The file cannot be opened as text: {0}', reason))
  }
}

/** How samples are judged: as transcripts in the same folder are by the settings of VS Code. */
function summaryOptions(uri: vscode.Uri): SummaryOptions {
  const configuration = vscode.workspace.getConfiguration('openchatml', { uri, languageId: 'openchatml' })
  const dialect = dialectNames.find((it) => it === configuration.get('dialect')) ?? 'auto'
  return {
    dialect,
    settings: [ruleSettingsFrom(configuration.get('rules'))],
    templates: configuration.get('templates') !== false,
    intent: intents.find(({ name }) => name === configuration.get('intent'))?.name,
  }
}
