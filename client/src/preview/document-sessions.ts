/** The preview sessions of all documents that have a preview, fed from the editor's events. */
import * as vscode from 'vscode'
import {
  type Analysis,
  type DialectName,
  Document,
  dialectNames,
  type ParseOptions,
} from '../../../core/src/internal.ts'
import { type Moment, moments } from '../moments.ts'
import { type MessageSource, PreviewSession } from './preview-session.ts'

/** Reads a document as messages; what finds out more later calls `touch`. */
type ParseDocument<Message> = (
  text: string,
  options: ParseOptions,
  touch: () => void,
  uri: vscode.Uri,
) => MessageSource<Message>

interface Shared<Message> {
  readonly uri: string
  readonly session: PreviewSession<Message>
  users: number
}

/** The sessions of documents: one for all previews of a document, or one for each. */
export class DocumentSessions<Message> implements vscode.Disposable {
  readonly #parse: ParseDocument<Message>
  readonly #isShared: boolean
  readonly #sessions = new Set<Shared<Message>>()
  readonly #subscriptions: vscode.Disposable[]

  /**
   * @param parse reads a document as messages
   * @param options `isShared` is false if each preview chooses its messages
   */
  constructor(parse: ParseDocument<Message>, { isShared = true } = {}) {
    this.#parse = parse
    this.#isShared = isShared
    this.#subscriptions = [
      vscode.workspace.onDidChangeTextDocument((event) => this.#follow(event)),
      vscode.workspace.onDidOpenTextDocument((document) => this.#renew(document)),
      vscode.workspace.onDidChangeConfiguration((event) => {
        for (const document of vscode.workspace.textDocuments) {
          if (event.affectsConfiguration('openchatml.dialect', document)) this.#renew(document)
        }
      }),
    ]
  }

  /** The session of `document`, until {@link release} is called for it. */
  acquire(document: vscode.TextDocument): PreviewSession<Message> {
    const uri = document.uri.toString()
    let shared = this.#isShared ? this.#of(uri)[0] : undefined
    if (!shared) {
      const parse = (text: string, touch: () => void) =>
        this.#parse(text, { dialect: dialectOf(document) }, touch, document.uri)
      shared = { uri, session: new PreviewSession(document.getText(), parse, later), users: 0 }
      this.#sessions.add(shared)
    } else if (lengthOf(document) !== shared.session.length) {
      shared.session.replace(document.getText())
    }
    shared.users++
    return shared.session
  }

  /** Takes one {@link acquire} back; the last one ends the session. */
  release(session: PreviewSession<Message>): void {
    for (const shared of this.#sessions) {
      if (shared.session !== session) continue
      shared.users--
      if (shared.users > 0) return
      shared.session.dispose()
      this.#sessions.delete(shared)
    }
  }

  /** What is said of the messages of the document at `uri` may have changed, although its text has not. */
  touch(uri: vscode.Uri): void {
    for (const { session } of this.#of(uri.toString())) session.touch()
  }

  /** Reads all documents again: what they are read with has changed. */
  renew(): void {
    for (const document of vscode.workspace.textDocuments) this.#renew(document)
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose()
    for (const { session } of this.#sessions) session.dispose()
    this.#sessions.clear()
  }

  #follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const sessions = this.#of(document.uri.toString())
    if (sessions.length === 0) return
    // The editor lists changes from the end of the document to its start, so that none moves another.
    const changes = [...contentChanges]
      .sort((one, other) => other.rangeOffset - one.rangeOffset)
      .map(({ rangeOffset, rangeLength, text }) => ({ offset: rangeOffset, length: rangeLength, text }))
    const growth = changes.reduce((sum, { length, text }) => sum + text.length - length, 0)
    for (const { session } of sessions) {
      if (session.length + growth === lengthOf(document)) session.edit(changes)
      else session.replace(document.getText())
    }
  }

  /** A document that was closed and is open again may have another text. */
  #renew(document: vscode.TextDocument): void {
    for (const { session } of this.#of(document.uri.toString())) session.replace(document.getText())
  }

  #of(uri: string): Shared<Message>[] {
    return [...this.#sessions].filter((it) => it.uri === uri)
  }
}

/** The dialect that the user forces for a document. */
export function dialectOf(document: vscode.TextDocument): DialectName | 'auto' {
  const value = vscode.workspace.getConfiguration('openchatml', document).get('dialect')
  return dialectNames.find((name) => name === value) ?? 'auto'
}

/** What `document` means, read as it is now. */
export function analysisOf(document: vscode.TextDocument): Analysis {
  return new Document(document.getText(), { dialect: dialectOf(document) }).analysis
}

function later(task: () => void, moment: Moment): () => void {
  const timer = setTimeout(task, moments[moment])
  return () => clearTimeout(timer)
}

/** Length in UTF-16 code units, without building the text. */
function lengthOf(document: vscode.TextDocument): number {
  const lastLine = document.lineAt(document.lineCount - 1)
  return document.offsetAt(lastLine.range.end)
}
