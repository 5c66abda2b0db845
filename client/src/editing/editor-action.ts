/** Commands on the transcript in the active editor: what they are given, and what is said when there is nothing to do. */

import * as vscode from 'vscode'
import { type Analysis, ConversionError, type Range, type TextEdit } from '../../../core/src/internal.ts'
import { rangeIn } from '../document-range.ts'
import { showNotice, showWarning } from '../notice.ts'
import type { LiveAnalyses } from './live-analyses.ts'

/** An editor with a transcript, and what is known of it. */
export interface Place {
  readonly editor: vscode.TextEditor
  readonly analysis: Analysis
  /** All selections, the primary one first. */
  readonly selections: readonly Range[]
  /** Where the cursor of the primary selection is. */
  readonly offset: number
}

/** Does something at a place; false if there is nothing to do there. `argument` is what a program passed. */
export type Action = (place: Place, argument: unknown) => boolean | Promise<boolean>

/** Registers `openchatml.NAME`. */
export function registerAction(
  context: vscode.ExtensionContext,
  analyses: LiveAnalyses,
  name: string,
  action: Action,
): void {
  const run = (argument?: unknown) => runAt(analyses, action, argument)
  context.subscriptions.push(vscode.commands.registerCommand(`openchatml.${name}`, run))
}

async function runAt(analyses: LiveAnalyses, action: Action, argument: unknown): Promise<void> {
  const editor = vscode.window.activeTextEditor
  if (editor?.document.languageId !== 'openchatml') return
  const { document, selection, selections } = editor
  const rangeOf = ({ start, end }: vscode.Selection): Range => ({
    start: document.offsetAt(start),
    end: document.offsetAt(end),
  })
  const place = {
    editor,
    analysis: analyses.of(document),
    selections: selections.map(rangeOf),
    offset: document.offsetAt(selection.active),
  }
  try {
    if (await action(place, argument)) return
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error
    void showWarning(error.message)
    return
  }
  showNotice(vscode.l10n.t('OpenChatML: nothing to do here'))
}

/** Makes `edits`, all in the coordinates of the text before them, as one step of undo; false if the editor refuses. */
export function apply(editor: vscode.TextEditor, edits: readonly TextEdit[]): Thenable<boolean> {
  const { document } = editor
  return editor.edit((builder) => {
    for (const it of edits) builder.replace(rangeIn(document, it), it.text)
  })
}
