/** One preview panel: the glue between VS Code's webview, the document it shows, and the page. */
import * as vscode from 'vscode'
import type { DocumentSessions } from './document-sessions.ts'
import { freshNonce, previewHtml } from './html.ts'
import { openLink } from './links.ts'
import { PageChannel, type PageRequest } from './page-channel.ts'
import { previewIcon } from './preview-icon.ts'
import { fromPage, type MessageLine, type PageState } from './protocol.ts'
import { ScrollOwner } from './scroll-owner.ts'
import type { PreviewSession } from './session.ts'

/** The type of preview panels, for `when` clauses and for panels that VS Code restores. */
export const previewViewType = 'openchatml.preview'

/** A panel that shows what a user would see of one document. */
export class PreviewPanel {
  readonly #panel: vscode.WebviewPanel
  readonly #documents: DocumentSessions
  readonly #channel: PageChannel
  readonly #owner = new ScrollOwner(() => performance.now())
  #uri: vscode.Uri
  #session: PreviewSession | undefined
  #stopListening: (() => void) | undefined
  #isLocked: boolean
  /** Counts the calls of {@link show}: what a slow one finds is dropped once another has begun. */
  #shows = 0

  constructor(
    panel: vscode.WebviewPanel,
    context: { readonly extensionUri: vscode.Uri; readonly documents: DocumentSessions },
    state: PageState,
  ) {
    this.#panel = panel
    this.#documents = context.documents
    this.#uri = vscode.Uri.parse(state.uri, true)
    this.#isLocked = state.isLocked
    this.#channel = new PageChannel(
      (message) => void panel.webview.postMessage(message),
      (request) => this.#answer(request),
    )
    this.#channel.setLocked(this.#isLocked)
    panel.iconPath = previewIcon
    this.#setTitle()
    panel.webview.onDidReceiveMessage((value: unknown) => {
      const message = fromPage(value)
      if (message) this.#channel.receive(message)
    })
    panel.onDidChangeViewState(() => {
      if (!panel.visible) this.#channel.sleep()
    })
    panel.webview.options = pageOptions(context.extensionUri)
    panel.webview.html = pageHtml(panel.webview, context.extensionUri)
  }

  /** The document that is shown. */
  get uri(): vscode.Uri {
    return this.#uri
  }

  /** The column of the panel; `undefined` while it is hidden in some layouts. */
  get column(): vscode.ViewColumn | undefined {
    return this.#panel.viewColumn
  }

  get isActive(): boolean {
    return this.#panel.active
  }

  /** True if the panel stays with its document when another editor becomes active. */
  get isLocked(): boolean {
    return this.#isLocked
  }

  setLocked(isLocked: boolean): void {
    this.#isLocked = isLocked
    this.#channel.setLocked(isLocked)
    this.#setTitle()
  }

  /** Brings the panel to the front. */
  reveal(options: { readonly preserveFocus: boolean }): void {
    this.#panel.reveal(undefined, options.preserveFocus)
  }

  /** Shows the document at `uri`; if it cannot be read, the page says so. */
  async show(uri: vscode.Uri, place?: { readonly index: number; readonly line: number }): Promise<void> {
    const show = ++this.#shows
    this.#uri = uri
    this.#setTitle()
    const document = await openDocument(uri)
    if (show !== this.#shows) return
    this.#leave()
    this.#session = document && this.#documents.acquire(document)
    this.#channel.open({ uri: uri.toString(), session: this.#session }, place)
    this.#stopListening = this.#session?.onChanged(() => this.markCursor())
    this.markCursor()
  }

  /** Reads the document again if it was closed meanwhile and may have changed unseen. */
  async refresh(): Promise<void> {
    if (isOpen(this.#uri)) return
    const document = await openDocument(this.#uri)
    if (document) this.#session?.replace(document.getText())
  }

  /** Marks the message that contains the cursor of an editor on the same document. */
  markCursor(editor = this.#editor()): void {
    const session = this.#session
    if (!session || !editor) return
    const offset = editor.document.offsetAt(editor.selection.active)
    this.#channel.mark(session.entryAt(offset)?.id)
  }

  /** The editor scrolled: the page follows, unless it is the page that leads. */
  followEditor(editor: vscode.TextEditor): void {
    const top = editor.visibleRanges[0]
    if (!top || !this.#session || !this.#owner.lead('editor')) return
    this.#channel.reveal(this.#session.placeOfLine(top.start.line))
  }

  /** Opens the document in an editor, at its start or at a line of a message. */
  async showSource(place?: MessageLine): Promise<void> {
    const editor = this.#editor()
    const line = place && this.#lineOf(place)
    const selection = line === undefined ? {} : { selection: new vscode.Range(line, 0, line, 0) }
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(this.#uri), {
      ...selection,
      viewColumn: editor?.viewColumn ?? vscode.ViewColumn.One,
    })
  }

  /** Closes the panel. */
  close(): void {
    this.#panel.dispose()
  }

  /** The panel is gone. */
  dispose(): void {
    this.#shows++
    this.#channel.dispose()
    this.#leave()
  }

  #answer(request: PageRequest): void {
    switch (request.kind) {
      case 'scrolled':
        this.#followPage(request)
        break
      case 'openSource':
        void this.showSource(request)
        break
      case 'openLink':
        void openLink(request.href)
        break
      case 'copy':
        void vscode.env.clipboard.writeText(request.text)
        break
      case 'setLocked':
        this.setLocked(request.isLocked)
        break
      default:
        request satisfies never
    }
  }

  #followPage(place: MessageLine): void {
    const line = this.#lineOf(place)
    const editor = this.#editor()
    if (line === undefined || !editor || !this.#owner.lead('page')) return
    editor.revealRange(new vscode.Range(line, 0, line, 0), vscode.TextEditorRevealType.AtTop)
  }

  #lineOf({ id, line }: MessageLine): number | undefined {
    const entry = this.#session?.entries.find((candidate) => candidate.id === id)
    return entry && Math.floor(this.#session?.lineOfPlace(entry, line) ?? 0)
  }

  #editor(): vscode.TextEditor | undefined {
    const uri = this.#uri.toString()
    const shows = (editor: vscode.TextEditor | undefined) => editor?.document.uri.toString() === uri
    const active = vscode.window.activeTextEditor
    return shows(active) ? active : vscode.window.visibleTextEditors.find(shows)
  }

  #leave(): void {
    this.#stopListening?.()
    this.#stopListening = undefined
    if (this.#session) this.#documents.release(this.#session)
    this.#session = undefined
  }

  #setTitle(): void {
    const name = this.#uri.path.split('/').at(-1) || this.#uri.path
    this.#panel.title = this.#isLocked ? `[Preview] ${name}` : `Preview ${name}`
  }
}

/** What a preview page may do: run its own script, and load nothing but its own files. */
export function pageOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return { enableScripts: true, enableForms: false, localResourceRoots: [pageRoot(extensionUri)] }
}

function pageRoot(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'webview')
}

function pageHtml(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const address = (file: string) =>
    webview.asWebviewUri(vscode.Uri.joinPath(pageRoot(extensionUri), file)).toString()
  return previewHtml({ nonce: freshNonce(), script: address('main.js'), style: address('main.css') })
}

function isOpen(uri: vscode.Uri): boolean {
  return vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString())
}

/** The document, or `undefined` if the editor cannot open it: it is gone, binary, or larger than extensions may see. */
async function openDocument(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri)
  } catch {
    return undefined // the page says that there is nothing to show
  }
}
