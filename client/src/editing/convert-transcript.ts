/** The command that converts the transcript to what it is for. */
import * as vscode from 'vscode'
import {
  conversionEdits,
  type TranscriptConversion,
  transcriptConversions,
} from '../../../core/src/internal.ts'
import { type Action, apply, registerAction } from './editor-action.ts'
import type { LiveAnalyses } from './live-analyses.ts'

/** Registers the command. Programs may pass the name of a conversion. */
export function registerConvertTranscript(context: vscode.ExtensionContext, analyses: LiveAnalyses): void {
  registerAction(context, analyses, 'convertTranscript', convertTranscript)
}

const convertTranscript: Action = async ({ editor, analysis }, argument) => {
  const asked = transcriptConversions.find(({ name }) => name === argument)?.name
  const { version } = editor.document
  const conversion = asked ?? (await picked())
  if (conversion === undefined) return true // the user thought better of it
  // The text may have changed while the list was open; then the analysis has, too.
  const isCurrent = asked !== undefined || editor.document.version === version
  const edits = isCurrent ? [...conversionEdits(analysis, conversion)] : []
  return edits.length > 0 && (await apply(editor, edits))
}

async function picked(): Promise<TranscriptConversion | undefined> {
  const items = transcriptConversions.map(({ name }) => ({ ...described(name), name }))
  const title = vscode.l10n.t('Convert Transcript')
  return (await vscode.window.showQuickPick(items, { title, matchOnDetail: true }))?.name
}

function described(name: TranscriptConversion): { readonly label: string; readonly detail: string } {
  const { l10n } = vscode
  switch (name) {
    case 'training':
      return {
        label: l10n.t('Training Sample'),
        detail: l10n.t('Ends the last answer with <|return|> and the others with <|end|>; reasoning stays'),
      }
    case 'history':
      return {
        label: l10n.t('Stored History'),
        detail: l10n.t('Ends every answer with <|end|>'),
      }
    case 'drop-reasoning':
      return {
        label: l10n.t('Without Spent Reasoning'),
        detail: l10n.t('Removes the analysis of turns that ended with an answer'),
      }
    case 'canonical-headers':
      return {
        label: l10n.t('Canonical Headers'),
        detail: l10n.t('Writes recipients after the role, and replies as tool messages'),
      }
    case 'harmony-headers':
      return {
        label: l10n.t('Headers as Harmony Models Write Them'),
        detail: l10n.t('Writes recipients after the channel, and tool names in place of roles'),
      }
    default:
      return name satisfies never
  }
}
