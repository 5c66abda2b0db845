/** Tells menus whether the file in the active editor is a conversation: `openchatml.isConversation`. */
import * as vscode from 'vscode'
import { conversationForm, locatedForm } from '../../../core/src/internal.ts'

const languages: ReadonlySet<string> = new Set(['json', 'jsonc', 'jsonl', 'plaintext', 'markdown'])

/** Longer texts are not looked at, in UTF-16 code units: menus have to open at once. */
const longest = 1_000_000

/** Keeps the context up to date: when another editor becomes active, and when its file is saved. */
export function watchConversations(context: vscode.ExtensionContext): void {
  const update = () => {
    const document = vscode.window.activeTextEditor?.document
    void vscode.commands.executeCommand(
      'setContext',
      'openchatml.isConversation',
      document !== undefined && isConversation(document),
    )
  }
  context.subscriptions.push(
    vscode.window.onDidChangeActiveTextEditor(update),
    vscode.workspace.onDidSaveTextDocument(update),
  )
  update()
}

function isConversation(document: vscode.TextDocument): boolean {
  if (!languages.has(document.languageId)) return false
  const end = document.lineAt(document.lineCount - 1).range.end
  if (document.offsetAt(end) > longest) return false
  // Of a file of lines, the first one says what they are.
  const text = document.languageId === 'jsonl' ? document.lineAt(0).text : document.getText()
  return /^\s*[[{]/.test(text) ? isJsonConversation(text) : conversationForm(text) !== undefined
}

/** Any JSON could be converted; only what looks like a conversation is one. */
function isJsonConversation(text: string): boolean {
  try {
    return locatedForm(JSON.parse(text)) !== undefined
  } catch {
    return false // it is being written, or has comments
  }
}
