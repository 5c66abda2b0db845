/** What one preview panel shows while documents are opened slowly, one after the other. */
import assert from 'node:assert/strict'
import * as vscode from 'vscode'
import { parserForContext } from '../../../client/src/preview/context-source.ts'
import { DocumentSessions } from '../../../client/src/preview/document-sessions.ts'
import { parserForEverything } from '../../../client/src/preview/everything-source.ts'
import { type PanelContext, PreviewPanel } from '../../../client/src/preview/preview-panel.ts'
import type { FromPage, ToPage } from '../../../client/src/preview/preview-protocol.ts'
import { parseVisible } from '../../../client/src/preview/visible-source.ts'
import { eventually, nightly, test } from './harness.ts'
import { shown } from './untitled-documents.ts'

const scheme = 'slowly'

/** Documents that are opened when the test says so. */
class SlowDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #registered = vscode.workspace.registerTextDocumentContentProvider(scheme, this)
  readonly #waiting = new Map<string, Promise<void>>()

  provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const name = uri.path.slice(1)
    const text = `<|start|>system<|message|>HIDDEN-${name}<|end|>\n<|start|>user<|message|>SEEN-${name}<|end|>\n`
    return (this.#waiting.get(name) ?? Promise.resolve()).then(() => text)
  }

  /** From now on, `name` is not opened before the returned function is called. */
  hold(name: string): () => void {
    let release = () => {}
    this.#waiting.set(name, new Promise<void>((done) => (release = done)))
    return release
  }

  dispose(): void {
    this.#registered.dispose()
  }
}

function slowUri(name: string): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `/${name}` })
}

/** A panel without a page, and what it posted. */
function panelOf(uri: vscode.Uri, mayShowHidden = async () => true) {
  const posted: ToPage[] = []
  let say: (message: FromPage) => void = () => {}
  const nothing = { dispose() {} }
  const webview = {
    options: {},
    html: '',
    cspSource: '',
    asWebviewUri: (uri: vscode.Uri) => uri,
    onDidReceiveMessage: (listener: (message: FromPage) => void) => {
      say = listener
      return nothing
    },
    postMessage: async (message: ToPage) => {
      posted.push(message)
      if ('sequence' in message) say({ kind: 'applied', sequence: message.sequence })
      return true
    },
  }
  const page = {
    webview,
    title: '',
    visible: true,
    active: true,
    viewColumn: 1,
    onDidChangeViewState: () => nothing,
  }
  const documents = new DocumentSessions(parseVisible)
  const everythingDocuments = new DocumentSessions(
    parserForEverything({ problems: () => [], flags: () => [] }),
    { isShared: false },
  )
  const contextDocuments = new DocumentSessions(parserForContext(async (texts) => texts.map(() => 1)))
  const context = {
    extensionUri: vscode.Uri.file('/'),
    documents,
    everythingDocuments,
    contextDocuments,
    metadataOf: () => undefined,
    foundIn: () => undefined,
    onOther: () => undefined,
    mayShowHidden,
  } as unknown as PanelContext
  const state = { uri: uri.toString(), isLocked: false, index: 0, line: 0 }
  const panel = new PreviewPanel(page as unknown as vscode.WebviewPanel, context, state, { isEditor: false })
  say({ kind: 'ready', uri: '', index: 0, line: 0 })
  const dispose = () => {
    panel.dispose()
    documents.dispose()
    everythingDocuments.dispose()
    contextDocuments.dispose()
  }
  const send = (message: FromPage) => say(message)
  return { panel, documents, dispose, send, text: () => JSON.stringify(posted) }
}

test('hidden text of another document is not shown, however often it is opened', async () => {
  const documents = new SlowDocuments()
  const { panel, text, dispose } = panelOf(slowUri('first'))
  try {
    await panel.show(slowUri('first'))
    await panel.choose('everything')
    assert.match(text(), /HIDDEN-first/)
    const release = documents.hold('second')
    const shows = [panel.show(slowUri('second')), panel.show(slowUri('second'))]
    release()
    await Promise.all(shows)
    assert.equal(panel.view, 'user')
    assert.match(text(), /SEEN-second/)
    assert.doesNotMatch(text(), /HIDDEN-second/)
  } finally {
    dispose()
    documents.dispose()
  }
})

test('a Yes to hidden text of one document is none for another one that is being opened', async () => {
  const documents = new SlowDocuments()
  const answers = [true, false]
  const { panel, text, dispose } = panelOf(slowUri('agreed'), async () => answers.shift() ?? false)
  try {
    await panel.show(slowUri('agreed'))
    await panel.choose('context')
    assert.match(text(), /HIDDEN-agreed/)
    const release = documents.hold('refused')
    const shown = panel.show(slowUri('refused'))
    const chosen = panel.choose('everything')
    release()
    await Promise.all([shown, chosen])
    assert.equal(panel.view, 'user')
    assert.match(text(), /SEEN-refused/)
    assert.doesNotMatch(text(), /HIDDEN-refused/)
    assert.deepEqual(answers, [])
  } finally {
    dispose()
    documents.dispose()
  }
})

nightly('the text of a document that is read again does not take the place of another one', async () => {
  const slow = new SlowDocuments()
  const { panel, documents, dispose } = panelOf(slowUri('number'))
  try {
    await panel.show(slowUri('number'))
    // VS Code lets go of the documents that were opened first.
    for (let nth = 0; isOpen('number') && nth < 200; nth++)
      await vscode.workspace.openTextDocument(slowUri(`other-${nth}`))
    assert.ok(!isOpen('number'))
    const release = slow.hold('number')
    const refreshed = panel.refresh()
    await panel.show(slowUri('second'))
    release()
    await refreshed
    const session = documents.acquire(await vscode.workspace.openTextDocument(slowUri('second')))
    assert.match(JSON.stringify(session.entries.map(({ ref }) => ref.read())), /SEEN-second/)
  } finally {
    dispose()
    slow.dispose()
  }
})

test('what is typed into a message is saved when the panel is closed, or kept if it cannot be', async () => {
  const untitled = await shown('version: 2.2\n<|start|>user<|message|>Hello<|end|>\n')
  for (const [before, typed, saved] of [
    ['Hello', 'Hello there', 'Hello there'],
    ['another text', 'lost?', 'Hello there'],
    ['Hello there', undefined, 'Hello there'],
  ] as const) {
    const { panel, send, dispose, text } = panelOf(untitled.uri)
    await vscode.env.clipboard.writeText('')
    await panel.show(untitled.uri)
    const id = /"message":\{"id":"([^"]+)"/.exec(text())?.[1]
    assert.ok(id, text())
    send({ kind: 'keepDraft', id, before: 'Hello', text: 'is typed on' })
    send({ kind: 'keepDraft', id, before, ...(typed !== undefined && { text: typed }) })
    panel.dispose()
    await eventually(`${typed} is saved or kept`, async () => {
      const isSaved = untitled.getText().includes(`<|message|>${saved}<|end|>`)
      return isSaved && (typed !== 'lost?' || (await vscode.env.clipboard.readText()) === typed)
    })
    dispose()
  }
})

test('a page that asks for a document that was deleted causes no unhandled error', async () => {
  const uri = vscode.Uri.from({ scheme: 'nowhere', path: '/gone' })
  const { panel, send, dispose } = panelOf(uri)
  const rejections: unknown[] = []
  const hear = (reason: unknown) => rejections.push(reason)
  process.on('unhandledRejection', hear)
  try {
    await panel.show(uri)
    const places = [
      { kind: 'openSource', id: '1', line: 0 },
      { kind: 'openReply', id: '1' },
      { kind: 'openTrained', id: '1', offset: 0 },
      { kind: 'undo' },
      { kind: 'startReplay' },
    ] as const
    for (const it of places) send(it)
    await assert.rejects(async () => vscode.workspace.openTextDocument(uri)) // asked after them
    await new Promise((done) => setImmediate(done))
    assert.deepEqual(rejections, [])
  } finally {
    process.off('unhandledRejection', hear)
    dispose()
  }
})

function isOpen(name: string): boolean {
  const uri = slowUri(name).toString()
  return vscode.workspace.textDocuments.some((it) => it.uri.toString() === uri)
}
