/** Places in documents of VS Code. */
import * as vscode from 'vscode'
import type { Range } from '../../core/src/internal.ts'

/** What positions are of: a document of VS Code, or a transcript. */
interface Lines {
  positionAt(offset: number): { readonly line: number; readonly character: number }
}

/** `[start, end)` as lines and characters of `document`. */
export function rangeIn(document: Lines, { start, end }: Range): vscode.Range {
  const [from, to] = [document.positionAt(start), document.positionAt(end)]
  return new vscode.Range(from.line, from.character, to.line, to.character)
}
