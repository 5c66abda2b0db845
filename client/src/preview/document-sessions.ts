/** The preview sessions of all documents that have a preview, fed from the editor's events. */
import * as vscode from 'vscode'
import { PreviewSession } from './session.ts'
import { parseVisible } from './visible-source.ts'

/** One frame: as often as a screen can show a change. */
const frame = 16

interface Shared {
  readonly session: PreviewSession
  users: number
}

/** Shares one session per document among its previews. */
export class DocumentSessions implements vscode.Disposable {
  readonly #sessions = new Map<string, Shared>()
  readonly #subscriptions: vscode.Disposable[]

  constructor() {
    this.#subscriptions = [
      vscode.workspace.onDidChangeTextDocument((event) => this.#follow(event)),
      vscode.workspace.onDidOpenTextDocument((document) => this.#renew(document)),
    ]
  }

  /** The session of `document`, until {@link release} is called for it. */
  acquire(document: vscode.TextDocument): PreviewSession {
    const uri = document.uri.toString()
    let shared = this.#sessions.get(uri)
    if (!shared) {
      shared = { session: new PreviewSession(document.getText(), parseVisible, inNextFrame), users: 0 }
      this.#sessions.set(uri, shared)
    } else if (lengthOf(document) !== shared.session.length) {
      shared.session.replace(document.getText())
    }
    shared.users++
    return shared.session
  }

  /** Takes one {@link acquire} back; the last one ends the session. */
  release(session: PreviewSession): void {
    for (const [uri, shared] of this.#sessions) {
      if (shared.session !== session) continue
      shared.users--
      if (shared.users > 0) return
      shared.session.dispose()
      this.#sessions.delete(uri)
    }
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose()
    for (const { session } of this.#sessions.values()) session.dispose()
    this.#sessions.clear()
  }

  #follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const session = this.#sessions.get(document.uri.toString())?.session
    if (!session) return
    // The editor lists changes from the end of the document to its start, so that none moves another.
    const changes = [...contentChanges]
      .sort((one, other) => other.rangeOffset - one.rangeOffset)
      .map(({ rangeOffset, rangeLength, text }) => ({ offset: rangeOffset, length: rangeLength, text }))
    const growth = changes.reduce((sum, { length, text }) => sum + text.length - length, 0)
    if (session.length + growth === lengthOf(document)) session.edit(changes)
    else session.replace(document.getText())
  }

  /** A document that was closed and is open again may have another text. */
  #renew(document: vscode.TextDocument): void {
    this.#sessions.get(document.uri.toString())?.session.replace(document.getText())
  }
}

function inNextFrame(task: () => void): () => void {
  const timer = setTimeout(task, frame)
  return () => clearTimeout(timer)
}

/** Length in UTF-16 code units, without building the text. */
function lengthOf(document: vscode.TextDocument): number {
  const lastLine = document.lineAt(document.lineCount - 1)
  return document.offsetAt(lastLine.range.end)
}
