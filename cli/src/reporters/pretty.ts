/** The reporter for people: each problem with its place, the source around it, related places and what can be done. */
import { type Problem, safeFixOf } from '../../../core/src/internal.ts'
import type { FileReport } from '../check/check-source.ts'
import { listedOfFile } from '../check/report-limits.ts'
import { severities } from '../check/severities.ts'
import { inputCode } from '../files/input-problem.ts'
import { placeText } from '../files/place-in.ts'
import { displayableLine, lineStart } from '../terminal/displayable.ts'
import { excerptOf } from './excerpt.ts'
import type { Reporter, ReportOptions, Summary } from './reporter.ts'

/** `path:line:column: severity: message [code rule]`, an excerpt, notes; at the end the sums. */
export const prettyReporter: Reporter = {
  separator: '',
  begin: () => '',
  *file(report, options) {
    for (const problem of report.problems) yield `${problemText(problem, report, options)}\n`
  },
  *input({ path, position, message, severity }, { style }) {
    const place = placeText(lineStart(path), position)
    const { code, rule } = inputCode
    yield `${style.strong(place)}: ${style.severity(severity, severity)}: ${displayableLine(message)} ${style.faint(`[${code} ${rule}]`)}\n\n`
  },
  end(summary, { style, isQuiet }) {
    if (isQuiet) return ''
    const lines = [style.strong(summaryLine(summary))]
    const [, ...others] = summary.forms
    if (others.length > 0) {
      const named = summary.forms.map(({ form, count: n, path }) => `${form} ${n} (${displayableLine(path)})`)
      lines.push(`The samples have ${summary.forms.length} forms: ${named.join(', ')}`)
    }
    if (summary.nOmitted > 0) {
      const reason = summary.isMaximumReached
        ? '`--max-problems` is reached'
        : `a report lists at most ${listedOfFile.toLocaleString('en')} of a file or sample`
      lines.push(`${count(summary.nOmitted, 'more problem')} not shown: ${reason}`)
    }
    if (summary.baseline?.known)
      lines.push(`${count(summary.baseline.known, 'known problem')} not shown: in the baseline`)
    if (summary.nFixed) lines.push(`${style.added(count(summary.nFixed, 'problem'))} fixed`)
    if (summary.nFixable > 0) {
      lines.push(`${count(summary.nFixable, 'problem')} can be fixed with \`--fix\`; \`--diff\` shows how`)
    }
    const hasProblems = severities.some((it) => summary.counts[it] > 0)
    if (hasProblems) lines.push(style.faint('`ocm rules NAME` explains a rule or a code'))
    return `${lines.join('\n')}\n`
  },
}

function problemText(
  problem: Problem,
  { path, analysis: { transcript }, dataset }: FileReport,
  { style, columns }: ReportOptions,
): string {
  const { code, rule, severity, message, range, related, fixes } = problem
  const place = (offset: number) =>
    dataset
      ? placeText(lineStart(dataset.path), dataset.positionAt(offset))
      : placeText(lineStart(path), transcript.positionAt(offset))
  const { gutter, source, carets } = excerptOf(transcript, range, columns)
  const margin = ' '.repeat(gutter.length)
  const told = `${style.severity(severity, severity)}: ${displayableLine(message)} ${style.faint(`[${code} ${rule}]`)}`
  // What concerns a whole dataset has no text to show.
  if (transcript.length === 0 && !dataset) return `${style.strong(lineStart(path))}: ${told}\n`
  const lines = [
    `${style.strong(place(range.start))}: ${told}`,
    `${style.faint(`${gutter}│`)} ${source}`.trimEnd(),
    `${style.faint(`${margin}│`)} ${style.severity(severity, carets)}`,
  ]
  if (dataset) {
    const { line, character } = transcript.positionAt(range.start)
    const where = dataset.path === path ? '' : ` of ${displayableLine(path)}`
    lines.push(
      `${margin}${style.faint('=')} in the transcript${where}: line ${line + 1}, column ${character + 1}`,
    )
  }
  for (const { range: there, message: note } of related) {
    lines.push(`${margin}${style.faint('=')} see ${place(there.start)}: ${displayableLine(note)}`)
  }
  const safe = dataset ? undefined : safeFixOf(problem)
  for (const fix of fixes) {
    const how = fix === safe ? ' (`--fix` does it)' : ''
    lines.push(`${margin}${style.faint('=')} fix: ${displayableLine(fix.title)}${how}`)
  }
  return `${lines.join('\n')}\n`
}

function summaryLine({ counts, nFiles, nSamples }: Summary): string {
  const parts: string[] = []
  if (counts.error > 0) parts.push(count(counts.error, 'error'))
  if (counts.warning > 0) parts.push(count(counts.warning, 'warning'))
  if (counts.information > 0) parts.push(`${counts.information} information`)
  if (counts.hint > 0) parts.push(count(counts.hint, 'hint'))
  const places: string[] = []
  if (nFiles > nSamples || nSamples === 0) places.push(count(nFiles - nSamples, 'file'))
  if (nSamples > 0) places.push(count(nSamples, 'sample'))
  return `${parts.length === 0 ? 'No problems' : parts.join(', ')} in ${places.join(' and ')}`
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
