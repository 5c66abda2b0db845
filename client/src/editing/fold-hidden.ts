/** Folds what no end user sees, and unfolds it. */
import * as vscode from 'vscode'
import { folds, hiddenMessages } from '../../../core/src/index.ts'
import { registerAction } from './editor-action.ts'
import type { LiveAnalyses } from './live-analyses.ts'

interface Hidden {
  /** Lines at which a fold begins. */
  readonly heads: readonly number[]
  /** Messages of more than one line. */
  readonly messages: readonly { readonly first: number; readonly last: number }[]
}

/** Registers `openchatml.foldHidden` and `openchatml.toggleHiddenText`. */
export function registerFoldHidden(context: vscode.ExtensionContext, analyses: LiveAnalyses): void {
  const folded = new WeakSet<vscode.TextEditor>()
  registerAction(context, analyses, 'foldHidden', async ({ editor }) => {
    folded.add(editor)
    return setFolded(hiddenIn(editor, analyses), true)
  })
  registerAction(context, analyses, 'toggleHiddenText', async ({ editor }) => {
    const hidden = hiddenIn(editor, analyses)
    const isToFold = isShown(editor, hidden) ?? !folded.has(editor)
    if (isToFold) folded.add(editor)
    else folded.delete(editor)
    return setFolded(hidden, isToFold)
  })
}

function hiddenIn({ document }: vscode.TextEditor, analyses: LiveAnalyses): Hidden {
  const analysis = analyses.of(document)
  const messages: { first: number; last: number }[] = []
  const begins = new Set<number>()
  for (const { start, end } of hiddenMessages(analysis)) {
    const [first, last] = [document.positionAt(start).line, document.positionAt(end).line]
    begins.add(first)
    if (last > first) messages.push({ first, last })
  }
  // A line without a fold of its own would fold what is around it: the turn, with what users see.
  const heads = new Set<number>()
  for (const { kind, start } of folds(analysis)) {
    const line = kind === 'run' || kind === 'message' ? document.positionAt(start).line : -1
    if (begins.has(line)) heads.add(line)
  }
  return { heads: [...heads], messages }
}

async function setFolded({ heads }: Hidden, isToFold: boolean): Promise<boolean> {
  if (heads.length === 0) return false
  const command = isToFold ? 'editor.fold' : 'editor.unfold'
  await vscode.commands.executeCommand(command, { selectionLines: heads, levels: 1, direction: 'down' })
  return true
}

/** Whether hidden text is on the screen; undefined if what is on the screen does not tell. What is folded is in no visible range. */
function isShown({ visibleRanges }: vscode.TextEditor, { messages }: Hidden): boolean | undefined {
  const top = visibleRanges[0]?.start.line ?? 0
  const bottom = visibleRanges.at(-1)?.end.line ?? 0
  const onScreen = messages.filter(({ first, last }) => top <= first && last <= bottom)
  if (onScreen.length === 0) return undefined
  return onScreen.some(({ last }) =>
    visibleRanges.some(({ start, end }) => start.line <= last && last <= end.line),
  )
}
