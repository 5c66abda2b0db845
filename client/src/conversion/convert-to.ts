/** Commands that convert a whole document: into a new document next to it, or onto the clipboard. */
import * as vscode from 'vscode'
import { convert, Transcript } from '../../../core/src/internal.ts'
import { showNotice } from '../notice.ts'
import { dialectOf } from '../preview/document-sessions.ts'
import {
  askedDocument,
  type ConversionOutcome,
  convertedDocument,
  openUntitled,
  tellingRefusals,
} from './converted.ts'
import { chosenForm } from './forms.ts'
import { tellLosses } from './losses.ts'

/** Registers `openchatml.convertTo` and `openchatml.copyAs`; programs may pass a document and the name of a form. */
export function registerConvertTo(context: vscode.ExtensionContext): void {
  context.subscriptions.push(
    vscode.commands.registerCommand('openchatml.convertTo', (target?: unknown, form?: unknown) =>
      convertTo(target, form),
    ),
    vscode.commands.registerCommand('openchatml.copyAs', (target?: unknown, form?: unknown) =>
      copyAs(target, form),
    ),
  )
}

async function convertTo(target: unknown, asked: unknown): Promise<ConversionOutcome | undefined> {
  const document = await askedDocument(target)
  const form = document && (await chosenForm(vscode.l10n.t('Convert to'), asked))
  if (!document || !form) return undefined
  return tellingRefusals(document, async () => {
    const { text, losses } = convertedDocument(document, { to: form })
    await openUntitled(text, form, vscode.ViewColumn.Beside)
    tellLosses(losses, document)
    return { text, losses }
  })
}

async function copyAs(target: unknown, asked: unknown): Promise<ConversionOutcome | undefined> {
  const document = await askedDocument(target)
  const form = document && (await chosenForm(vscode.l10n.t('Copy as'), asked))
  if (!document || !form) return undefined
  return tellingRefusals(document, async () => {
    const selected = selectedMessages(document)
    const { text, losses } =
      selected === undefined
        ? convertedDocument(document, { to: form })
        : convert(selected, { from: 'ocm', to: form, dialect: dialectOf(document) })
    await vscode.env.clipboard.writeText(text)
    const { t } = vscode.l10n
    showNotice(selected === undefined ? t('Copied the conversation') : t('Copied the selected messages'))
    // Places in a selection are not those of the document.
    tellLosses(losses, selected === undefined ? document : undefined)
    return { text, losses }
  })
}

/** The messages that a selection in a transcript touches; `undefined` if nothing is selected. */
function selectedMessages(document: vscode.TextDocument): string | undefined {
  const editor = vscode.window.activeTextEditor
  if (editor?.document !== document || editor.selection.isEmpty) return undefined
  if (document.languageId !== 'openchatml') return undefined
  const [from, to] = [document.offsetAt(editor.selection.start), document.offsetAt(editor.selection.end)]
  let text = ''
  for (const { segment, start } of Transcript.parse(document.getText(), {
    dialect: dialectOf(document),
  }).segments()) {
    if (start >= to) break
    if (segment.kind === 'message' && from < start + segment.text.length) text += segment.text
  }
  return text === '' ? undefined : text
}
