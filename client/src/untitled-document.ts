/** Documents that have no file yet. */
import * as vscode from 'vscode'

/**
 * A new document with this text, which no editor shows yet.
 *
 * VS Code may give it the name of a document that was closed just before, and with the name the backup of that one's text
 * and its language, which it deletes in its own time. So both are compared, and put right.
 *
 * @param language left out, VS Code finds it
 */
export async function untitledDocument(content: string, language?: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument({ content, ...(language ? { language } : {}) })
  const text = document.getText()
  if (text !== content) {
    const edit = new vscode.WorkspaceEdit()
    const all = new vscode.Range(document.positionAt(0), document.positionAt(text.length))
    edit.replace(document.uri, all, content)
    await vscode.workspace.applyEdit(edit)
  }
  return language === undefined || document.languageId === language
    ? document
    : vscode.languages.setTextDocumentLanguage(document, language)
}
