/** Whether readers want formulas: the setting of VS Code's own Markdown preview. */
import * as vscode from 'vscode'

/** True if TeX is shown as formulas in previews of the document at `uri`. */
export function hasMath(uri: vscode.Uri): boolean {
  return vscode.workspace.getConfiguration('markdown.math', uri).get('enabled', true)
}

/** Calls `listener` when {@link hasMath} may give another answer. */
export function onMathChanged(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('markdown.math')) listener()
  })
}
