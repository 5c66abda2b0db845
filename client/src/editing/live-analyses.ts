/** The analysis of open documents in the extension host, brought up to date by each change instead of read again. */
import * as vscode from 'vscode'
import { type Analysis, Document } from '../../../core/src/internal.ts'
import { dialectOf } from '../preview/document-sessions.ts'

interface Live {
  readonly document: Document
  version: number
}

/** Analyses of the documents that someone asked for, until they are closed. */
export class LiveAnalyses implements vscode.Disposable {
  readonly #live = new Map<vscode.TextDocument, Live>()
  readonly #subscriptions: readonly vscode.Disposable[]

  constructor() {
    this.#subscriptions = [
      vscode.workspace.onDidChangeTextDocument((event) => this.#follow(event)),
      vscode.workspace.onDidCloseTextDocument((document) => this.#live.delete(document)),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('openchatml.dialect')) this.#live.clear()
      }),
    ]
  }

  /** The analysis of `document` as it is now. */
  of(document: vscode.TextDocument): Analysis {
    const live = this.#live.get(document)
    if (live && live.version === document.version) return live.document.analysis
    const read = new Document(document.getText(), { dialect: dialectOf(document) })
    this.#live.set(document, { document: read, version: document.version })
    return read.analysis
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose()
    this.#live.clear()
  }

  #follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const live = this.#live.get(document)
    if (!live || live.version === document.version) return
    // The changes all refer to the text before them; from the end of the document to its start, none moves another.
    const edits = [...contentChanges]
      .sort((one, other) => other.rangeOffset - one.rangeOffset)
      .map(({ rangeOffset, rangeLength, text }) => ({
        start: rangeOffset,
        end: rangeOffset + rangeLength,
        text,
      }))
    const { transcript } = live.document
    if (edits.some(({ end }) => end > transcript.length)) {
      this.#live.delete(document) // a change was missed
      return
    }
    live.document.edit(edits)
    if (transcript.length === lengthOf(document)) live.version = document.version
    else this.#live.delete(document)
  }
}

/** Length in UTF-16 code units, without building the text. */
function lengthOf(document: vscode.TextDocument): number {
  return document.offsetAt(document.lineAt(document.lineCount - 1).range.end)
}
