/** What the language status says of the active transcript: dialect, messages, problems, tokens, and which limits of VS Code it exceeds. */
import * as vscode from 'vscode'
import { type BaseLanguageClient, NotificationType, State } from 'vscode-languageclient'
import { openDocumentAt } from './document-in-editor.ts'

/** What the server reports about a document. */
interface DocumentStatus {
  readonly uri: string
  readonly dialect: string
  readonly messages: number
  readonly visibleMessages: number
  readonly problems: number
  readonly length: number
  readonly lines: number
  /** Undefined until they are counted, and where that is switched off. */
  readonly tokens?: number
}

const statusNotification = new NotificationType<DocumentStatus>('openchatml.status')
const selector: vscode.DocumentSelector = { language: 'openchatml' }

// Limits of VS Code, in bytes and lines: above the first, documents are not given to extensions;
// above the others, it neither colours nor folds by grammar unless `editor.largeFileOptimizations` is off.
const syncedBytes = 50 * 1024 * 1024
const colouredCharacters = 20 * 1024 * 1024
const colouredLines = 300_000

/** Keeps the language status up to date. */
export function registerStatus(context: vscode.ExtensionContext, client: BaseLanguageClient): void {
  const status = new Status(client)
  context.subscriptions.push(status)
}

class Status implements vscode.Disposable {
  readonly #client: BaseLanguageClient
  readonly #item = vscode.languages.createLanguageStatusItem('openchatml.status', selector)
  readonly #documents = new Map<string, DocumentStatus>()
  readonly #subscriptions: vscode.Disposable[]
  #limits: vscode.LanguageStatusItem | undefined

  constructor(client: BaseLanguageClient) {
    this.#client = client
    this.#item.name = 'OpenChatML'
    this.#subscriptions = [
      this.#item,
      client.onNotification(statusNotification, (status) => {
        this.#documents.set(status.uri, status)
        this.#update()
      }),
      client.onDidChangeState(() => this.#update()),
      vscode.window.onDidChangeActiveTextEditor(() => this.#update()),
      vscode.window.tabGroups.onDidChangeTabs(() => this.#update()),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#documents.delete(this.#keyOf(uri))),
    ]
    this.#update()
  }

  dispose(): void {
    this.#limits?.dispose()
    for (const subscription of this.#subscriptions) subscription.dispose()
  }

  #keyOf(uri: vscode.Uri): string {
    return this.#client.code2ProtocolConverter.asUri(uri)
  }

  #update(): void {
    const document = vscode.window.activeTextEditor?.document
    const status = document && this.#documents.get(this.#keyOf(document.uri))
    this.#updateItem(status)
    void this.#updateLimits(status)
  }

  #updateItem(status: DocumentStatus | undefined): void {
    const item = this.#item
    item.busy = this.#client.state === State.Starting
    if (this.#client.state === State.Stopped) {
      item.text = vscode.l10n.t('The language server is not running')
      item.detail = ''
      item.severity = vscode.LanguageStatusSeverity.Error
      item.command = { title: vscode.l10n.t('Restart'), command: 'openchatml.restartServer' }
      return
    }
    item.severity = vscode.LanguageStatusSeverity.Information
    item.text = status ? titleOf(status.dialect) : 'OpenChatML'
    item.detail = status ? detailOf(status) : ''
    item.accessibilityInformation = { label: [item.name, item.text, item.detail].filter(Boolean).join(', ') }
    item.command = {
      title: vscode.l10n.t('Set Dialect'),
      command: 'workbench.action.openSettings',
      arguments: ['openchatml.dialect'],
    }
  }

  async #updateLimits(status: DocumentStatus | undefined): Promise<void> {
    const limit = status ? limitOf(status) : await limitOfUnsynced()
    if (!limit) {
      this.#limits?.dispose()
      this.#limits = undefined
      return
    }
    this.#limits ??= vscode.languages.createLanguageStatusItem('openchatml.limits', selector)
    this.#limits.name = vscode.l10n.t('OpenChatML: large file')
    this.#limits.severity = vscode.LanguageStatusSeverity.Warning
    this.#limits.text = limit.text
    this.#limits.detail = limit.detail
    this.#limits.accessibilityInformation = { label: `${limit.text}. ${limit.detail}` }
  }
}

function titleOf(dialect: string): string {
  return dialect === 'harmony' ? 'Harmony' : `OpenChatML ${dialect}`
}

function detailOf({ messages, visibleMessages, problems, tokens }: DocumentStatus): string {
  const { t } = vscode.l10n
  const visible = number(visibleMessages)
  const parts = [
    messages === 1
      ? t('1 message, {0} visible', visible)
      : t('{0} messages, {1} visible', number(messages), visible),
  ]
  if (problems > 0) parts.push(problems === 1 ? t('1 problem') : t('{0} problems', number(problems)))
  if (tokens !== undefined) parts.push(tokens === 1 ? t('1 token') : t('{0} tokens', number(tokens)))
  return parts.join(' · ')
}

function number(count: number): string {
  return count.toLocaleString(vscode.env.language)
}

interface Limit {
  readonly text: string
  readonly detail: string
}

function limitOf({ length, lines }: DocumentStatus): Limit | undefined {
  if (length <= colouredCharacters && lines <= colouredLines) return undefined
  return {
    text: vscode.l10n.t('Large file: only semantic highlighting'),
    detail: vscode.l10n.t('VS Code does not highlight files above 20 MB or 300,000 lines by grammar'),
  }
}

/** The active tab may show a file that VS Code keeps from extensions. */
async function limitOfUnsynced(): Promise<Limit | undefined> {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input
  if (!(input instanceof vscode.TabInputText) || !input.uri.path.endsWith('.ocm')) return undefined
  if (openDocumentAt(input.uri)) return undefined // the server reports on it
  try {
    const { size } = await vscode.workspace.fs.stat(input.uri)
    if (size <= syncedBytes) return undefined
  } catch {
    return undefined // not a file, or not there any more: nothing to say about its size
  }
  return {
    text: vscode.l10n.t('File too large to be checked'),
    detail: vscode.l10n.t('VS Code does not share files above 50 MB with extensions; use `ocm check`'),
  }
}
