/** The reporters by the name of their format. */
import { UsageError } from '../arguments.ts'
import { githubReporter } from './github.ts'
import { jsonReporter } from './json-report.ts'
import { junitReporter } from './junit.ts'
import { prettyReporter } from './pretty.ts'
import type { Reporter } from './reporter.ts'
import { sarifReporter } from './sarif.ts'
import { jsonStatisticsReporter, statisticsReporter } from './statistics.ts'

/** The formats of `ocm check`. */
export const reportFormats = ['pretty', 'json', 'sarif', 'github', 'junit'] as const

/** A format. */
export type ReportFormat = (typeof reportFormats)[number]

const reporters: Readonly<Record<ReportFormat, Reporter>> = {
  pretty: prettyReporter,
  json: jsonReporter,
  sarif: sarifReporter,
  github: githubReporter,
  junit: junitReporter,
}

/** The reporter for `format`. @throws UsageError if there are no statistics in it */
export function reporterFor(format: ReportFormat, options: { readonly isStatistics: boolean }): Reporter {
  if (!options.isStatistics) return reporters[format]
  if (format === 'pretty') return statisticsReporter
  if (format === 'json') return jsonStatisticsReporter
  throw new UsageError(`\`--statistics\` works with \`--format pretty\` and \`json\`, not with \`${format}\``)
}
