/** Commands on the message at the cursor, and on the text of its body. Each asks the core what to do, and does it. */
import * as vscode from 'vscode'
import {
  type BodyRewriteName,
  bodyAt,
  bodyRange,
  bodyRewrite,
  type MessageCommand,
  messageEdit,
  messageRange,
  nextMessage,
  previousMessage,
  type Range,
  type TextEdit,
} from '../../../core/src/internal.ts'
import { messagesAs } from './copied-messages.ts'
import { type Action, apply, registerAction } from './editor-action.ts'
import type { LiveAnalyses } from './live-analyses.ts'

/** Registers the commands. */
export function registerMessageCommands(context: vscode.ExtensionContext, analyses: LiveAnalyses): void {
  for (const [name, action] of actions) {
    registerAction(context, analyses, name, action)
  }
}

const actions: readonly (readonly [name: string, action: Action])[] = [
  ['nextMessage', ({ editor, analysis, offset }) => goTo(editor, nextMessage(analysis, offset))],
  ['previousMessage', ({ editor, analysis, offset }) => goTo(editor, previousMessage(analysis, offset))],
  ['selectMessage', ({ editor, analysis, offset }) => select(editor, messageRange(analysis, offset))],
  ['selectMessageBody', ({ editor, analysis, offset }) => select(editor, bodyRange(analysis, offset))],
  ['copyMessageBody', ({ analysis, offset }) => copy(bodyAt(analysis, offset))],
  ['copyAsJson', ({ analysis, selections }) => copy(messagesAs('json', analysis, selections))],
  ['copyAsHarmony', ({ analysis, selections }) => copy(messagesAs('harmony', analysis, selections))],
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
    if (!result || !(await apply(editor, [...result.edits]))) return false
    return goTo(editor, result.cursor)
  }
}

function rewrites(name: BodyRewriteName): Action {
  return async ({ editor, analysis, selections }) => {
    const edits = new Map<number, TextEdit>() // several cursors may be in one literal block
    for (const selection of selections) {
      const edit = bodyRewrite(analysis, selection, name)
      if (edit) edits.set(edit.start, edit)
    }
    return edits.size > 0 && (await apply(editor, [...edits.values()]))
  }
}
