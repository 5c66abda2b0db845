/** Closes a literal block whose beginning was just typed, and leaves the cursor in it. */
import * as vscode from 'vscode'
import { literalEndAt } from '../../../core/src/internal.ts'
import type { LiveAnalyses } from './live-analyses.ts'

/** Watches what is typed, as `editor.autoClosingBrackets` allows. */
export function registerCloseLiteral(context: vscode.ExtensionContext, analyses: LiveAnalyses): void {
  context.subscriptions.push(vscode.workspace.onDidChangeTextDocument((event) => void close(event, analyses)))
}

async function close(
  { document, contentChanges, reason }: vscode.TextDocumentChangeEvent,
  analyses: LiveAnalyses,
): Promise<void> {
  const [change, ...others] = contentChanges
  const editor = vscode.window.activeTextEditor
  // Only what a person types: one character at one place, neither undone nor redone.
  if (!change || others.length > 0 || change.text !== '>' || reason !== undefined) return
  if (editor?.document !== document || document.languageId !== 'openchatml') return
  const setting = vscode.workspace.getConfiguration('editor', document).get('autoClosingBrackets')
  if (setting === 'never' || editor.selections.length > 1) return
  const end = literalEndAt(analyses.of(document), change.rangeOffset + 1)
  if (end === undefined) return
  const place = document.positionAt(change.rangeOffset + 1)
  await editor.insertSnippet(new vscode.SnippetString().appendTabstop(0).appendText(end), place, {
    undoStopBefore: false,
    undoStopAfter: true,
  })
}
