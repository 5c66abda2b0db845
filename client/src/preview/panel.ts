/** The preview's commands, and all its panels: which one to reuse, which ones follow the editor, which ones VS Code restores. */

import * as vscode from 'vscode'
import type { FoundTexts, SampleMetadata, VisibleMessage } from '../../../core/src/internal.ts'
import { localize } from '../../../core/src/internal.ts'
import { activeUri, askedDocument, registerFocusedPreview } from '../asked-document.ts'
import { openDocumentAt } from '../document-in-editor.ts'
import { showInformation } from '../notice.ts'
import type { TrainingChoices } from '../training/training-choices.ts'
import type { WriteOnDisk } from '../write-file.ts'
import { compareWithCommit, VisibleTexts } from './compare.ts'
import { type CountTexts, type PromptEntry, parserForContext } from './context-source.ts'
import { DocumentSessions } from './document-sessions.ts'
import { type EverythingEntry, parserForEverything } from './everything-source.ts'
import { type ExportRequest, exportConversation } from './export.ts'
import { mayShowHidden } from './hidden-consent.ts'
import { KnownProblems } from './known-problems.ts'
import { onMathChanged } from './math-setting.ts'
import { messageActions, messageOfMenu } from './message-actions.ts'
import { PreviewPanel, pageOptions, previewEditorType, previewViewType } from './preview-panel.ts'
import { type PageState, type PreviewView, pageState, previewViews } from './preview-protocol.ts'
import { parserForTraining, type TrainingEntry } from './training-source.ts'
import { parseVisible } from './visible-source.ts'

const languageId = 'openchatml'

/** What previews need of others. */
export interface PreviewOptions {
  /** Counts tokens, for the context view. */
  readonly count: CountTexts
  /** What a sample says besides its conversation; undefined for other documents. */
  readonly metadataOf: (uri: vscode.Uri) => SampleMetadata | undefined
  /** What training views are rendered by. */
  readonly training: TrainingChoices
  /** What the query of a list found in a sample; undefined for other documents. */
  readonly foundIn: (uri: vscode.Uri) => FoundTexts | undefined
  /** Fires when that may be something else. */
  readonly onFoundChanged: vscode.Event<void>
  /** Writes exported files; absent in browsers. */
  readonly writeOnDisk?: WriteOnDisk | undefined
}

/**
 * Adds the preview to the editor: the commands `openchatml.showPreview`, `openchatml.showPreviewToSide`,
 * `openchatml.showSource`, `openchatml.togglePreviewLock`, `openchatml.show.…` for each view, `openchatml.exportConversation` and `openchatml.compareVisibleText`, panels that come back after a reload, and the preview
 * as an editor (Reopen With…).
 *
 */
export function registerPreview(context: vscode.ExtensionContext, options: PreviewOptions): void {
  const previews = new Previews(context.extensionUri, options)
  registerFocusedPreview(() => previews.focused?.uri)
  context.subscriptions.push(
    previews,
    vscode.commands.registerCommand('openchatml.showPreview', (uri?: unknown) =>
      previews.show(uri, { toSide: false }),
    ),
    vscode.commands.registerCommand('openchatml.showPreviewToSide', (uri?: unknown) =>
      previews.show(uri, { toSide: true }),
    ),
    vscode.commands.registerCommand('openchatml.showSource', () => previews.active?.showSource()),
    vscode.commands.registerCommand('openchatml.togglePreviewLock', () => {
      const { active } = previews
      active?.setLocked(!active.isLocked)
    }),
    ...previewViews.map((view) =>
      vscode.commands.registerCommand(`openchatml.show.${view}`, (uri?: unknown) =>
        previews.showView(uri, view),
      ),
    ),
    vscode.commands.registerCommand(
      'openchatml.exportConversation',
      async (target?: unknown, request?: ExportRequest) => {
        const document = await askedDocument(target)
        return document && exportConversation(document, request, options.writeOnDisk)
      },
    ),
    vscode.commands.registerCommand('openchatml.compareVisibleText', async (target?: unknown) => {
      const document = await askedDocument(target)
      if (document) await compareWithCommit(document)
    }),
    ...messageActions.map((action) =>
      vscode.commands.registerCommand(`openchatml.preview.${action}`, async (menu: unknown) => {
        const id = messageOfMenu(menu)
        if (id !== undefined) await previews.panelOf(id)?.act(action, id)
      }),
    ),
    new VisibleTexts(),
    vscode.window.registerCustomEditorProvider(previewEditorType, {
      resolveCustomTextEditor: (document, panel) => previews.edit(document, panel),
    }),
    vscode.window.registerWebviewPanelSerializer(previewViewType, {
      deserializeWebviewPanel: (panel, state) => previews.restore(panel, state),
    }),
  )
}

const noFlags: SampleMetadata['allFlags'] = []

/** All open preview panels. */
class Previews implements vscode.Disposable {
  readonly #extensionUri: vscode.Uri
  readonly #metadataOf: PreviewOptions['metadataOf']
  readonly #foundIn: PreviewOptions['foundIn']
  readonly #documents = new DocumentSessions<VisibleMessage>(parseVisible)
  readonly #problems = new KnownProblems((uri) => this.#everythingDocuments.touch(uri))
  readonly #everythingDocuments = new DocumentSessions<EverythingEntry>(
    (text, options, _, uri) =>
      parserForEverything({
        problems: () => this.#problems.of(uri),
        flags: () => this.#metadataOf(uri)?.allFlags ?? noFlags,
      })(text, options),
    { isShared: false },
  )
  readonly #contextDocuments: DocumentSessions<PromptEntry>
  readonly #training: TrainingChoices
  readonly #trainingDocuments: DocumentSessions<TrainingEntry>
  readonly #panels = new Set<PreviewPanel>()
  readonly #subscriptions: vscode.Disposable[]

  constructor(
    extensionUri: vscode.Uri,
    { count, metadataOf, training, foundIn, onFoundChanged }: PreviewOptions,
  ) {
    this.#extensionUri = extensionUri
    this.#metadataOf = metadataOf
    this.#foundIn = foundIn
    this.#contextDocuments = new DocumentSessions(parserForContext(count))
    this.#training = training
    this.#trainingDocuments = new DocumentSessions(parserForTraining(training))
    this.#subscriptions = [
      this.#documents,
      this.#problems,
      this.#everythingDocuments,
      this.#contextDocuments,
      this.#trainingDocuments,
      training.onChanged(() => this.#trainingDocuments.renew()),
      vscode.window.onDidChangeActiveTextEditor((editor) => this.#followActive(editor)),
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => {
        for (const panel of this.#of(textEditor.document.uri)) panel.followEditor(textEditor)
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        for (const panel of this.#of(textEditor.document.uri)) panel.markCursor(textEditor)
      }),
      onFoundChanged(() => {
        for (const panel of this.#panels) panel.tellFound()
      }),
      onMathChanged(() => {
        for (const panel of this.#panels) panel.readSettings()
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#closed(uri)),
      vscode.workspace.onDidDeleteFiles(({ files }) => {
        for (const uri of files) for (const panel of this.#of(uri)) panel.close()
      }),
      vscode.workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) for (const panel of this.#of(oldUri)) void panel.show(newUri)
      }),
    ]
  }

  /** The panel that has the focus, or the only one there is. */
  get active(): PreviewPanel | undefined {
    return this.focused ?? (this.#panels.size === 1 ? [...this.#panels][0] : undefined)
  }

  /** The panel that has the focus. */
  get focused(): PreviewPanel | undefined {
    return [...this.#panels].find((panel) => panel.isActive)
  }

  /** The panel whose page shows the message with this id. */
  panelOf(id: string): PreviewPanel | undefined {
    return [...this.#panels].find((panel) => panel.has(id))
  }

  /** Shows the document at `target`, or the active one, in a panel that may be reused or in a new one. */
  async show(target: unknown, options: { readonly toSide: boolean }): Promise<PreviewPanel | undefined> {
    const uri = target instanceof vscode.Uri ? target : activeUri()
    if (!uri) {
      void showInformation(localize`Open a transcript first, then its preview.`)
      return undefined
    }
    const reusable = this.#reusable(uri, options)
    if (reusable) {
      reusable.reveal({ preserveFocus: options.toSide })
      if (reusable.uri.toString() !== uri.toString()) await reusable.show(uri)
      return reusable
    }
    const webviewPanel = vscode.window.createWebviewPanel(
      previewViewType,
      localize`Preview`,
      {
        viewColumn: options.toSide ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active,
        preserveFocus: options.toSide,
      },
      pageOptions(this.#extensionUri),
    )
    return this.#adopt(webviewPanel, { uri: uri.toString(), isLocked: false, index: 0, line: 0 })
  }

  /** Takes over a panel that VS Code kept over a reload. */
  async restore(webviewPanel: vscode.WebviewPanel, value: unknown): Promise<void> {
    const state = pageState(value)
    if (state) await this.#adopt(webviewPanel, state)
    else webviewPanel.dispose()
  }

  /** Makes a panel that VS Code opened as an editor of `document` a preview. */
  async edit(document: vscode.TextDocument, webviewPanel: vscode.WebviewPanel): Promise<void> {
    const state = { uri: document.uri.toString(), isLocked: true, index: 0, line: 0 }
    await this.#adopt(webviewPanel, state, { isEditor: true })
  }

  /** Shows a view of the transcript at `target`, of the preview that has the focus, or of the active editor. */
  async showView(target: unknown, view: PreviewView): Promise<void> {
    const isTranscript = vscode.window.activeTextEditor?.document.languageId === languageId
    const here = target instanceof vscode.Uri || isTranscript ? this.focused : this.active
    const panel = here ?? (await this.show(target, { toSide: true }))
    await panel?.choose(view)
  }

  dispose(): void {
    for (const panel of [...this.#panels]) panel.close()
    for (const subscription of this.#subscriptions) subscription.dispose()
  }

  async #adopt(
    webviewPanel: vscode.WebviewPanel,
    state: PageState,
    options = { isEditor: false },
  ): Promise<PreviewPanel> {
    const panel = new PreviewPanel(
      webviewPanel,
      {
        extensionUri: this.#extensionUri,
        documents: this.#documents,
        everythingDocuments: this.#everythingDocuments,
        contextDocuments: this.#contextDocuments,
        trainingDocuments: this.#trainingDocuments,
        training: this.#training,
        metadataOf: this.#metadataOf,
        foundIn: this.#foundIn,
        mayShowHidden,
        onOther: () => this.#tellMenus(),
      },
      state,
      options,
    )
    this.#panels.add(panel)
    webviewPanel.onDidDispose(() => {
      this.#panels.delete(panel)
      panel.dispose()
      this.#tellMenus()
    })
    webviewPanel.onDidChangeViewState(() => {
      this.#tellMenus()
      if (webviewPanel.visible) void panel.refresh()
    })
    this.#tellMenus()
    await panel.show(panel.uri, state)
    return panel
  }

  /** Menus offer what fits the document of the preview that has the focus, as they do in its editor. */
  #tellMenus(): void {
    const scheme = this.focused?.uri.scheme
    void vscode.commands.executeCommand('setContext', 'openchatml.previewScheme', scheme)
  }

  /** A panel that shows `uri` already, or one that follows the editor and may show it. */
  #reusable(uri: vscode.Uri, { toSide }: { readonly toSide: boolean }): PreviewPanel | undefined {
    const column = vscode.window.tabGroups.activeTabGroup.viewColumn
    const fits = (panel: PreviewPanel) => !panel.isEditor && (panel.column === column) !== toSide
    const candidates = [...this.#panels].filter(fits)
    return (
      candidates.find((panel) => panel.uri.toString() === uri.toString()) ??
      candidates.find((panel) => !panel.isLocked)
    )
  }

  #followActive(editor: vscode.TextEditor | undefined): void {
    if (editor?.document.languageId !== languageId) return
    const { uri } = editor.document
    for (const panel of this.#panels) {
      if (panel.uri.toString() === uri.toString()) panel.markCursor(editor)
      else if (!panel.isLocked) void panel.show(uri)
    }
  }

  /** What was never saved is gone with its editor. A file stays: its preview shows it as it was last seen. */
  #closed(uri: vscode.Uri): void {
    if (uri.scheme !== 'untitled') return
    // A change of language closes a document and opens it again in the same turn.
    setTimeout(() => {
      if (!openDocumentAt(uri)) for (const panel of this.#of(uri)) panel.close()
    }, 0)
  }

  /** The panels that show the document at `uri`. */
  #of(uri: vscode.Uri): PreviewPanel[] {
    return [...this.#panels].filter((panel) => panel.uri.toString() === uri.toString())
  }
}
