/** Folds what no end user sees, and unfolds it. */
import * as vscode from 'vscode'
import { folds, hiddenMessages, lineFolds } from '../../../core/src/internal.ts'
import { registerAction } from './editor-action.ts'
import type { LiveAnalyses } from './live-analyses.ts'

/** Lines of a fold that begins with a hidden message. */
interface HiddenLines {
  readonly first: number
  readonly last: number
}

/** How many folds our language client asks the server for. */
const foldLimit = 5000

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

/** A line without such a fold would fold what is around it: the turn, with what users see. */
function hiddenIn({ document }: vscode.TextEditor, analyses: LiveAnalyses): readonly HiddenLines[] {
  const analysis = analyses.of(document)
  const begins = new Set<number>()
  for (const { start } of hiddenMessages(analysis)) begins.add(start)
  return lineFolds([...folds(analysis)], foldLimit).flatMap(({ kind, start, startLine, endLine }) => {
    const isOfMessages = kind === 'run' || kind === 'channel' || kind === 'message'
    return isOfMessages && begins.has(start) ? [{ first: startLine, last: endLine }] : []
  })
}

async function setFolded(hidden: readonly HiddenLines[], isToFold: boolean): Promise<boolean> {
  if (hidden.length === 0) return false
  const command = isToFold ? 'editor.fold' : 'editor.unfold'
  const selectionLines = hidden.map(({ first }) => first)
  await vscode.commands.executeCommand(command, { selectionLines, levels: 1, direction: 'down' })
  return true
}

/** Whether hidden text is on the screen; undefined if what is on the screen does not show it. What is folded is in no visible range. */
function isShown({ visibleRanges }: vscode.TextEditor, hidden: readonly HiddenLines[]): boolean | undefined {
  const top = visibleRanges[0]?.start.line ?? 0
  const bottom = visibleRanges.at(-1)?.end.line ?? 0
  const onScreen = hidden.filter(({ first, last }) => top <= first && last <= bottom)
  if (onScreen.length === 0) return undefined
  return onScreen.some(({ last }) =>
    visibleRanges.some(({ start, end }) => start.line <= last && last <= end.line),
  )
}
