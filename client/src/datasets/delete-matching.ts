/** *Delete Matching Samples…*: asks, and deletes them as one change of each file. */
import * as vscode from 'vscode'
import { ChangeLog, type Spool } from '../../../core/src/internal.ts'
import { showWarning } from '../notice.ts'
import { offerUndo, refusesUnsaved, showFailedChange } from './change-samples.ts'
import type { Dataset } from './dataset.ts'
import type { FixedList } from './fix-matching.ts'
import { deleteFrom } from './matching-samples.ts'
import type { TakeAlongAnswers } from './take-along.ts'

/** Deletes the samples that `list` shows, if the user agrees. Nothing is thrown: what goes wrong is shown. */
export async function deleteMatching(
  list: Pick<FixedList, 'files' | 'matching'>,
  makeSpool: () => Promise<Spool>,
  { isConfirmed = false }: TakeAlongAnswers,
): Promise<void> {
  if (list.files.some(({ address }) => refusesUnsaved(address))) return
  const changed: Dataset[] = []
  try {
    const samples = await list.matching()
    const { files } = list
    if (samples.size === 0 || !(isConfirmed || (await isAgreed(samples.size)))) return
    for (const file of files) {
      const log = new ChangeLog(makeSpool)
      try {
        if (await deleteFrom(file, samples, log)) changed.push(file.dataset)
      } catch (error) {
        await log.close()
        throw error
      }
    }
    offerUndo(changed, vscode.l10n.t('Deleted samples: {0}.', samples.size))
  } catch (error) {
    showFailedChange(error, changed)
  }
}

async function isAgreed(count: number): Promise<boolean> {
  const remove = vscode.l10n.t('Delete')
  const answer = await showWarning(
    vscode.l10n.t('Delete the samples that the list shows ({0})?', count),
    { modal: true, detail: vscode.l10n.t('You can undo this until something else changes the file.') },
    remove,
  )
  return answer === remove
}
