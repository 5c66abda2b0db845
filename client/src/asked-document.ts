/** The document that a command is about: the one that a menu or a program passes, or the one that the user looks at. */
import * as vscode from 'vscode'
import { showInformation } from './notice.ts'

/** The menu in the title of a webview panel passes an address of this scheme, which names no document. */
const panelScheme = 'webview-panel'

/** The document of the preview that has the focus: for VS Code, a webview has none. */
let ofFocusedPreview: () => vscode.Uri | undefined = () => undefined

/** Lets commands find the document of the preview that has the focus. */
export function registerFocusedPreview(uriOf: () => vscode.Uri | undefined): void {
  ofFocusedPreview = uriOf
}

/** The address of the document in the active preview or text editor. */
export function activeUri(): vscode.Uri | undefined {
  const uri = ofFocusedPreview() ?? vscode.window.activeTextEditor?.document.uri
  if (uri) return uri
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input
  return input instanceof vscode.TabInputText ? input.uri : undefined
}

/** True if the preview of the document at `uri` has the focus: what is opened in its place is a preview, too. */
export function isPreviewed(uri: vscode.Uri): boolean {
  return ofFocusedPreview()?.toString() === uri.toString()
}

/** The address at `target`; without one, that of the document in the active preview or text editor. */
export function askedUri(target: unknown): vscode.Uri | undefined {
  const asked = typeof target === 'string' ? vscode.Uri.parse(target) : target
  return asked instanceof vscode.Uri && asked.scheme !== panelScheme ? asked : activeUri()
}

/** The document at `target`; without one, that of the active preview or text editor; if there is none, that is reported. */
export async function askedDocument(target: unknown): Promise<vscode.TextDocument | undefined> {
  const uri = askedUri(target)
  if (uri) return vscode.workspace.openTextDocument(uri)
  void showInformation(vscode.l10n.t('Open a conversation first.'))
  return undefined
}
