/** Begins a transcript from a template. */
import * as vscode from 'vscode'
import { type TranscriptTemplate, templateSnippet, transcriptTemplates } from '../../../core/src/internal.ts'
import { untitledDocument } from '../untitled-document.ts'

/** Registers `openchatml.newTranscript`; programs may pass the name of a template. */
export function registerNewTranscript(context: vscode.ExtensionContext): void {
  context.subscriptions.push(
    vscode.commands.registerCommand('openchatml.newTranscript', (name?: unknown) => newTranscript(name)),
  )
}

async function newTranscript(name: unknown): Promise<void> {
  const template = transcriptTemplates.find((it) => it.name === name) ?? (await picked())
  if (!template) return
  const document = await untitledDocument('', 'openchatml')
  const editor = await vscode.window.showTextDocument(document)
  const start = new vscode.Position(0, 0)
  await editor.insertSnippet(new vscode.SnippetString(templateSnippet(template)), start)
}

async function picked(): Promise<TranscriptTemplate | undefined> {
  const items = transcriptTemplates.map((template) => ({ ...described(template.name), template }))
  const title = vscode.l10n.t('New Transcript')
  const item = await vscode.window.showQuickPick(items, { title, matchOnDetail: true })
  return item?.template
}

function described(name: TranscriptTemplate['name']): { readonly label: string; readonly detail: string } {
  const { t } = vscode.l10n
  switch (name) {
    case 'empty':
      return { label: t('Empty'), detail: t('A user message to fill in') }
    case 'conversation':
      return { label: t('Conversation'), detail: t('A question and its answer') }
    case 'reasoning':
      return { label: t('Reasoning'), detail: t('The same with private reasoning before the answer') }
    case 'tool-call':
      return {
        label: t('Tool call'),
        detail: t('A declared tool, a call with JSON arguments, and its reply'),
      }
    case 'preamble':
      return { label: t('Preamble'), detail: t('An announcement that users see before a call') }
    case 'prompt':
      return { label: t('Prompt'), detail: t('Instructions with inputs and a case that fills them') }
    default:
      return name satisfies never
  }
}
