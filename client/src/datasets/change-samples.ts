/** Adds, deletes, duplicates, and moves samples of a list: each is one change of the file, which can be undone. */
import * as vscode from 'vscode'
import { reasonOf, type SampleChange } from '../../../core/src/internal.ts'
import { showError, showInformation, showNotice, showWarning } from '../notice.ts'
import type { Dataset } from './dataset.ts'
import type { SampleAct } from './dataset-protocol.ts'
import { sampleAddress } from './sample-uri.ts'

/** The sample that has the focus in a list. */
export interface FocusedSample {
  /** The file that the sample is in. */
  readonly uri: vscode.Uri
  readonly dataset: Dataset
  /** Among the samples of the file. */
  readonly place: number
  /** Moves the focus to a sample of the file, so many places after this one. @returns false if it is not listed */
  focusAfter(by: number): Promise<boolean>
}

/** A conversation to begin with. */
const newSample = '{"messages": [{"role": "user", "content": ""}, {"role": "assistant", "content": ""}]}'

function encodedSample(): Uint8Array {
  return new TextEncoder().encode(newSample)
}

/** Does `act` at the sample. Nothing is thrown: what goes wrong is shown. */
export async function changeSample(
  act: SampleAct,
  { uri, dataset, place, focusAfter }: FocusedSample,
): Promise<void> {
  try {
    if (refusesUnsaved(uri)) return
    if (act === 'undo') {
      if (!(await dataset.undoChange())) showNotice(vscode.l10n.t('There are no changes to samples to undo'))
      return
    }
    await dataset.load()
    if (act === 'add' && dataset.index.size === 0) {
      await dataset.addFirst(encodedSample())
      await focusAfter(0)
      return
    }
    const isDone = await dataset.change(place, await dataset.bytesOf(place), changeOf(act))
    if (!isDone) showNotice(edgeText(act))
    else if (act === 'delete') offerUndo([dataset], vscode.l10n.t('Deleted a sample.'))
    else if (!(await focusAfter(act === 'up' ? -1 : 1)))
      showNotice(vscode.l10n.t('The query does not match the sample, so it is not listed'))
  } catch (error) {
    showFailedChange(error)
  }
}

/** Shows why datasets were not changed, and offers to take back the change of those that were. */
export function showFailedChange(error: unknown, changed: readonly Dataset[] = []): void {
  const reason = reasonOf(error)
  if (changed.length === 0) void showError(vscode.l10n.t('Nothing was changed: {0}', reason))
  else
    offerUndo(
      changed,
      vscode.l10n.t('Files that were changed: {0}. The others were not: {1}', changed.length, reason),
      showError,
    )
}

/** Why a sample was not moved. */
function edgeText(act: SampleAct): string {
  return act === 'up'
    ? vscode.l10n.t('This is the first sample of its file')
    : vscode.l10n.t('This is the last sample of its file')
}

function changeOf(act: Exclude<SampleAct, 'undo'>): SampleChange {
  return act === 'add' ? { kind: act, bytes: encodedSample() } : { kind: act }
}

/** Says what was done, the last change of each of `datasets`, and takes it back on request, unless there are others by then. */
export function offerUndo(datasets: readonly Dataset[], text: string, show = showInformation): void {
  const done = datasets.map((dataset) => ({ dataset, change: dataset.lastChange }))
  const undo = vscode.l10n.t('Undo')
  void show(text, undo).then(async (answer) => {
    if (answer !== undo) return
    let isUndone = true
    for (const { dataset, change } of done)
      isUndone = (await dataset.undoIfLast(change).catch(() => false)) && isUndone
    if (!isUndone) void showWarning(vscode.l10n.t('The file has changed since, so this cannot be undone.'))
  })
}

/** True, with a message, if a sample of the dataset at `uri` has unsaved changes, which a change of the file would make stale. */
export function refusesUnsaved(uri: vscode.Uri): boolean {
  if (!hasUnsaved(uri)) return false
  const text = vscode.l10n.t(
    'Save or revert the open samples of the dataset first: their numbers would change.',
  )
  void showWarning(text)
  return true
}

/** True if the file, or one of its samples, has unsaved changes in an editor. */
function hasUnsaved(uri: vscode.Uri): boolean {
  return vscode.workspace.textDocuments.some((document) => {
    if (!document.isDirty) return false
    const dataset = sampleAddress(document.uri)?.dataset ?? document.uri
    return dataset.toString() === uri.toString()
  })
}
