/** The conversation as a file: an HTML page that needs nothing else, or Markdown. Hidden messages only after a question. */

import * as vscode from 'vscode'
import { type Analysis, localize, visibleMessages } from '../../../core/src/internal.ts'
import type { ConversationItem, DocumentOptions } from '../../render/exported-conversation.ts'
import { fileBeside } from '../file-beside.ts'
import { offerToOpen, showWarning } from '../notice.ts'
import { type WriteOnDisk, writeFile } from '../write-file.ts'
import { analysisOf } from './document-sessions.ts'
import { anyMessageOf } from './everything-source.ts'
import { hasMath } from './math-setting.ts'

/** What to write, and where; what is left out is asked for. */
export interface ExportRequest {
  readonly format?: 'html' | 'markdown'
  readonly target?: vscode.Uri
}

/** Asks what is not in `request`, and writes what a user sees of `document`. Resolves to the file, if there is one. */
export async function exportConversation(
  document: vscode.TextDocument,
  request: ExportRequest = {},
  onDisk?: WriteOnDisk,
): Promise<vscode.Uri | undefined> {
  const choice = request.format ? { format: request.format, isDebug: false } : await chosenFormat()
  if (!choice || (choice.isDebug && !(await mayExportHidden()))) return undefined
  const target = request.target ?? (await chosenFile(document, choice.format, choice.isDebug))
  if (!target) return undefined
  const text = await exportedText(document, choice.format, choice.isDebug)
  await writeFile(target, [new TextEncoder().encode(text)], onDisk)
  const open = () => vscode.commands.executeCommand('vscode.open', target)
  if (!request.target) void offerToOpen(localize`Exported to ${nameOf(target)}`, open)
  return target
}

/** The text of the file. */
async function exportedText(document: vscode.TextDocument, format: 'html' | 'markdown', isDebug: boolean) {
  const analysis = analysisOf(document)
  const items: Iterable<ConversationItem> = isDebug ? everything(analysis) : seenOnly(analysis)
  const options: DocumentOptions = {
    title: nameOf(document.uri),
    isDebug,
    language: vscode.env.language,
    hasMath: hasMath(document.uri),
  }
  // Loaded when it is needed: a Markdown renderer and the colours of many languages.
  const pieces =
    format === 'html'
      ? (await import('../../render/html-document.ts')).htmlDocument(items, options)
      : (await import('../../render/markdown-document.ts')).markdownDocument(items, options)
  return [...pieces].join('')
}

function* seenOnly(analysis: Analysis): IterableIterator<ConversationItem> {
  for (const message of visibleMessages(analysis)) yield { kind: 'seen', message }
}

function* everything(analysis: Analysis): IterableIterator<ConversationItem> {
  for (const located of analysis.transcript.segments()) {
    const any = anyMessageOf(analysis, located)
    if (any?.kind === 'visible') yield { kind: 'seen', message: any.message }
    if (any?.kind === 'hidden') {
      const { role, labels, why, text } = any
      yield {
        kind: 'hidden',
        label: [role, ...labels].join(' · '),
        reason: why.reason.replace(/\.$/, ''),
        text,
      }
    }
  }
}

async function chosenFormat() {
  const debugDetail = localize`Instructions, reasoning, tool calls, and replies are in the file, marked as hidden`
  const choices = [
    { label: 'HTML', detail: localize`A self-contained page`, format: 'html', isDebug: false },
    {
      label: 'Markdown',
      detail: localize`Text for a repository or an issue`,
      format: 'markdown',
      isDebug: false,
    },
    { label: localize`HTML with Hidden Messages`, detail: debugDetail, format: 'html', isDebug: true },
    {
      label: localize`Markdown with Hidden Messages`,
      detail: debugDetail,
      format: 'markdown',
      isDebug: true,
    },
  ] as const
  return vscode.window.showQuickPick(choices, {
    title: localize`Export Conversation`,
    placeHolder: localize`Export as`,
  })
}

async function mayExportHidden(): Promise<boolean> {
  const write = localize`Export Hidden Messages`
  const answer = await showWarning(
    localize`Write a file with messages that users must not see?`,
    {
      modal: true,
      detail: localize`Anyone who gets the file can read instructions, reasoning, tool calls, and replies.`,
    },
    write,
  )
  return answer === write
}

function chosenFile(document: vscode.TextDocument, format: 'html' | 'markdown', isDebug: boolean) {
  const ending = `${isDebug ? '.debug' : ''}.${format === 'html' ? 'html' : 'md'}`
  const proposed = fileBeside(document.uri, (name) => name.replace(/\.ocm$/, '') + ending)
  return vscode.window.showSaveDialog({
    title: localize`Export Conversation`,
    filters: format === 'html' ? { HTML: ['html'] } : { Markdown: ['md'] },
    ...(proposed && { defaultUri: proposed }),
  })
}

function nameOf(uri: vscode.Uri): string {
  return uri.path.split('/').at(-1) || uri.path
}
