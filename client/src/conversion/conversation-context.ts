/** Lets menus know whether the file in the active editor is a conversation: `openchatml.isConversation`. */
import * as vscode from 'vscode'
import { looksLikeConversation, looksLikeConversations } from '../../../core/src/internal.ts'
import { moments } from '../moments.ts'
import { Pauses } from '../pauses.ts'

const languages: ReadonlySet<string> = new Set(['json', 'jsonc', 'jsonl', 'plaintext', 'markdown'])

/** How much of a text is looked at, in UTF-16 code units: menus have to open at once. */
const longest = 1_000_000

/** Keeps the context up to date: when another editor becomes active, and while its text or its language changes. */
export function watchConversations(context: vscode.ExtensionContext): void {
  const pauses = new Pauses<'update'>(moments.pause)
  const active = () => vscode.window.activeTextEditor?.document
  const update = () => {
    const document = active()
    void vscode.commands.executeCommand(
      'setContext',
      'openchatml.isConversation',
      document !== undefined && isConversation(document),
    )
  }
  context.subscriptions.push(
    pauses,
    vscode.window.onDidChangeActiveTextEditor(update),
    vscode.workspace.onDidOpenTextDocument((document) => document === active() && update()), // in another language
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document === active() && languages.has(document.languageId)) pauses.after('update', update)
    }),
  )
  update()
}

function isConversation(document: vscode.TextDocument): boolean {
  if (!languages.has(document.languageId)) return false
  const start = new vscode.Position(0, 0)
  const end = document.positionAt(longest)
  const text = document.getText(new vscode.Range(start, end))
  if (document.languageId === 'jsonl') return looksLikeConversations(text.split(/\r?\n/))
  return looksLikeConversation(text, {
    isCut: end.isBefore(document.lineAt(document.lineCount - 1).range.end),
  })
}
