/** Counts problems by severity, and compares severities. */
import type { Problem, Severity } from '../../../core/src/internal.ts'

/** The severities, worst first. */
export const severities: readonly Severity[] = ['error', 'warning', 'information', 'hint']

/** How many problems there are of each severity. */
export type SeverityCounts = Record<Severity, number>

/** The counts of `problems`. */
export function countsOf(problems: readonly Problem[]): SeverityCounts {
  const counts: SeverityCounts = { error: 0, warning: 0, information: 0, hint: 0 }
  for (const { severity } of problems) counts[severity]++
  return counts
}

/** How many problems are as bad as `least`, or worse. */
export function countAtLeast(counts: SeverityCounts, least: Severity): number {
  return severities
    .slice(0, severities.indexOf(least) + 1)
    .reduce((sum, severity) => sum + counts[severity], 0)
}
