/** What helps to edit transcripts in VS Code beyond the language server. */
import type * as vscode from 'vscode'
import { registerCloseLiteral } from './close-literal.ts'
import { registerDimHidden } from './dim-hidden.ts'
import { registerFoldHidden } from './fold-hidden.ts'
import { LiveAnalyses } from './live-analyses.ts'
import { registerMessageCommands } from './message-commands.ts'
import { registerNewTranscript } from './new-transcript.ts'
import { registerPaste } from './paste.ts'

/** Adds the commands on messages and bodies, dimming, folding, pasting and templates. */
export function registerEditing(context: vscode.ExtensionContext): void {
  const analyses = new LiveAnalyses()
  context.subscriptions.push(analyses)
  registerMessageCommands(context, analyses)
  registerFoldHidden(context, analyses)
  registerDimHidden(context, analyses)
  registerPaste(context, analyses)
  registerCloseLiteral(context, analyses)
  registerNewTranscript(context)
}
