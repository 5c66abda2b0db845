/** Holds back the problems of a text that is being typed until the cursor leaves it, or nothing is typed for a second. */
import * as vscode from 'vscode'
import { moments } from './moments.ts'

/** The last edit at the cursor, until it is no longer being typed. */
interface Typed {
  readonly range: vscode.Range
  readonly end: () => void
  readonly ended: Promise<void>
}

/** Knows which documents are being typed in. */
export class TypingPause implements vscode.Disposable {
  readonly #typed = new Map<vscode.TextDocument, Typed>()
  readonly #subscriptions: readonly vscode.Disposable[]

  constructor() {
    this.#subscriptions = [
      vscode.workspace.onDidChangeTextDocument((event) => this.#follow(event)),
      vscode.workspace.onDidCloseTextDocument((document) => this.#end(document)),
      vscode.workspace.onDidSaveTextDocument((document) => this.#end(document)),
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        for (const document of this.#typed.keys()) if (document !== editor?.document) this.#end(document)
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections }) => {
        const typed = this.#typed.get(textEditor.document)
        if (typed && !selections.some(({ active }) => typed.range.contains(active)))
          this.#end(textEditor.document)
      }),
    ]
  }

  /**
   * Resolves when `document` is not being typed in.
   *
   * @throws vscode.CancellationError if `token` is canceled before: its problems are asked for again after the next edit
   */
  async over(document: vscode.TextDocument, token: vscode.CancellationToken): Promise<void> {
    for (let typed = this.#typed.get(document); typed; typed = this.#typed.get(document)) {
      let cancellation: vscode.Disposable | undefined
      const canceled = new Promise<void>((done) => {
        cancellation = token.onCancellationRequested(() => done())
      })
      await Promise.race([typed.ended, canceled])
      cancellation?.dispose()
      if (token.isCancellationRequested) throw new vscode.CancellationError()
    }
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose()
    for (const document of [...this.#typed.keys()]) this.#end(document)
  }

  #follow({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent): void {
    if (document.languageId !== 'openchatml' || contentChanges.length === 0) return
    const before = this.#typed.get(document)?.range.end
    this.#end(document)
    const editor = vscode.window.activeTextEditor
    if (reason !== undefined || editor?.document !== document) return
    // The cursor is still where it was before the edit, or before the first of several characters that arrive at once, as from an
    // input method: what a command changes elsewhere is not typed.
    const { active } = editor.selection
    const change = contentChanges.find(
      ({ range }) => range.contains(active) || (before && range.contains(before)),
    )
    if (!change) return
    const range = new vscode.Range(
      change.range.start,
      document.positionAt(change.rangeOffset + change.text.length),
    )
    let resolve = () => {}
    const ended = new Promise<void>((done) => {
      resolve = done
    })
    const timer = setTimeout(() => this.#end(document), moments.idle)
    this.#typed.set(document, {
      range,
      ended,
      end: () => {
        clearTimeout(timer)
        resolve()
      },
    })
  }

  #end(document: vscode.TextDocument): void {
    const typed = this.#typed.get(document)
    this.#typed.delete(document)
    typed?.end()
  }
}
