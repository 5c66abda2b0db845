/** *Find Duplicates and Problems of the Dataset*: looks for duplicates and other problems of the whole dataset, and lists the samples concerned. */
import * as vscode from 'vscode'
import {
  asksForComparison,
  isAboutSamples,
  type Problem,
  type SampleMatcher,
} from '../../../core/src/internal.ts'
import { showNotice } from '../notice.ts'
import { type DatasetProblemSearch, type DatasetProblems, findDatasetProblems } from './dataset-problems.ts'
import type { FixedList } from './fix-matching.ts'
import { type TakeAlongAnswers, type TakenList, withProgress } from './take-along.ts'

/** A list whose samples are compared. */
export interface ComparedList extends Pick<FixedList, 'files'>, Pick<TakenList, 'matching' | 'search'> {
  /** Shows the problems of samples among the others from now on, until the dataset changes. */
  compared(found: DatasetProblems): void
}

/** Compares the samples of `list`, and offers to show those that have a problem. Nothing is thrown: what goes wrong is shown. */
export async function checkDataset(
  list: ComparedList,
  { isConfirmed = false }: TakeAlongAnswers,
): Promise<void> {
  let found: DatasetProblems | undefined
  await withProgress(vscode.l10n.t('Comparing all samples'), async (onSample) => {
    const samples = await list.matching()
    const { files } = list
    found = await findDatasetProblems({ files, options: samples.options, onSample: onSample(samples) })
  })
  if (!found) return
  list.compared(found)
  const { problems, nSamples, nOmitted } = found
  const compared =
    nOmitted === 0
      ? vscode.l10n.t('Samples compared: {0}', nSamples)
      : vscode.l10n.t('Samples compared: {0} · Samples that cannot be read: {1}', nSamples, nOmitted)
  if (problems.length === 0) {
    showNotice(`${vscode.l10n.t('No problems in the dataset as a whole')} · ${compared}`)
    return
  }
  const first = problems.find(isAboutSamples)
  const problem = isConfirmed ? first : await chosen(problems, compared)
  if (problem && isAboutSamples(problem)) list.search(`problem:${problem.code}`)
}

/**
 * Compares the samples of `list` when its query asks for what only that finds, such as `problem:W-DATA-DUPLICATE`. Does nothing if it doesn't
 * ask, and gives up once the query or the dataset is another one.
 */
export async function compareForQuery(
  list: Pick<ComparedList, 'files' | 'compared'>,
  matcher: SampleMatcher | undefined,
  { options, isCurrent }: Pick<DatasetProblemSearch, 'options'> & { readonly isCurrent: () => boolean },
): Promise<void> {
  if (!matcher || !asksForComparison(matcher)) return
  const onSample = () => {
    if (!isCurrent()) throw new vscode.CancellationError()
  }
  const title = vscode.l10n.t('Comparing all samples')
  try {
    await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, async () => {
      const found = await findDatasetProblems({ files: list.files, options, onSample })
      if (isCurrent()) list.compared(found)
    })
  } catch (error) {
    if (error instanceof vscode.CancellationError) return
    const reason = error instanceof Error ? error.message : String(error)
    void vscode.window.showErrorMessage(vscode.l10n.t('Duplicates are not listed: {0}', reason))
  }
}

async function chosen(problems: readonly Problem[], compared: string): Promise<Problem | undefined> {
  const items = problems.map((problem) => ({
    label: `$(warning) ${problem.code}`,
    description: isAboutSamples(problem) ? vscode.l10n.t('Show the samples') : '',
    detail: problem.message,
    problem,
  }))
  const answer = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Problems of the Dataset'),
    placeHolder: compared,
  })
  return answer?.problem
}
