/** Everything in, everything out: the commands that convert conversations between their forms. */
import type * as vscode from 'vscode'
import { watchConversations } from './conversation-context.ts'
import { registerConvertTo } from './convert-to.ts'
import { registerMigrate } from './migrate.ts'
import { registerNextPrompt } from './next-prompt-document.ts'
import { registerPasteAs } from './paste-as.ts'

/** Adds the commands. */
export function registerConversion(context: vscode.ExtensionContext): void {
  watchConversations(context)
  registerConvertTo(context)
  registerPasteAs(context)
  registerMigrate(context)
  registerNextPrompt(context)
}
