/** A report on a dataset as one page: what it is, and what is wrong with it. Nothing is loaded from anywhere, and nothing in it runs. */
import type { DatasetStatistics, Problem } from '../../../core/src/internal.ts'
import type { UnreadData } from '../dataset/unread-input.ts'
import { escaped, statsHtml } from '../stats/stats-html.ts'
import { count } from '../stats/stats-text.ts'
import type { ProblemSumsData } from './problem-sums.ts'

/** What a report says. */
export interface ReportContent {
  readonly title: string
  readonly statistics: DatasetStatistics
  /** Of single samples. */
  readonly problems: ProblemSumsData
  /** Of all samples together. */
  readonly together: readonly Problem[]
  readonly maxLength: number | undefined
  readonly unread: UnreadData
}

/** The page. */
export function reportHtml({
  title,
  statistics,
  problems,
  together,
  maxLength,
  unread,
}: ReportContent): Iterable<string> {
  const lead = problemSections({ problems, together, unread })
  return statsHtml(statistics, { title, maxLength, by: undefined, unread, lead })
}

function* problemSections({
  problems,
  together,
  unread,
}: Pick<ReportContent, 'problems' | 'together' | 'unread'>): IterableIterator<string> {
  if (problems.length + together.length + unread.count === 0) {
    yield '<p>No problems were found.</p>\n'
    return
  }
  if (together.length > 0) {
    yield '<h2>Problems of the whole dataset</h2>\n<table>\n'
    for (const { code, severity, message } of together)
      yield `<tr><th scope="row">${escaped(code)}</th><td>${severity}</td><td class="words">${escaped(message)}</td></tr>\n`
    yield '</table>\n'
  }
  if (problems.length === 0) return
  yield '<h2>Problems of samples</h2>\n'
  for (const { code, rule, severity, count: times, examples } of problems) {
    yield `<details><summary>${escaped(code)} <code>${escaped(rule)}</code>: ${severity}, ${count(times)}</summary>\n<table>\n`
    for (const { place, message, words } of examples)
      yield `<tr><th scope="row">${escaped(place)}</th><td class="words">${escaped(message)}</td><td class="words">${escaped(words)}</td></tr>\n`
    yield '</table>\n</details>\n'
  }
}
