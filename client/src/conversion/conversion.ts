/** Everything in, everything out: the commands that convert conversations between their forms. */
import type * as vscode from 'vscode'
import { watchConversations } from './conversation-context.ts'
import { registerConvertTo, type SamplesOfDocuments } from './convert-to.ts'
import { registerMigrate } from './migrate.ts'
import { registerNextPrompt } from './next-prompt-document.ts'
import { registerPasteAs } from './paste-as.ts'

/** Adds the commands. */
export function registerConversion(context: vscode.ExtensionContext, samples: SamplesOfDocuments): void {
  watchConversations(context)
  registerConvertTo(context, samples)
  registerPasteAs(context)
  registerMigrate(context)
  registerNextPrompt(context)
}
