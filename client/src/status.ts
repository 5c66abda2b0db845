/** What the language status says of the active transcript: dialect, messages, problems, and which limits of VS Code it exceeds. */
import * as vscode from 'vscode'
import { type BaseLanguageClient, NotificationType, State } from 'vscode-languageclient'

/** What the server tells of a document. */
interface DocumentStatus {
  readonly uri: string
  readonly dialect: string
  readonly messages: number
  readonly visibleMessages: number
  readonly problems: number
  readonly length: number
  readonly lines: number
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
      item.text = 'The language server is not running'
      item.detail = ''
      item.severity = vscode.LanguageStatusSeverity.Error
      item.command = { title: 'Restart', command: 'openchatml.restartServer' }
      return
    }
    item.severity = vscode.LanguageStatusSeverity.Information
    item.text = status ? titleOf(status.dialect) : 'OpenChatML'
    item.detail = status ? detailOf(status) : ''
    item.command = {
      title: 'Set Dialect',
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
    this.#limits.name = 'OpenChatML: large file'
    this.#limits.severity = vscode.LanguageStatusSeverity.Warning
    this.#limits.text = limit.text
    this.#limits.detail = limit.detail
  }
}

function titleOf(dialect: string): string {
  return dialect === 'harmony' ? 'Harmony' : `OpenChatML ${dialect}`
}

function detailOf({ messages, visibleMessages, problems }: DocumentStatus): string {
  const parts = [`${counted(messages, 'message')}, ${visibleMessages} visible`]
  if (problems > 0) parts.push(counted(problems, 'problem'))
  return parts.join(' · ')
}

function counted(count: number, thing: string): string {
  return `${count.toLocaleString()} ${thing}${count === 1 ? '' : 's'}`
}

interface Limit {
  readonly text: string
  readonly detail: string
}

function limitOf({ length, lines }: DocumentStatus): Limit | undefined {
  if (length <= colouredCharacters && lines <= colouredLines) return undefined
  return {
    text: 'Large file: coloured by meaning only',
    detail: 'VS Code colours no file by grammar above 20 MB or 300,000 lines',
  }
}

/** The active tab may show a file that VS Code keeps from extensions. */
async function limitOfUnsynced(): Promise<Limit | undefined> {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input
  if (!(input instanceof vscode.TabInputText) || !input.uri.path.endsWith('.ocm')) return undefined
  const isSynced = vscode.workspace.textDocuments.some(({ uri }) => uri.toString() === input.uri.toString())
  if (isSynced) return undefined
  try {
    const { size } = await vscode.workspace.fs.stat(input.uri)
    if (size <= syncedBytes) return undefined
  } catch {
    return undefined // not a file, or not there any more: nothing to say about its size
  }
  return {
    text: 'File too large to be checked',
    detail: 'VS Code gives no file above 50 MB to extensions; `ocm check` reads it',
  }
}
