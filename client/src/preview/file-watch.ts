/** Reports changes of one file on disk: the editor reads again what is open in it, but a preview may stand alone. */
import * as vscode from 'vscode'

/** Calls `listener` when the file at `uri` was written or came back. Documents that are not files never change unseen. */
export function watchFile(uri: vscode.Uri, listener: () => void): vscode.Disposable {
  if (uri.scheme === 'untitled' || uri.path === '') return { dispose() {} }
  const watcher = vscode.workspace.createFileSystemWatcher(patternAround(uri), false, false, true)
  const heard = (changed: vscode.Uri) => {
    if (changed.toString() === uri.toString()) listener()
  }
  watcher.onDidChange(heard)
  watcher.onDidCreate(heard)
  return watcher
}

/**
 * A pattern that includes the file; its name itself could have special characters. VS Code already watches the folders of the
 * workspace: with a second watcher on a folder, the rest of VS Code no longer gets the events of that folder.
 */
function patternAround(uri: vscode.Uri): vscode.GlobPattern {
  if (vscode.workspace.getWorkspaceFolder(uri)) return '**/*'
  return new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), '*')
}

/**
 * As {@link watchFile}, for a file that several people work on: `listener` is also called when the window gets the focus, as no
 * system reports what another machine writes on a shared drive.
 */
export function watchSharedFile(uri: vscode.Uri, listener: () => void): vscode.Disposable {
  const focus = vscode.window.onDidChangeWindowState(({ focused }) => focused && listener())
  return vscode.Disposable.from(watchFile(uri, listener), focus)
}
