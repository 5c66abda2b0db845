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
import { type MessageSource, PreviewSession } from './session.ts'

/** Reads a document as messages; what finds out more later calls `touch`. */
type ParseDocument<Message> = (
  text: string,
  options: ParseOptions,
  touch: () => void,
) => MessageSource<Message>

interface Shared<Message> {
  readonly session: PreviewSession<Message>
  users: number
}

/** Shares one session per document among its previews. */
export class DocumentSessions<Message> implements vscode.Disposable {
  readonly #parse: ParseDocument<Message>
  readonly #sessions = new Map<string, Shared<Message>>()
  readonly #subscriptions: vscode.Disposable[]

  /** @param parse reads a document as messages */
  constructor(parse: ParseDocument<Message>) {
    this.#parse = parse
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
    let shared = this.#sessions.get(uri)
    if (!shared) {
      const parse = (text: string, touch: () => void) =>
        this.#parse(text, { dialect: dialectOf(document) }, touch)
      shared = { session: new PreviewSession(document.getText(), parse, later), users: 0 }
      this.#sessions.set(uri, shared)
    } else if (lengthOf(document) !== shared.session.length) {
      shared.session.replace(document.getText())
    }
    shared.users++
    return shared.session
  }

  /** Takes one {@link acquire} back; the last one ends the session. */
  release(session: PreviewSession<Message>): void {
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
