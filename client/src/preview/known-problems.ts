/** What the editor knows to be wrong with its documents, for *Everything*. */
import * as vscode from 'vscode'
import type { PlacedProblem } from './everything-source.ts'

const severities = ['error', 'warning', 'information', 'hint'] as const

/** The problems of each document; the same list as long as they are the same. */
export class KnownProblems implements vscode.Disposable {
  readonly #known = new Map<string, readonly PlacedProblem[]>()
  readonly #subscription: vscode.Disposable

  /** @param onChanged called with the documents whose problems may have changed */
  constructor(onChanged: (uri: vscode.Uri) => void) {
    this.#subscription = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      for (const uri of uris) if (this.#known.delete(uri.toString())) onChanged(uri)
    })
  }

  /** The problems of the document at `uri` that this extension reported. */
  of(uri: vscode.Uri): readonly PlacedProblem[] {
    const key = uri.toString()
    const known = this.#known.get(key) ?? read(uri)
    this.#known.set(key, known)
    return known
  }

  dispose(): void {
    this.#subscription.dispose()
  }
}

function read(uri: vscode.Uri): readonly PlacedProblem[] {
  return vscode.languages
    .getDiagnostics(uri)
    .filter(({ source }) => source === 'openchatml')
    .map(({ range, severity, message }) => ({
      line: range.start.line,
      character: range.start.character,
      severity: severities[severity] ?? 'error',
      message,
    }))
}
