/** Commands that bring a conversation in: from the clipboard, or from a document of any form. */
import * as vscode from 'vscode'
import {
  type Conversion,
  ConversionError,
  conversationForm,
  convert,
  factsOf,
  Transcript,
} from '../../../core/src/internal.ts'
import { askedDocument } from '../asked-document.ts'
import { dialectOf } from '../preview/document-sessions.ts'
import { type ConversionOutcome, convertedDocument, openUntitled, tellingRefusals } from './converted.ts'
import { tellLosses } from './losses.ts'

/** Registers `openchatml.pasteAsOpenChatML` and `openchatml.openAs`; programs may pass a document. */
export function registerPasteAs(context: vscode.ExtensionContext): void {
  context.subscriptions.push(
    vscode.commands.registerCommand('openchatml.pasteAsOpenChatML', pasteAs),
    vscode.commands.registerCommand('openchatml.openAs', openAs),
  )
}

/** Puts the conversation on the clipboard into the active transcript; where there is none that can hold it, into a new one. */
async function pasteAs(): Promise<ConversionOutcome | undefined> {
  const clipboard = await vscode.env.clipboard.readText()
  return tellingRefusals(undefined, async () => {
    const converted = asTranscript(clipboard, vscode.l10n.t('There is no conversation on the clipboard'))
    const editor = vscode.window.activeTextEditor
    const transcript = editor && transcriptIn(editor.document)
    if (!editor || !transcript) await openUntitled(converted.text, 'ocm', vscode.ViewColumn.Active)
    else if (!(await insert(editor, transcript, converted.text))) return undefined
    tellLosses(converted.losses, undefined)
    return converted
  })
}

/** Opens a document of whatever form as a new transcript; the document stays as it is. */
async function openAs(target?: unknown): Promise<ConversionOutcome | undefined> {
  const document = await askedDocument(target)
  if (!document) return undefined
  return tellingRefusals(document, async () => {
    const converted = convertedDocument(document, { to: 'ocm' })
    await openUntitled(converted.text, 'ocm', vscode.ViewColumn.Active)
    tellLosses(converted.losses, document)
    return { text: converted.text, losses: converted.losses }
  })
}

/** @throws ConversionError */
function asTranscript(text: string, complaint: string): Conversion {
  if (conversationForm(text) === undefined) throw new ConversionError(complaint)
  return convert(text, { to: 'ocm' })
}

/** The transcript in `document`, if messages of 2.2 are messages there: in 0.1 and raw Harmony text they are not. */
function transcriptIn(document: vscode.TextDocument): Transcript | undefined {
  if (document.languageId !== 'openchatml') return undefined
  const transcript = Transcript.parse(document.getText(), { dialect: dialectOf(document) })
  return transcript.framing.name === 'openchatml' ? transcript : undefined
}

/**
 * A header belongs to the start: of a transcript that has text already, only messages are inserted, after the one at the
 * cursor, and before the beginning of one that a model is to write.
 */
async function insert(editor: vscode.TextEditor, transcript: Transcript, text: string): Promise<boolean> {
  const { document, selection } = editor
  const before = document.getText()
  if (before.trim() === '') {
    const all = new vscode.Range(document.positionAt(0), document.positionAt(before.length))
    return editor.edit((builder) => builder.replace(all, text))
  }
  const offset = Math.min(document.offsetAt(selection.active), before.length)
  const { segment, start } = transcript.segmentAt(offset)
  const end = factsOf(segment)?.isPrompt ? start : start + segment.text.length
  const gap = before.slice(0, end).endsWith('\n') ? '' : '\n'
  return editor.edit((builder) => builder.insert(document.positionAt(end), gap + messagesOf(text)))
}

function messagesOf(text: string): string {
  let messages = ''
  for (const { segment } of Transcript.parse(text).segments())
    if (segment.kind === 'message') messages += segment.text
  return messages.endsWith('\n') ? messages : `${messages}\n`
}
