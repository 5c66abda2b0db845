/** Commands that convert a whole document: into a new document next to it, or onto the clipboard. */
import * as vscode from 'vscode'
import {
  convert,
  convertedSample,
  type EditableSample,
  type TargetForm,
  Transcript,
} from '../../../core/src/internal.ts'
import { askedDocument } from '../asked-document.ts'
import { showNotice } from '../notice.ts'
import { dialectOf } from '../preview/document-sessions.ts'
import { type ConversionOutcome, convertedDocument, openUntitled, tellingRefusals } from './converted.ts'
import { chosenForm } from './forms.ts'
import { tellLosses } from './losses.ts'

/** Registers `openchatml.convertTo` and `openchatml.copyAs`; programs may pass a document and the name of a form. */
export function registerConvertTo(context: vscode.ExtensionContext, samples: SamplesOfDocuments): void {
  context.subscriptions.push(
    vscode.commands.registerCommand('openchatml.convertTo', (target?: unknown, form?: unknown) =>
      convertTo(target, form, samples),
    ),
    vscode.commands.registerCommand('openchatml.copyAs', (target?: unknown, form?: unknown) =>
      copyAs(target, form, samples),
    ),
  )
}

/** What the conversions ask of datasets. */
export interface SamplesOfDocuments {
  /** The sample that the document at `uri` shows; undefined where there is none. */
  sampleOf(uri: vscode.Uri): EditableSample | undefined
}

/** The conversion of a document, with what only its sample says if it shows one, and the document that has the places of losses. */
function converted(document: vscode.TextDocument, to: TargetForm, { sampleOf }: SamplesOfDocuments) {
  const sample = sampleOf(document.uri)
  return sample
    ? { ...convertedSample(sample, document.getText(), { to }), source: undefined }
    : { ...convertedDocument(document, { to }), source: document }
}

async function convertTo(
  target: unknown,
  asked: unknown,
  samples: SamplesOfDocuments,
): Promise<ConversionOutcome | undefined> {
  const document = await askedDocument(target)
  const form = document && (await chosenForm(vscode.l10n.t('Convert to'), asked))
  if (!document || !form) return undefined
  return tellingRefusals(document, async () => {
    const { text, losses, source } = converted(document, form, samples)
    await openUntitled(text, form, vscode.ViewColumn.Beside)
    tellLosses(losses, source)
    return { text, losses }
  })
}

async function copyAs(
  target: unknown,
  asked: unknown,
  samples: SamplesOfDocuments,
): Promise<ConversionOutcome | undefined> {
  const document = await askedDocument(target)
  const form = document && (await chosenForm(vscode.l10n.t('Copy as'), asked))
  if (!document || !form) return undefined
  return tellingRefusals(document, async () => {
    const selected = selectedMessages(document)
    // Places in a selection are not those of the document.
    const { text, losses, source } =
      selected === undefined
        ? converted(document, form, samples)
        : { ...convert(selected, { from: 'ocm', to: form, dialect: dialectOf(document) }), source: undefined }
    await vscode.env.clipboard.writeText(text)
    const { t } = vscode.l10n
    showNotice(selected === undefined ? t('Copied the conversation') : t('Copied the selected messages'))
    tellLosses(losses, source)
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
