/** Writes a dataset, with its edits, as JSONL. */
import * as vscode from 'vscode'
import { reasonOf } from '../../../core/src/internal.ts'
import { showError, showWarning, withNotification } from '../notice.ts'
import type { DatasetDisk, DatasetLibrary } from './dataset-library.ts'
import type { DatasetView } from './dataset-view.ts'
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
  const to = target ?? (await askedTarget(uri))
  if (!to) return
  if (to.toString() === uri.toString()) {
    void showError(vscode.l10n.t('The export cannot overwrite its own dataset.'))
    return
  }
  const user = {}
  const { view, close } = await library.view(uri, user)
  const omitted: Omitted = { count: 0, first: undefined }
  try {
    const title = vscode.l10n.t('Saving {0}', to.path.split('/').at(-1) ?? '')
    await withNotification(title, (progress, token) =>
      writeLines(to, linesOf(view, omitted, progress, token), disk),
    )
    if (omitted.count > 0) {
      void showWarning(
        vscode.l10n.t(
          'Samples that cannot be read were left out: {0}, the first is {1}',
          omitted.count,
          omitted.first ?? 0,
        ),
      )
    }
  } catch (error) {
    if (error instanceof vscode.CancellationError) return
    void showError(vscode.l10n.t('The dataset was not saved: {0}', reasonOf(error)))
  } finally {
    close()
  }
}

function askedTarget(uri: vscode.Uri): Thenable<vscode.Uri | undefined> {
  const name = (uri.path.split('/').at(-1) ?? '').replace(
    /(?:\.(?:jsonl|ndjson|json))?\.(?:gz|zst|parquet)$/i,
    '',
  )
  return vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(uri, '..', `${name.replace(/\.json$/i, '')}.jsonl`),
    filters: { JSONL: ['jsonl'] },
  })
}

const shownAtOnce = 1_000 // samples

/** The samples as lines. @throws CancellationError; an error if not all of the dataset can be read */
async function* linesOf(
  dataset: DatasetView,
  omitted: Omitted,
  progress: vscode.Progress<{ readonly increment?: number }>,
  token: vscode.CancellationToken,
): AsyncIterableIterator<Uint8Array> {
  await dataset.load()
  if (dataset.failure !== undefined) throw new Error(dataset.failure)
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
