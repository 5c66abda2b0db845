/** How far a review is, for people and programs. */

import { decisions, isReviewDone, type ReviewSummary } from '../../../core/src/internal.ts'
import { count } from '../stats/stats-text.ts'
import { displayableLine, lineStart } from '../terminal/displayable.ts'

/** A dataset with what is decided about it. */
export interface CountedDataset {
  /** As people see it. */
  readonly path: string
  readonly summary: ReviewSummary
}

/** The counts as lines, a paragraph a dataset. */
export function reviewStatsText(counted: readonly CountedDataset[]): string {
  return counted.map(datasetText).join('\n')
}

function datasetText({ path, summary }: CountedDataset): string {
  const { samples, stale, undecided, labels, notes, people } = summary
  const decided = samples - undecided - stale
  const share = samples === 0 ? '' : ` (${((100 * decided) / samples).toFixed(1)} %)`
  const head = `${lineStart(path)}: ${count(decided)} of ${count(samples)} decided${share}`
  const rows = [...counts(summary), ['stale', stale], ['undecided', undecided]] as const
  const lines = rows
    .filter(([, times]) => times > 0)
    .map(([name, times]) => `  ${name.padEnd(9)} ${count(times)}`)
  const list = (title: string, values: ReadonlyMap<string, number>) => {
    if (values.size === 0) return
    const items = [...values].map(
      ([name, times]) => `${displayableLine(name) || '(no name)'} ${count(times)}`,
    )
    lines.push(`  ${title}: ${items.join(', ')}`)
  }
  list('labels', labels)
  list('reviewers', people)
  if (notes > 0) lines.push(`  notes: ${count(notes)}`)
  return `${[head, ...lines].join('\n')}\n`
}

/** The counts as JSON. */
export function reviewStatsJson(counted: readonly CountedDataset[]): string {
  const files = counted.map(({ path, summary }) => {
    const { samples, stale, undecided, labels, notes, people } = summary
    return {
      path,
      samples,
      ...Object.fromEntries(counts(summary)),
      stale,
      undecided,
      labels: Object.fromEntries(labels),
      notes,
      reviewers: Object.fromEntries(people),
      done: isReviewDone(summary),
    }
  })
  return `${JSON.stringify({ files, done: files.every(({ done }) => done) }, undefined, 2)}\n`
}

function counts({ decisions: known }: ReviewSummary): readonly (readonly [name: string, times: number])[] {
  return [...decisions, 'conflict' as const].map((it) => [it, known.get(it) ?? 0])
}
