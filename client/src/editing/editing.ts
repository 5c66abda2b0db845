/** What helps to edit transcripts in VS Code beyond the language server. */
import type * as vscode from 'vscode'
import type { BaseLanguageClient } from 'vscode-languageclient'
import { registerCloseLiteral } from './close-literal.ts'
import { registerConvertTranscript } from './convert-transcript.ts'
import { registerDimHidden } from './dim-hidden.ts'
import { registerDocumentCommands } from './document-commands.ts'
import { type FixingServices, registerFixing } from './fix-commands.ts'
import { registerFoldHidden } from './fold-hidden.ts'
import { LiveAnalyses } from './live-analyses.ts'
import { registerMessageCommands } from './message-commands.ts'
import { registerNewTranscript } from './new-transcript.ts'
import { registerPaste } from './paste.ts'
import { registerReadingMode } from './reading-mode.ts'
import { registerTokenCounts } from './toggle-token-counts.ts'

/** What editing needs besides the editor. */
export type EditingServices = Pick<FixingServices, 'readFile' | 'keepsHeaders'>

/** Adds the commands on messages, bodies and headers, dimming, folding, pasting, templates and token counts. */
export function registerEditing(
  context: vscode.ExtensionContext,
  client: BaseLanguageClient,
  { readFile, keepsHeaders }: EditingServices,
): void {
  const analyses = new LiveAnalyses()
  context.subscriptions.push(analyses)
  registerMessageCommands(context, analyses)
  registerDocumentCommands(context, analyses)
  registerConvertTranscript(context, analyses)
  registerFixing(context, client, { analyses, readFile, keepsHeaders })
  registerFoldHidden(context, analyses)
  registerReadingMode(context, analyses)
  registerDimHidden(context, analyses)
  registerPaste(context, analyses)
  registerCloseLiteral(context, analyses)
  registerNewTranscript(context)
  registerTokenCounts(context)
}
