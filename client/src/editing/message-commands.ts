/** Commands on the message at the cursor, and on the text of its body. Each asks the core what to do, and does it. */
import * as vscode from 'vscode'
import {
  type Analysis,
  type BodyRewriteName,
  bodyAt,
  bodyRange,
  bodyRewrite,
  ConversionError,
  type MessageCommand,
  messageEdit,
  messageRange,
  nextMessage,
  previousMessage,
  type Range,
} from '../../../core/src/index.ts'
import { messagesAs } from './copied-messages.ts'
import type { LiveAnalyses } from './live-analyses.ts'

/** An editor with a transcript, and what is known of it. */
interface Place {
  readonly editor: vscode.TextEditor
  readonly analysis: Analysis
  /** The primary selection. */
  readonly selection: Range
  /** Where its cursor is. */
  readonly offset: number
}

/** Does something at a place; false if there is nothing to do there. */
type Action = (place: Place) => boolean | Promise<boolean>

/** Registers the commands. */
export function registerMessageCommands(context: vscode.ExtensionContext, analyses: LiveAnalyses): void {
  for (const [name, action] of actions) {
    const run = () => runAt(analyses, action)
    context.subscriptions.push(vscode.commands.registerCommand(`openchatml.${name}`, run))
  }
}

const actions: readonly (readonly [name: string, action: Action])[] = [
  ['nextMessage', ({ editor, analysis, offset }) => goTo(editor, nextMessage(analysis, offset))],
  ['previousMessage', ({ editor, analysis, offset }) => goTo(editor, previousMessage(analysis, offset))],
  ['selectMessage', ({ editor, analysis, offset }) => select(editor, messageRange(analysis, offset))],
  ['selectMessageBody', ({ editor, analysis, offset }) => select(editor, bodyRange(analysis, offset))],
  ['copyMessageBody', ({ analysis, offset }) => copy(bodyAt(analysis, offset))],
  ['copyAsJson', ({ analysis, selection }) => copy(messagesAs('json', analysis, selection))],
  ['copyAsHarmony', ({ analysis, selection }) => copy(messagesAs('harmony', analysis, selection))],
  ['moveMessageUp', edits('moveUp')],
  ['moveMessageDown', edits('moveDown')],
  ['duplicateMessage', edits('duplicate')],
  ['deleteMessage', edits('delete')],
  ['splitMessage', edits('split')],
  ['joinMessages', edits('join')],
  ['wrapInLiteralBlock', rewrites('wrap')],
  ['unwrapLiteralBlock', rewrites('unwrap')],
  ['escapeTokens', rewrites('escape')],
  ['unescapeTokens', rewrites('unescape')],
]

async function runAt(analyses: LiveAnalyses, action: Action): Promise<void> {
  const editor = vscode.window.activeTextEditor
  if (editor?.document.languageId !== 'openchatml') return
  const { document, selection } = editor
  const place = {
    editor,
    analysis: analyses.of(document),
    selection: { start: document.offsetAt(selection.start), end: document.offsetAt(selection.end) },
    offset: document.offsetAt(selection.active),
  }
  try {
    if (await action(place)) return
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error
    void vscode.window.showWarningMessage(error.message)
    return
  }
  // In the status bar: it is read out, and it is not in the way.
  vscode.window.setStatusBarMessage(vscode.l10n.t('OpenChatML: nothing to do here'), noticeMilliseconds)
}

const noticeMilliseconds = 3000 // long enough to read five words

function goTo(editor: vscode.TextEditor, offset: number | undefined): boolean {
  return offset !== undefined && select(editor, { start: offset, end: offset })
}

function select(editor: vscode.TextEditor, range: Range | undefined): boolean {
  if (!range) return false
  const selection = new vscode.Selection(
    editor.document.positionAt(range.start),
    editor.document.positionAt(range.end),
  )
  editor.selections = [selection]
  editor.revealRange(selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport)
  return true
}

async function copy(text: string | undefined): Promise<boolean> {
  if (text === undefined) return false
  await vscode.env.clipboard.writeText(text)
  return true
}

function edits(command: MessageCommand): Action {
  return async ({ editor, analysis, offset }) => {
    const result = messageEdit(analysis, offset, command)
    if (!result || !(await replace(editor, result.edit, result.edit.text))) return false
    return goTo(editor, result.cursor)
  }
}

function rewrites(name: BodyRewriteName): Action {
  return async ({ editor, analysis, selection }) => {
    const edit = bodyRewrite(analysis, selection, name)
    return edit !== undefined && (await replace(editor, edit, edit.text))
  }
}

function replace(editor: vscode.TextEditor, { start, end }: Range, text: string): Thenable<boolean> {
  const { document } = editor
  const range = new vscode.Range(document.positionAt(start), document.positionAt(end))
  return editor.edit((builder) => builder.replace(range, text))
}
