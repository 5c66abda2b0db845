/** *Find Duplicates and Problems of the Dataset*: looks for duplicates and other problems of the whole dataset, and lists the samples concerned. */
import * as vscode from 'vscode'
import { isAboutSamples, type Problem } from '../../../core/src/internal.ts'
import { showNotice } from '../notice.ts'
import { withoutIcons } from '../text-without-links.ts'
import type { DatasetProblems } from './dataset-problems.ts'
import type { SampleComparison } from './sample-comparison.ts'
import { type TakeAlongAnswers, type TakenList, withProgress } from './take-along.ts'

/** A list whose samples are compared. */
export type ComparedList = Pick<TakenList, 'matching' | 'search'> & Pick<SampleComparison, 'compare'>

/** Compares the samples of `list`, and offers to show those that have a problem. Nothing is thrown: what goes wrong is shown. */
export async function checkDataset(
  list: ComparedList,
  { isConfirmed = false }: TakeAlongAnswers,
): Promise<void> {
  let found: DatasetProblems | undefined
  await withProgress(vscode.l10n.t('Comparing all samples'), async (onSample) => {
    found = await list.compare(onSample(await list.matching()))
  })
  if (!found) return
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

async function chosen(problems: readonly Problem[], compared: string): Promise<Problem | undefined> {
  const items = problems.map((problem) => ({
    label: `$(warning) ${problem.code}`,
    description: isAboutSamples(problem) ? vscode.l10n.t('Show the samples') : '',
    detail: withoutIcons(problem.message),
    problem,
  }))
  const answer = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Problems of the Dataset'),
    placeHolder: compared,
  })
  return answer?.problem
}
