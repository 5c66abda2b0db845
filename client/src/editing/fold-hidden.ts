/** Folds what no end user sees. */
import * as vscode from 'vscode'
import { hiddenMessages } from '../../../core/src/index.ts'
import type { LiveAnalyses } from './live-analyses.ts'

/** Registers `openchatml.foldHidden`. */
export function registerFoldHidden(context: vscode.ExtensionContext, analyses: LiveAnalyses): void {
  context.subscriptions.push(
    vscode.commands.registerCommand('openchatml.foldHidden', () => foldHidden(analyses)),
  )
}

async function foldHidden(analyses: LiveAnalyses): Promise<void> {
  const editor = vscode.window.activeTextEditor
  if (editor?.document.languageId !== 'openchatml') return
  const { document } = editor
  const lines: number[] = []
  let lastLine = -2
  for (const { start, end } of hiddenMessages(analyses.of(document))) {
    const [first, last] = [document.positionAt(start).line, document.positionAt(end).line]
    // A line without a fold of its own would fold what is around it: of single lines, only those that begin a run count.
    if (last > first || first > lastLine + 1) lines.push(first)
    lastLine = last
  }
  if (lines.length === 0) return
  await vscode.commands.executeCommand('editor.fold', { selectionLines: lines, levels: 1, direction: 'down' })
}
