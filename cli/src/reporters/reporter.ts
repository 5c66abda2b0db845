/** What a reporter is: pure functions from reports to text, so that they can run wherever the checking runs. */

import type { Severity } from '../../../core/src/internal.ts'
import type { FileReport } from '../check/check-source.ts'
import type { CustomCheck } from '../check/custom-checks.ts'
import type { SeverityCounts } from '../check/severities.ts'
import type { FormCount, RuleCount } from '../check/tally.ts'
import type { InputProblem } from '../files/input-problem.ts'
import type { Style } from '../terminal/colour.ts'

/** The sums over all files. */
export interface Summary {
  /** How many files were checked; samples of datasets count as files. */
  readonly nFiles: number
  /** How many of them were samples. */
  readonly nSamples: number
  readonly counts: SeverityCounts
  /** How many problems have a safe fix that was not applied. */
  readonly nFixable: number
  /** How many fixes were applied; undefined if that was not asked for. */
  readonly nFixed: number | undefined
  /** How many problems were left out of the report, because there are too many. */
  readonly nOmitted: number
  /** True if as many problems are listed as `--max-problems` allows. */
  readonly isMaximumReached: boolean
  /** What the baseline says; undefined if there is none. */
  readonly baseline: BaselineSums | undefined
  /** How often each rule reports, the most frequent first. */
  readonly rules: readonly RuleCount[]
  /** The forms of samples, the most frequent first. */
  readonly forms: readonly FormCount[]
  /** True if something could not be read or written. */
  readonly hasFailed: boolean
  /** The first of what could not be read or written. */
  readonly inputs: readonly InputProblem[]
}

/** How a run compares with its baseline. */
export interface BaselineSums {
  /** Problems that are not reported, because the baseline has them. */
  readonly known: number
  /** Problems of the baseline that no longer occur. */
  readonly stale: number
}

/** How a reporter writes. */
export interface ReportOptions {
  readonly style: Style
  /** Width of a line. */
  readonly columns: number
  /** The least severity that makes the run fail. */
  readonly failOn: Severity
  /** True to leave the summary for people out. */
  readonly isQuiet: boolean
  /** The version of the program. */
  readonly version: string
  /** The checks of the run that are not rules, by name. */
  readonly custom: readonly Pick<CustomCheck, 'name' | 'severity'>[]
}

/** Makes the text of `ocm check`. */
export interface Reporter {
  /** Stands between the texts of two files, unless there is none for one of them. */
  readonly separator: string
  /** Before the first file. */
  begin(options: ReportOptions): string
  /** For each file, in order. It knows nothing of the other files. */
  file(report: FileReport, options: ReportOptions): Iterable<string>
  /** For what could not be read, in its turn among the files. */
  input(problem: InputProblem, options: ReportOptions): Iterable<string>
  /** After the last file. */
  end(summary: Summary, options: ReportOptions): string
}
