/** What a reporter is: pure functions from reports to text, so that they can run wherever the checking runs. */
import type { FileReport } from '../check/check-source.ts'
import type { SeverityCounts } from '../check/severities.ts'
import type { Style } from '../terminal/colour.ts'

/** The sums over all files. */
export interface Summary {
  /** How many files were checked. */
  readonly nFiles: number
  readonly counts: SeverityCounts
  /** How many problems have a safe fix that was not applied. */
  readonly nFixable: number
  /** How many fixes were applied; undefined if that was not asked for. */
  readonly nFixed: number | undefined
}

/** How a reporter writes. */
export interface ReportOptions {
  readonly style: Style
  /** Width of a line. */
  readonly columns: number
}

/** Makes the text of `ocm check`. */
export interface Reporter {
  /** Before the first file. */
  begin(options: ReportOptions): string
  /** For each file, in order. */
  file(report: FileReport, index: number, options: ReportOptions): Iterable<string>
  /** After the last file. */
  end(summary: Summary, options: ReportOptions): string
}
