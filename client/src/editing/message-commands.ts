/** Commands on the message at the cursor, and on the text of its body. Each asks the core what to do, and does it. */
import * as vscode from 'vscode'
import {
  type BodyRewriteName,
  bodyAt,
  bodyRange,
  bodyRewrite,
  localize,
  type MessageCommand,
  type MessageRefusal,
  messageEdit,
  messageRange,
  nextMessage,
  previousMessage,
  type Range,
  type TextEdit,
} from '../../../core/src/internal.ts'
import { showNotice } from '../notice.ts'
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
    if (result === 'unfit') return false
    if (typeof result === 'string') {
      showNotice(refusalText(result))
      return true
    }
    if (!(await apply(editor, [...result.edits]))) return false
    return goTo(editor, result.cursor)
  }
}

/** Why a command cannot be done, in a sentence. */
export function refusalText(refusal: MessageRefusal): string {
  switch (refusal) {
    case 'first':
      return localize`This is the first message.`
    case 'last':
      return localize`This is the last message.`
    case 'apart':
      return localize`A call and its reply are not next to each other here. Edit the transcript instead.`
    case 'stray':
      return localize`The text after this message is not part of any message. Edit the transcript instead.`
    case 'preamble':
      return localize`Move the first message to a line of its own before you do this.`
    case 'incomplete':
      return localize`This cannot be done here: a message next to it is cut off.`
    case 'unfit':
      return localize`This cannot be done here.`
    default:
      return refusal satisfies never
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
