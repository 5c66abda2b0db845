/** The reporters of `--statistics`: how often each rule reports, and no single problem. */
import { safeJson } from '../terminal/displayable.ts'
import { prettyReporter } from './pretty.ts'
import type { Reporter } from './reporter.ts'

/** A line per rule, and the sums, for people. */
export const statisticsReporter: Reporter = {
  separator: '',
  begin: () => '',
  file: () => [],
  input: () => [],
  end(summary, options) {
    const { style } = options
    const { rules } = summary
    const width = (of: (rule: (typeof rules)[number]) => string) =>
      Math.max(0, ...rules.map((it) => of(it).length))
    const countWidth = width(({ count }) => String(count))
    const severityWidth = width(({ severity }) => severity)
    const codeWidth = width(({ code }) => code)
    const lines = rules.map(({ rule, code, severity, count, nFixable }) => {
      const fixable = nFixable > 0 ? style.faint(`  (${nFixable} with \`--fix\`)`) : ''
      const named = `${style.severity(severity, severity.padEnd(severityWidth))}  ${code.padEnd(codeWidth)}`
      return `${String(count).padStart(countWidth)}  ${named}  ${rule}${fixable}\n`
    })
    return `${lines.join('')}${lines.length > 0 ? '\n' : ''}${prettyReporter.end(summary, options)}`
  },
}

/** The same as one JSON object. */
export const jsonStatisticsReporter: Reporter = {
  separator: '',
  begin: () => '',
  file: () => [],
  input: () => [],
  end({ rules, nFiles, counts, nFixed }) {
    const list = rules.map(({ rule, code, severity, count, nFixable }) =>
      JSON.stringify({ rule, code, severity, count, fixable: nFixable }),
    )
    const fixed = nFixed === undefined ? '' : `,"fixed":${nFixed}`
    const lines = list.map((it) => `\n${it}`).join(',')
    return safeJson(
      `{"schemaVersion":1,"statistics":[${lines}${list.length > 0 ? '\n' : ''}],"files":${nFiles},"errors":${counts.error},"warnings":${counts.warning}${fixed}}\n`,
    )
  },
}
