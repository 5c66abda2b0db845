/** Commands on the whole transcript: its header, and the white space between its messages. */
import * as vscode from 'vscode'
import {
  type Analysis,
  gapEdits,
  type HeaderForm,
  hasHeader,
  headerEdits,
  headerForms,
} from '../../../core/src/internal.ts'
import { type Action, apply, registerAction } from './editor-action.ts'
import type { LiveAnalyses } from './live-analyses.ts'

/** Registers the commands. Programs may pass the form of a header. */
export function registerDocumentCommands(context: vscode.ExtensionContext, analyses: LiveAnalyses): void {
  registerAction(context, analyses, 'insertHeader', insertHeader)
  registerAction(context, analyses, 'convertHeader', convertHeader)
  registerAction(context, analyses, 'oneMessagePerLine', spaces({ blankLines: false }))
  registerAction(context, analyses, 'spreadMessages', spaces({ blankLines: true }))
}

const insertHeader: Action = (place, argument) => {
  if (hasHeader(place.analysis)) return false
  const forms = headerForms.filter((it) => it !== 'fenced' && it !== 'plain')
  return writeHeader(vscode.l10n.t('Insert Header'), forms)(place, argument)
}

const convertHeader: Action = (place, argument) => {
  if (!hasHeader(place.analysis)) return insertHeader(place, argument)
  return writeHeader(vscode.l10n.t('Convert Header'), headerForms)(place, argument)
}

function writeHeader(title: string, forms: readonly HeaderForm[]): Action {
  return async ({ editor, analysis }, argument) => {
    const asked = forms.find((it) => it === argument)
    const { version } = editor.document
    const useful = asked ? [asked] : usefulForms(analysis, forms)
    if (useful.length === 0) return false
    const form = asked ?? (await picked(title, useful))
    if (form === undefined) return true // the user thought better of it
    // The text may have changed while the list was open; then the analysis has, too.
    const edits = asked || editor.document.version === version ? headerEdits(analysis, form) : undefined
    return edits !== undefined && apply(editor, edits)
  }
}

const quickLength = 4_000_000 // code units: looking at each form reads the text again

/** The forms that would change something. */
function usefulForms(analysis: Analysis, forms: readonly HeaderForm[]): readonly HeaderForm[] {
  if (analysis.transcript.length > quickLength) return forms
  return forms.filter((form) => headerEdits(analysis, form) !== undefined)
}

async function picked(title: string, forms: readonly HeaderForm[]): Promise<HeaderForm | undefined> {
  const items = forms.map((form) => ({ ...described(form), form }))
  return (await vscode.window.showQuickPick(items, { title, matchOnDetail: true }))?.form
}

function described(form: HeaderForm): { readonly label: string; readonly detail: string } {
  const { l10n } = vscode
  switch (form) {
    case 'version':
      return {
        label: l10n.t('Version 2.2'),
        detail: l10n.t('Declares the version, replacing an older one'),
      }
    case 'capabilities':
      return {
        label: l10n.t('Version 2.2 and Capabilities'),
        detail: l10n.t('Also lists roles, channels, tokens, and streaming events'),
      }
    case 'harmony':
      return {
        label: l10n.t('Version 2.2 and Harmony Profile'),
        detail: l10n.t('Also applies the profile: assistant messages must name their channel'),
      }
    case 'fenced':
      return {
        label: l10n.t('With Fences'),
        detail: l10n.t('Between two lines of three dashes, as front matter'),
      }
    case 'plain':
      return { label: l10n.t('Without Fences'), detail: l10n.t('Without lines of three dashes') }
    default:
      return form satisfies never
  }
}

function spaces(options: { readonly blankLines: boolean }): Action {
  return async ({ editor, analysis }) => {
    const edits = [...gapEdits(analysis, options)]
    return edits.length > 0 && (await apply(editor, edits))
  }
}
