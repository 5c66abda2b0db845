/** Conversions of documents: what all commands share. A failed conversion changes nothing and is reported with its place. */
import * as vscode from 'vscode'
import {
  type Conversion,
  ConversionError,
  conversationForm,
  convert,
  type Loss,
  type WriteOptions,
} from '../../../core/src/internal.ts'
import { showError } from '../notice.ts'
import { dialectOf } from '../preview/document-sessions.ts'
import { untitledDocument } from '../untitled-document.ts'
import { languageOf } from './forms.ts'

/** What a command hands back to a program that called it. */
export interface ConversionOutcome {
  readonly text: string
  readonly losses: readonly Loss[]
}

/** The conversion of a document, a transcript in the dialect that is set for it. @throws ConversionError */
export function convertedDocument(document: vscode.TextDocument, options: WriteOptions): Conversion {
  const text = document.getText()
  if (document.languageId === 'openchatml') return convert(text, { ...options, dialect: dialectOf(document) })
  if (conversationForm(text) === undefined)
    throw new ConversionError(vscode.l10n.t('This document has no conversation'))
  return convert(text, options)
}

/** Runs a command; why a conversion was refused is reported, at its place in `source` if that is known. */
export async function tellingRefusals<Result>(
  source: vscode.TextDocument | undefined,
  run: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error
    const position =
      source && error.offset !== undefined ? source.positionAt(Math.max(0, error.offset)) : undefined
    const message = position
      ? vscode.l10n.t('Line {0}, column {1}: {2}', position.line + 1, position.character + 1, error.message)
      : error.message
    void offerPlace(message, source, position)
    return undefined
  }
}

async function offerPlace(
  message: string,
  source: vscode.TextDocument | undefined,
  position: vscode.Position | undefined,
): Promise<void> {
  const go = vscode.l10n.t('Go to Place')
  const answer = await showError(message, ...(position ? [go] : []))
  if (answer !== go || !source || !position) return
  await vscode.window.showTextDocument(source, { selection: new vscode.Range(position, position) })
}

/** Opens `text` as a document that is not saved yet. */
export async function openUntitled(
  text: string,
  form: Parameters<typeof languageOf>[0],
  viewColumn: vscode.ViewColumn,
): Promise<vscode.TextDocument> {
  const document = await untitledDocument(text, languageOf(form))
  await vscode.window.showTextDocument(document, { viewColumn, preview: false })
  return document
}
