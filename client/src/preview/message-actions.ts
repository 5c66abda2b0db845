/** What the context menu of a message in a preview does, in the transcript. */
import * as vscode from 'vscode'
import {
  type Analysis,
  localize,
  type MessageCommand,
  messageEdit,
  type TextEdit,
} from '../../../core/src/internal.ts'
import { messagesAs } from '../editing/copied-messages.ts'

/** The entries of the menu; the command of each is `openchatml.preview.NAME`. */
export const messageActions = [
  'copyMessage',
  'copyAsJson',
  'copyAsHarmony',
  'goToSource',
  'editMessage',
  'hideLikeThis',
  'insertAbove',
  'insertBelow',
  'moveUp',
  'moveDown',
  'delete',
] as const

/** One of {@link messageActions}. */
export type MessageAction = (typeof messageActions)[number]

/** The message on which the menu was opened, as its page names it; undefined if it is no message. */
export function messageOfMenu(context: unknown): string | undefined {
  const id = (context as { readonly messageId?: unknown } | null | undefined)?.messageId
  return typeof id === 'string' ? id : undefined
}

/** What changes the transcript, and where the new message is, if there is one: an offset in the text as edited. */
export interface MessageChange {
  readonly edits: readonly TextEdit[]
  readonly inserted?: number
}

/**
 * The change that `command` makes to the message at `offset`; undefined where it can't be done.
 *
 * @param isWithReply true to delete the reply of a call as well, because both are shown as one
 */
export function messageChange(
  analysis: Analysis,
  offset: number,
  command: MessageCommand,
  isWithReply: boolean,
): MessageChange | undefined {
  const found = messageEdit(analysis, offset, command)
  if (!found) return undefined
  if (command === 'insertAbove' || command === 'insertBelow')
    return { edits: [found.edit], inserted: found.cursor }
  const reply = isWithReply && command === 'delete' ? replyOf(analysis, offset) : undefined
  const other = reply === undefined ? undefined : messageEdit(analysis, reply, command)
  return { edits: other ? [found.edit, other.edit] : [found.edit] }
}

/** Copies the message at `offset` in another form. Says why where that can't be done. */
export async function copyMessageAs(
  form: 'json' | 'harmony',
  analysis: Analysis,
  offset: number,
): Promise<void> {
  try {
    const text = messagesAs(form, analysis, [{ start: offset, end: offset }])
    if (text !== undefined) await vscode.env.clipboard.writeText(text)
  } catch (error) {
    void vscode.window.showWarningMessage(
      localize`This message cannot be copied in this form: ${error instanceof Error ? error.message : ''}`,
    )
  }
}

function replyOf({ transcript, exchanges }: Analysis, offset: number): number | undefined {
  const exchange = exchanges.exchange(transcript.segmentAt(offset).segment)
  return exchange?.kind === 'call' && exchange.partner
    ? transcript.locate(exchange.partner)?.start
    : undefined
}
