/** One preview panel: the glue between VS Code's webview, the document it shows, and the page. */

import * as vscode from 'vscode'
import {
  bodyEdit,
  editableText,
  type FoundTexts,
  localizable,
  localize,
  localized,
  type MessageCommand,
  messageEdit,
  type SampleMetadata,
  type VisibleMessage,
} from '../../../core/src/internal.ts'
import { openDocumentAt } from '../document-in-editor.ts'
import { rangeIn } from '../document-range.ts'
import { refusalText } from '../editing/message-commands.ts'
import { Turns } from '../in-turn.ts'
import { showInformation, showsText, showWarning } from '../notice.ts'
import type { TrainingChoices } from '../training/training-choices.ts'
import type { PromptEntry } from './context-source.ts'
import { contextView } from './context-view.ts'
import { analysisOf, type DocumentSessions } from './document-sessions.ts'
import type { EverythingEntry } from './everything-source.ts'
import { everythingView } from './everything-view.ts'
import { watchFile } from './file-watch.ts'
import { freshNonce, previewHtml } from './html.ts'
import { openLink } from './links.ts'
import { hasMath } from './math-setting.ts'
import { copyMessageAs, keepText, type MessageAction, notSaved } from './message-actions.ts'
import { hasPrivateText } from './message-group.ts'
import type { PageRequest } from './page-channel.ts'
import { replayView, visibleView } from './page-view.ts'
import { PanelContent } from './panel-content.ts'
import { previewIcon } from './preview-icon.ts'
import {
  type ContextMessage,
  type EverythingMessage,
  fromPage,
  type MessageLine,
  type PageMessage,
  type PagePlace,
  type PageState,
  type PreviewView,
  type ToPage,
  type TrainingMessage,
} from './preview-protocol.ts'
import { replayOf } from './replay-steps.ts'
import { ScrollOwner } from './scroll-owner.ts'
import { trainingPageView } from './training-page-view.ts'
import type { TrainingEntry } from './training-source.ts'

/** The type of preview panels, for `when` clauses and for panels that VS Code restores. */
export const previewViewType = 'openchatml.preview'

/** How often undoing is tried, and the time between, in milliseconds; there may also be nothing to undo. */
const mostUndoAttempts = 8
const undoPause = 60

/** The type of previews that are editors, as the manifest names it. */
export const previewEditorType = 'openchatml.previewEditor'

/** What panels have in common. */
export interface PanelContext {
  readonly extensionUri: vscode.Uri
  readonly documents: DocumentSessions<VisibleMessage>
  /** Separate from the others: what is hidden is nowhere but here. */
  readonly everythingDocuments: DocumentSessions<EverythingEntry>
  readonly contextDocuments: DocumentSessions<PromptEntry>
  readonly trainingDocuments: DocumentSessions<TrainingEntry>
  /** What the reader of a training view asks for. */
  readonly training: Pick<TrainingChoices, 'choose' | 'openTemplate' | 'point'>
  /** Asks whether hidden text may be shown, where that has to be asked. */
  readonly mayShowHidden: () => Promise<boolean>
  /** What a sample says besides its conversation; undefined for other documents. */
  readonly metadataOf: (uri: vscode.Uri) => SampleMetadata | undefined
  /** What the query of a list found in a sample; undefined for other documents. */
  readonly foundIn: (uri: vscode.Uri) => FoundTexts | undefined
  /** Called when a panel shows another document. */
  readonly onOther: () => void
}

/** What the title of a panel says of its view. */
const titles: Readonly<Record<PreviewView, string>> = {
  user: localizable`Preview`,
  everything: localizable`Everything`,
  context: localizable`Next Prompt`,
  training: localizable`Training`,
  replay: localizable`Replay`,
}

type Content =
  | PanelContent<VisibleMessage, PageMessage>
  | PanelContent<EverythingEntry, EverythingMessage>
  | PanelContent<PromptEntry, ContextMessage>
  | PanelContent<TrainingEntry, TrainingMessage>

/** A message that said `before` is to say `text`. */
interface MessageChange {
  readonly id: string
  readonly before: string
  readonly text: string
}

/** A panel that shows what a user would see of one document. */
export class PreviewPanel {
  readonly #panel: vscode.WebviewPanel
  readonly #context: PanelContext
  /** The content of the view. */
  #content: Content
  #view: PreviewView = 'user'
  /** True if the panel is an editor of its document, opened with Reopen With…: it never shows another one. */
  readonly isEditor: boolean
  readonly #owner = new ScrollOwner(() => performance.now())
  #uri: vscode.Uri
  /** The document of the content: another one than {@link uri} while that is being opened. */
  #shown: vscode.Uri
  #watch: vscode.Disposable
  #isLocked: boolean
  /** Counts the calls of {@link show}: what a slow one finds is dropped once another has begun. */
  #shows = 0
  /** The document is edited, edits are undone, and it is saved in the order of the keys, however fast they come. */
  readonly #changes = new Turns()
  /** What is typed into a message, and not saved yet. */
  #draft: MessageChange | undefined
  #isClosed = false

  constructor(
    panel: vscode.WebviewPanel,
    context: PanelContext,
    state: PageState,
    { isEditor }: { readonly isEditor: boolean },
  ) {
    this.#panel = panel
    this.#context = context
    this.isEditor = isEditor
    this.#uri = vscode.Uri.parse(state.uri, true)
    this.#shown = this.#uri
    this.#isLocked = state.isLocked
    this.#watch = this.#watched()
    this.#content = this.#contentOf(this.#view)
    panel.iconPath = previewIcon
    this.#setTitle()
    panel.webview.onDidReceiveMessage((value: unknown) => {
      const message = fromPage(value)
      if (message) this.#content.receive(message)
    })
    panel.onDidChangeViewState(() => {
      if (!panel.visible) this.#content.sleep()
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
    if (this.isEditor) return
    this.#isLocked = isLocked
    this.#content.setLocked(isLocked)
    this.#setTitle()
  }

  /** The query of a list found something else. */
  tellFound(): void {
    this.#content.tellFound()
  }

  /** Takes over what the reader set. */
  readSettings(): void {
    this.#content.setMath(hasMath(this.#uri))
  }

  /** What the panel shows. */
  get view(): PreviewView {
    return this.#view
  }

  /** Shows what the reader chose; asks before hidden text of a folder that is not trusted is shown. */
  async choose(view: PreviewView): Promise<void> {
    const uri = this.#uri
    // A reader who agreed to one view of hidden text of this document is not asked again for the other.
    const isAgreed = showsHidden(this.#view) && isSame(uri, this.#shown)
    if (showsHidden(view) && !isAgreed && !(await this.#context.mayShowHidden())) return
    if (isSame(uri, this.#uri)) await this.#setView(view) // the question was about this document
  }

  /** Shows a view; *Everything* with the messages of a group alone, if one was chosen. */
  async #chooseGroup({ view, group }: Extract<PageRequest, { kind: 'chooseView' }>): Promise<void> {
    await this.choose(view)
    if (group && this.#view === view) this.#post({ kind: 'everythingGroup', group })
  }

  /** Shows something else of the document, at the same place. It is kept nowhere: it ends with the panel and with its document. */
  async #setView(view: PreviewView): Promise<void> {
    if (this.#view === view) return
    const show = ++this.#shows
    const document = await openDocument(this.#uri)
    if (show !== this.#shows) return
    const offset = isSame(this.#shown, this.#uri) ? this.#content.offset : 0
    this.#use(view)
    this.#shown = this.#uri
    this.#content.takeOver(this.#uri, document, { offset, ...this.#optionsFor(this.#uri) })
    this.markCursor()
  }

  /** Replays what a user saw as it streamed, from the message at which the reader is. */
  async #startReplay(): Promise<void> {
    const document = await openDocument(this.#shown)
    if (!document || this.#view !== 'replay' || !isSame(document.uri, this.#shown)) return
    const analysis = analysisOf(document)
    this.#post({ kind: 'replay', replay: replayOf(analysis, this.#content.offset) })
  }

  /** Brings the panel to the front. */
  reveal(options: { readonly preserveFocus: boolean }): void {
    this.#panel.reveal(undefined, options.preserveFocus)
  }

  /** Shows the document at `uri`; if it cannot be read, the page says so. What is hidden of another document is not shown. */
  async show(uri: vscode.Uri, place?: PagePlace): Promise<void> {
    const show = ++this.#shows
    const isWatched = isSame(uri, this.#uri)
    this.#uri = uri
    if (!isWatched) {
      this.#context.onOther()
      this.#watch.dispose()
      this.#watch = this.#watched()
    }
    this.#setTitle()
    const document = await openDocument(uri)
    if (show !== this.#shows) return
    const isOther = !isSame(uri, this.#shown)
    this.#shown = uri
    const options = { place, ...this.#optionsFor(uri) }
    if (this.#view !== 'user' && isOther) {
      this.#use('user')
      this.#content.takeOver(uri, document, { offset: 0, ...this.#optionsFor(uri) })
    } else {
      this.#content.open(uri, document, options)
    }
    this.markCursor()
  }

  /** Reads the document again if it was closed meanwhile and may have changed unseen, or could not be read before. */
  async refresh(): Promise<void> {
    if (!this.#content.hasSession) {
      await this.show(this.#uri)
      return
    }
    const uri = this.#shown
    if (openDocumentAt(uri)) return
    const document = await openDocument(uri)
    // Another document may be shown by now, whose text this is not.
    if (document && isSame(uri, this.#shown)) this.#content.replace(document.getText())
  }

  /** Marks the message that contains the cursor of an editor on the same document. */
  markCursor(editor = this.#editor()): void {
    if (editor) this.#content.markAt(editor.document.offsetAt(editor.selection.active))
  }

  /** The editor scrolled: the page follows, unless it is the page that leads. */
  followEditor(editor: vscode.TextEditor): void {
    const [top] = editor.visibleRanges
    const last = editor.visibleRanges.at(-1)
    if (!top || !last || this.#owner.isAnswer(top.start.line, last.end.line)) return
    if (this.#content.hasSession && this.#owner.lead('editor')) this.#content.revealLine(top.start.line)
  }

  /** Opens the document in an editor, at its start or at a line of a message. */
  async showSource(place?: MessageLine): Promise<void> {
    await this.#showLine(place && this.#content.lineOf(place))
  }

  async #showLine(line: number | undefined): Promise<void> {
    const editor = this.#editor()
    const selection = line === undefined ? {} : { selection: new vscode.Range(line, 0, line, 0) }
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(this.#shown), {
      ...selection,
      viewColumn: editor?.viewColumn ?? vscode.ViewColumn.One,
    })
  }

  async #openOffset(offset: number | undefined): Promise<void> {
    const document = offset === undefined ? undefined : await openDocument(this.#shown)
    if (!document || offset === undefined) return
    const position = document.positionAt(offset)
    await vscode.window.showTextDocument(document, {
      selection: new vscode.Range(position, position),
      viewColumn: this.#editor()?.viewColumn ?? vscode.ViewColumn.One,
    })
  }

  /** Closes the panel. */
  close(): void {
    this.#panel.dispose()
  }

  /** The panel is gone. What was typed into a message is saved, as it is when the reader leaves its field. */
  dispose(): void {
    this.#isClosed = true
    this.#shows++
    this.#watch.dispose()
    const draft = this.#draft
    if (draft) void this.#changes.take(() => this.#editMessage(draft)).finally(() => this.#content.dispose())
    else this.#content.dispose()
  }

  #watched(): vscode.Disposable {
    return watchFile(this.#uri, () => void this.refresh())
  }

  #answer(request: PageRequest): void {
    switch (request.kind) {
      case 'scrolled':
        this.#followPage(request)
        break
      case 'openSource':
        showsText(this.showSource(request))
        break
      case 'editMessage':
        this.#draft = undefined
        void this.#changes.take(() => this.#editMessage(request))
        break
      case 'keepDraft':
        this.#draft = draftOf(request)
        break
      case 'undo':
      case 'redo':
        showsText(this.#changes.take(() => this.#undo(request.kind)))
        break
      case 'save':
        void this.#changes.take(() => this.#save())
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
      case 'startReplay':
        void this.#startReplay()
        break
      case 'chooseView':
        void this.#chooseGroup(request)
        break
      case 'openReply':
        showsText(this.#showLine(this.#content.lineOfReply(request.id)))
        break
      case 'chooseTraining':
        void this.#context.training.choose(request.name)
        break
      case 'openTemplate':
        showsText(this.#context.training.openTemplate())
        break
      case 'openTrained':
        showsText(this.#openOffset(this.#content.sourceOffset(request.id, request.offset)))
        break
      case 'pointTrained':
        void this.#context.training.point(this.#content.templateParts(request.id, request.offset))
        break
      case 'chooseGroups':
        this.#content.choose(request)
        break
      default:
        request satisfies never
    }
  }

  /** Writes the text into the document. What cannot be written stays with the reader: in its field, or on the clipboard. */
  async #editMessage({ id, before, text }: MessageChange): Promise<void> {
    const document = await openDocument(this.#shown)
    const offset = document && isSame(document.uri, this.#shown) ? this.#content.offsetOf(id) : undefined
    if (!document || offset === undefined) {
      await keepText(text)
      return
    }
    const analysis = analysisOf(document)
    const edit = bodyEdit(analysis, offset, { before, text })
    if (typeof edit === 'string') {
      const isEditable = editableText(analysis.transcript.segmentAt(offset).segment) !== undefined
      if (this.#isClosed || !isEditable) await keepText(text)
      else {
        this.#post({ kind: 'edit', id, text })
        void showWarning(notSaved(edit))
      }
      return
    }
    const change = new vscode.WorkspaceEdit()
    const range = rangeIn(document, edit)
    change.replace(document.uri, range, edit.text)
    await vscode.workspace.applyEdit(change)
  }

  /** VS Code undoes only in the editor that has the focus, which comes from a page a little later than the editor. */
  async #undo(command: 'undo' | 'redo'): Promise<void> {
    const document = await openDocument(this.#shown)
    if (!document) return
    const { version } = document
    const { viewColumn } = this.#panel
    if (!this.isEditor) await this.#showLine(undefined)
    const isThere = () =>
      this.isEditor ? this.#panel.active : vscode.window.activeTextEditor?.document === document
    // The reader may go to another editor meanwhile, which is heard of a little later: what is undone there is done again.
    let isElsewhere = false
    const watch = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document !== document && event.reason !== undefined) isElsewhere = true
    })
    for (let attempt = 0; attempt < mostUndoAttempts && document.version === version; attempt++) {
      if (attempt > 0) await new Promise((done) => setTimeout(done, undoPause))
      if (!isThere()) break
      await vscode.commands.executeCommand(command)
      if (!isElsewhere) continue
      await vscode.commands.executeCommand(command === 'undo' ? 'redo' : 'undo')
      break
    }
    watch.dispose()
    if (!this.isEditor && isThere()) this.#panel.reveal(viewColumn)
  }

  async #save(): Promise<void> {
    const document = await openDocument(this.#shown)
    if (document?.isDirty) await document.save()
  }

  /** True if the page shows the message with this id. */
  has(id: string): boolean {
    return this.#content.offsetOf(id) !== undefined
  }

  /** Does what the reader chose in the menu of a message. */
  async act(action: MessageAction, id: string): Promise<void> {
    const document = await openDocument(this.#shown)
    const offset = document && isSame(document.uri, this.#shown) ? this.#content.offsetOf(id) : undefined
    if (!document || offset === undefined) return
    switch (action) {
      case 'copyMessage':
        this.#post({ kind: 'copyMessage', id })
        break
      case 'copyAsJson':
      case 'copyAsHarmony':
        // What users see of a message is not all of it where there are private blocks.
        if (!showsHidden(this.#view) && hasPrivateText(analysisOf(document), offset))
          void showInformation(localize`This message has hidden text. Copy it in the view Everything.`)
        else await copyMessageAs(action === 'copyAsJson' ? 'json' : 'harmony', analysisOf(document), offset)
        break
      case 'goToSource':
        await this.showSource({ id, line: 0 })
        break
      case 'editMessage':
        this.#post({ kind: 'edit', id })
        break
      case 'hideLikeThis':
        if (this.#view === 'everything') this.#post({ kind: 'everythingHide', id })
        break
      default:
        await this.#change(document, offset, action)
    }
  }

  async #change(document: vscode.TextDocument, offset: number, command: MessageCommand): Promise<void> {
    // A card has a call and its reply.
    const joinsReplies = this.#view === 'everything'
    const found = messageEdit(analysisOf(document), offset, command, { joinsReplies })
    if (typeof found === 'string') {
      void showInformation(refusalText(found))
      return
    }
    const change = new vscode.WorkspaceEdit()
    for (const it of found.edits) change.replace(document.uri, rangeIn(document, it), it.text)
    const isInsertion = command === 'insertAbove' || command === 'insertBelow'
    if (!(await vscode.workspace.applyEdit(change)) || !isInsertion) return
    const inserted = this.#content.idAt(found.cursor)
    if (inserted !== undefined) this.#post({ kind: 'edit', id: inserted })
  }

  #followPage(place: MessageLine): void {
    const line = this.#content.lineOf(place)
    const editor = this.#editor()
    if (line === undefined || !editor || !this.#owner.lead('page')) return
    this.#owner.ask(line)
    editor.revealRange(new vscode.Range(line, 0, line, 0), vscode.TextEditorRevealType.AtTop)
  }

  #editor(): vscode.TextEditor | undefined {
    const uri = this.#uri.toString()
    const shows = (editor: vscode.TextEditor | undefined) => editor?.document.uri.toString() === uri
    const active = vscode.window.activeTextEditor
    return shows(active) ? active : vscode.window.visibleTextEditors.find(shows)
  }

  #use(view: PreviewView): void {
    this.#content.dispose()
    this.#view = view
    this.#content = this.#contentOf(view)
    this.#setTitle()
  }

  #contentOf(view: PreviewView): Content {
    const content = this.#freshContent(view)
    content.setLocked(this.#isLocked)
    content.setMath(hasMath(this.#uri))
    return content
  }

  #freshContent(view: PreviewView): Content {
    const { documents, everythingDocuments, contextDocuments, trainingDocuments } = this.#context
    switch (view) {
      case 'user':
        return new PanelContent(visibleView, documents, this.#post, this.#request)
      case 'everything':
        return new PanelContent(everythingView, everythingDocuments, this.#post, this.#request)
      case 'context':
        return new PanelContent(contextView, contextDocuments, this.#post, this.#request)
      case 'training':
        return new PanelContent(trainingPageView, trainingDocuments, this.#post, this.#request)
      case 'replay':
        return new PanelContent(replayView, documents, this.#post, this.#request)
      default:
        return view satisfies never
    }
  }

  #optionsFor(uri: vscode.Uri) {
    return {
      metadata: () => this.#context.metadataOf(uri),
      found: () => this.#context.foundIn(uri),
      onChanged: () => this.markCursor(),
    }
  }

  readonly #post = (message: ToPage): void => {
    void this.#panel.webview.postMessage(message)
  }

  readonly #request = (request: PageRequest): void => this.#answer(request)

  #setTitle(): void {
    const name = this.#uri.path.split('/').at(-1) || this.#uri.path
    const kind = localized(titles[this.#view])
    this.#panel.title = this.#isLocked && !this.isEditor ? `[${kind}] ${name}` : `${kind} ${name}`
  }
}

function draftOf({
  id,
  before,
  text,
}: Extract<PageRequest, { kind: 'keepDraft' }>): MessageChange | undefined {
  return text === undefined ? undefined : { id, before, text }
}

/** True for views that show text that users do not see. A view is taken for one unless it is known not to be. */
function showsHidden(view: PreviewView): boolean {
  return view !== 'user' && view !== 'replay'
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
  return previewHtml({
    nonce: freshNonce(),
    script: address('main.js'),
    style: address('main.css'),
    language: vscode.env.language,
    translations: vscode.l10n.bundle,
  })
}

function isSame(one: vscode.Uri, other: vscode.Uri): boolean {
  return one.toString() === other.toString()
}

/** The document, or `undefined` if the editor cannot open it: it is gone, binary, or larger than extensions may see. */
async function openDocument(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri)
  } catch {
    return undefined // the page says that there is nothing to show
  }
}
