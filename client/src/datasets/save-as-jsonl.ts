/** Writes a dataset, with its edits, as JSONL. */
import * as vscode from 'vscode'
import { reasonOf } from '../../../core/src/internal.ts'
import { showError, showWarning, withNotification } from '../notice.ts'
import type { DatasetDisk, DatasetLibrary } from './dataset-library.ts'
import type { DatasetView } from './dataset-view.ts'
import { askedTarget, nameOf, offerList } from './export-target.ts'
import { lineOf } from './matching-samples.ts'
import { writeLines } from './write-lines.ts'

/** What could not be written. */
interface Omitted {
  count: number
  /** The number of the first sample. */
  first: number | undefined
}

/** Writes the dataset at `uri` to `target`, or where the user says. */
export async function saveAsJsonl(
  library: DatasetLibrary,
  disk: DatasetDisk | undefined,
  uri: vscode.Uri,
  target?: vscode.Uri,
): Promise<void> {
  const to = target ?? (await askedTarget(uri, { title: vscode.l10n.t('Save as JSONL') }))
  if (!to) return
  const user = {}
  const { view, close } = await library.view(uri, user)
  const omitted: Omitted = { count: 0, first: undefined }
  try {
    const title = vscode.l10n.t('Saving {0}', nameOf(to))
    await withNotification(title, async (progress, token) => {
      await view.load()
      if (view.failure !== undefined) throw new Error(view.failure)
      if (await library.lists({ uri, view }, to))
        throw new Error(vscode.l10n.t('The export cannot overwrite its own dataset.'))
      await writeLines(to, linesOf(view, omitted, progress, token), disk)
    })
    if (omitted.count === 0) offerList(to, vscode.l10n.t('Exported to {0}', nameOf(to)))
    else offerList(to, omittedText(omitted), showWarning)
  } catch (error) {
    if (error instanceof vscode.CancellationError) return
    void showError(vscode.l10n.t('The dataset was not saved: {0}', reasonOf(error)))
  } finally {
    close()
  }
}

function omittedText({ count, first = 0 }: Omitted): string {
  return vscode.l10n.t('Samples that cannot be read were left out: {0}, the first is {1}', count, first)
}

const shownAtOnce = 1_000 // samples

/** The samples as lines. @throws CancellationError */
async function* linesOf(
  dataset: DatasetView,
  omitted: Omitted,
  progress: vscode.Progress<{ readonly increment?: number }>,
  token: vscode.CancellationToken,
): AsyncIterableIterator<Uint8Array> {
  const total = Math.max(1, dataset.index.size)
  let shown = 0
  for await (const { place, bytes, mistake } of dataset.samples()) {
    if (token.isCancellationRequested) throw new vscode.CancellationError()
    const line = mistake === undefined && bytes && lineOf(bytes)
    if (!line) {
      omitted.count++
      omitted.first ??= dataset.index.numberOf(place)
      continue
    }
    yield line
    if (place - shown < shownAtOnce) continue
    progress.report({ increment: (100 * (place - shown)) / total })
    shown = place
  }
}
