/** What the context menu of a message in a preview does, in the transcript. */
import * as vscode from 'vscode'
import { type Analysis, type BodyRefusal, localize } from '../../../core/src/internal.ts'
import { messagesAs } from '../editing/copied-messages.ts'
import { showWarning } from '../notice.ts'

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

/** The message on which the menu was opened, as its page names it; undefined if it is not a message. */
export function messageOfMenu(context: unknown): string | undefined {
  const id = (context as { readonly messageId?: unknown } | null | undefined)?.messageId
  return typeof id === 'string' ? id : undefined
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
    void showWarning(
      localize`This message cannot be copied in this form: ${error instanceof Error ? error.message : ''}`,
    )
  }
}

/** Why a text that was edited in place is not in the transcript, in a sentence. */
export function notSaved(refusal: BodyRefusal): string {
  switch (refusal) {
    case 'changed':
      return localize`The message was changed elsewhere while you edited it. Save again to replace it with your text.`
    case 'unfit':
      return localize`This text cannot be saved here, because it would become more than text. Edit the source instead.`
    default:
      return refusal satisfies never
  }
}

/** Puts a text on the clipboard that can't be saved, because its message is gone or is another one now. */
export async function keepText(text: string): Promise<void> {
  await vscode.env.clipboard.writeText(text)
  void showWarning(localize`The message you edited is no longer here. Your text was copied to the clipboard.`)
}
