/** What a model would be sent next, as a document that cannot be edited and follows the transcript. */
import * as vscode from 'vscode'
import { ConversionError, type RenderPurpose } from '../../../core/src/internal.ts'
import { askedDocument } from '../asked-document.ts'
import { Pauses } from '../pauses.ts'
import { convertedDocument } from './converted.ts'
import { tellLosses } from './losses.ts'

const scheme = 'openchatml-prompt'
const purposes: readonly RenderPurpose[] = ['completion', 'history', 'training']
const pause = 200 // milliseconds without typing: the whole transcript is converted

/** Registers `openchatml.showNextPrompt`; programs may pass a document and a purpose. */
export function registerNextPrompt(context: vscode.ExtensionContext): void {
  const prompts = new Prompts()
  context.subscriptions.push(
    prompts,
    vscode.workspace.registerTextDocumentContentProvider(scheme, prompts),
    vscode.commands.registerCommand('openchatml.showNextPrompt', show),
  )
}

async function show(target?: unknown, asked?: unknown): Promise<vscode.Uri | undefined> {
  const document = await askedDocument(target)
  const purpose = document && (purposes.find((it) => it === asked) ?? (await picked()))
  if (!document || !purpose) return undefined
  const uri = promptUri(document.uri, purpose)
  const shown = await vscode.workspace.openTextDocument(uri)
  await vscode.window.showTextDocument(shown, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true })
  tellLosses(conversionFor(document, purpose).losses, document)
  return uri
}

async function picked(): Promise<RenderPurpose | undefined> {
  const { t } = vscode.l10n
  const details: Readonly<Record<RenderPurpose, readonly [label: string, detail: string]>> = {
    completion: [t('Next message'), t('Without spent reasoning, up to where the model continues')],
    history: [t('History'), t('The same without the beginning of the next message')],
    training: [
      t('Training on the last answer'),
      t('With the reasoning that leads to it, up to its stop token'),
    ],
  }
  const items = purposes.map((purpose) => {
    const [label, detail] = details[purpose]
    return { label, detail, purpose }
  })
  return (await vscode.window.showQuickPick(items, { title: t('What the model is sent next') }))?.purpose
}

function promptUri(source: vscode.Uri, purpose: RenderPurpose): vscode.Uri {
  const name = source.path.split('/').at(-1) || source.path
  const path = `/${name.replace(/\.ocm$/, '')} → ${purpose}.ocm`
  return vscode.Uri.from({ scheme, path, query: JSON.stringify([source.toString(), purpose]) })
}

function sourceOf({ query }: vscode.Uri): readonly [source: vscode.Uri, purpose: RenderPurpose] | undefined {
  const [source, asked]: unknown[] = JSON.parse(query)
  const purpose = purposes.find((it) => it === asked)
  return typeof source === 'string' && purpose ? [vscode.Uri.parse(source, true), purpose] : undefined
}

function conversionFor(document: vscode.TextDocument, purpose: RenderPurpose) {
  try {
    return convertedDocument(document, { to: 'harmony', purpose })
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error
    return { text: `${error.message}\n`, losses: [] } // while the user types, a message would be in the way
  }
}

/** The prompts that are shown. */
class Prompts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>()
  readonly onDidChange = this.#changed.event
  readonly #pauses = new Pauses<string>(pause)
  readonly #following: vscode.Disposable

  constructor() {
    this.#following = vscode.workspace.onDidChangeTextDocument(({ document: { uri } }) => this.#follow(uri))
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const [source, purpose] = sourceOf(uri) ?? []
    if (!source || !purpose) return ''
    return conversionFor(await vscode.workspace.openTextDocument(source), purpose).text
  }

  dispose(): void {
    this.#following.dispose()
    this.#pauses.dispose()
    this.#changed.dispose()
  }

  #follow(changed: vscode.Uri): void {
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme !== scheme || sourceOf(uri)?.[0].toString() !== changed.toString()) continue
      this.#pauses.after(uri.toString(), () => this.#changed.fire(uri))
    }
  }
}
