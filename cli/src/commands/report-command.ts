/** `ocm report`: one page on datasets. */
import { DatasetStatistics, type Problem } from '../../../core/src/internal.ts'
import { type Arguments, UsageError } from '../arguments.ts'
import { countAtLeast, countsOf } from '../check/severities.ts'
import { defineCommand, type ExitStatus } from '../command.ts'
import { datasetSettings } from '../configuration/settings-by-dataset.ts'
import { reportTitle } from '../dataset/report-title.ts'
import { sampleOptions } from '../dataset/sample-options.ts'
import { runStretches, SampleReport, sampleFiles } from '../dataset/sample-run.ts'
import { incompletePart, type UnreadData, UnreadInput } from '../dataset/unread-input.ts'
import { FileProblem } from '../files/file-problem.ts'
import { isReadOnce, readSource } from '../files/read-source.ts'
import { refuseOtherThanPage } from '../files/refuse-output.ts'
import { assertReportPlace, writeReport } from '../files/report-file.ts'
import { Crew } from '../parallel/crew.ts'
import { ProblemSums } from '../report/problem-sums.ts'
import { reportHtml } from '../report/report-html.ts'
import { type ReadReport, type ReportParts, reportFromJson, reportJson } from '../report/report-json.ts'
import { ReportMarks } from '../report/report-marks.ts'
import type { ReportResult } from '../report/report-work.ts'
import { shardOf, shardOption } from '../shard-option.ts'
import type { Console } from '../terminal/console.ts'
import { safeJson } from '../terminal/displayable.ts'
import { untilReaderLeaves } from '../terminal/output.ts'
import { renderChoiceOf, templateOptions } from '../training/training-options.ts'

const options = {
  html: {
    kind: 'text',
    placeholder: 'FILE',
    summary: 'Where to write the page; by default, standard output',
  },
  format: {
    kind: 'choice',
    values: ['html', 'json'],
    default: 'html',
    summary: 'The format of the report: html for people, json for programs and --merge',
  },
  against: {
    kind: 'text',
    placeholder: 'FILE',
    summary: 'Report samples that are also in this dataset, for example in the test set',
  },
  'fail-on': {
    kind: 'choice',
    values: ['error', 'warning', 'hint', 'never'],
    default: 'never',
    summary: 'The lowest severity that sets the exit status to 1',
  },
  'with-hidden': {
    kind: 'flag',
    summary: 'Show hidden text, such as reasoning, in the samples of each problem',
  },
  merge: {
    kind: 'flag',
    summary: 'Combine JSON reports, for example of shards, instead of reading datasets',
  },
  ...templateOptions,
  'max-length': {
    kind: 'count',
    least: 1,
    summary: 'Report samples longer than N tokens; with --template, also truncate them',
  },
  shard: shardOption,
  ...sampleOptions,
} as const

type ReportValues = Arguments<typeof options>['values']

/** The command. */
export const reportCommand = defineCommand({
  name: 'report',
  operands: 'PATHS...',
  description: [
    'Writes a page about datasets: their contents, their problems, and samples of each problem.',
    'The page is self-contained. Hidden text is only shown with an option.',
    'A directory is searched for datasets.',
  ],
  options,
  statuses: ['1  a problem has the severity of --fail-on or a higher one'],
  examples: [
    ['ocm report --html report.html train.jsonl', 'write a page about a dataset'],
    [
      'ocm report --against test.jsonl --fail-on warning --html report.html train.jsonl',
      'fail a pipeline on warnings',
    ],
    ['ocm report --merge part-*.json --html report.html', 'combine the reports of shards'],
  ],
  run: async ({ values, operands: paths }, console) => {
    if (paths.length === 0) throw new UsageError('Name at least one file or directory, or `-`')
    const file = values.html
    if (values.format === 'json' && (file !== undefined || values['with-hidden']))
      throw new UsageError('`--html` and `--with-hidden` cannot be used with `--format json`')
    if (file !== undefined) {
      refuseOtherThanPage('--html', file)
      await assertReportPlace(file)
    }
    const marks = new ReportMarks({ areKept: values.format === 'json' })
    const { parts, status } = values.merge
      ? await mergedParts(paths, marks, console)
      : await partsOf(paths, values, { console, marks })
    const rules = values.merge ? [] : (await datasetSettings(values).of(paths[0] ?? '')).rules
    const together = marks.check.problems(rules)
    const text = values.format === 'json' ? `${reportJson(parts, marks)}\n` : pageOf(parts, together, values)
    if (file !== undefined) await writeReport(file, [new TextEncoder().encode(text)])
    else {
      const shown = values.format === 'json' && console.isTerminal ? safeJson(text) : text
      await untilReaderLeaves(() => console.output.write(shown))
    }
    const failOn = values['fail-on']
    if (status !== 0 || failOn === 'never') return status
    const counts = countsOf(together)
    for (const { severity, count } of parts.problems) counts[severity] += count
    return countAtLeast(counts, failOn) > 0 ? 1 : 0
  },
})

function pageOf(
  { datasets, statistics: data, problems, unread }: ReportParts,
  together: readonly Problem[],
  values: ReportValues,
): string {
  const statistics = new DatasetStatistics({ isRedacted: true })
  statistics.merge(data)
  const title = reportTitle('Report on', datasets)
  const maxLength = values['max-length']
  return [...reportHtml({ title, statistics, problems, together, maxLength, unread })].join('')
}

/** Takes one report after the other, so that no more than one is in memory, besides those of pipes. */
async function mergedParts(
  paths: readonly string[],
  marks: ReportMarks,
  console: Console,
): Promise<{ readonly parts: ReportParts; readonly status: ExitStatus }> {
  const datasets = new Set<string>()
  const statistics = new DatasetStatistics({ isRedacted: true })
  const sums = new ProblemSums()
  const unread = new UnreadInput()
  const held = new Map<string, FileReport>()
  const reportAt = async (path: string): Promise<FileReport> => {
    const report = held.get(path) ?? (await readReport(path, console))
    if (await isReadOnce(path)) held.set(path, report)
    return report
  }
  for (const path of paths) {
    const { others } = await reportAt(path)
    for (const it of others) marks.addOther(it)
    // Each shard was compared with the same dataset.
    if (others.length > 0) break
  }
  for (const path of paths) {
    const report = await reportAt(path)
    statistics.merge(report.statistics)
    sums.merge(report.problems)
    unread.merge(report.unread)
    if (report.unread.isError) console.complain(incompletePart(report.path))
    for (const it of report.datasets) datasets.add(it)
    for (const it of report.marks) marks.add(it)
  }
  const parts = { datasets: [...datasets], statistics: statistics.data(), problems: sums.data(), unread }
  return { parts, status: unread.isError ? 2 : 0 }
}

interface FileReport extends ReadReport {
  /** The file that it is in, as people see it. */
  readonly path: string
}

async function readReport(name: string, console: Console): Promise<FileReport> {
  const { path, text } = await readSource(name, console.input())
  const report = reportFromJson(text, path)
  if (!report) throw new FileProblem(path, 'is not a report of `ocm report --format json`')
  return { ...report, path }
}

async function partsOf(
  paths: readonly string[],
  values: ReportValues,
  { console, marks }: { readonly console: Console; readonly marks: ReportMarks },
): Promise<{ readonly parts: ReportParts; readonly status: ExitStatus }> {
  const statistics = new DatasetStatistics({ isRedacted: true })
  const sums = new ProblemSums()
  const { against } = values
  const unread = new UnreadInput()
  if (against !== undefined) {
    const take = (result: ReportResult) => {
      for (const it of result.marks) marks.addOther(it)
    }
    unread.merge(await readAll([against], { ...values, shard: undefined }, console, take))
  }
  const own = await readAll(paths, values, console, (result) => {
    statistics.merge(result.data)
    sums.merge(result.problems)
    for (const it of result.marks) marks.add(it)
  })
  unread.merge(own)
  const parts = { datasets: paths, statistics: statistics.data(), problems: sums.data(), unread }
  return { parts, status: unread.isError ? 2 : 0 }
}

/** Reads all samples; what could not be read. */
async function readAll(
  paths: readonly string[],
  values: ReportValues,
  console: Console,
  take: (result: ReportResult) => void,
): Promise<UnreadData> {
  const { 'bad-lines': badLines, 'with-hidden': hasHidden, from, dialect, role, jobs } = values
  const choice = await renderChoiceOf(values)
  const setup = {
    dialect,
    hasHidden,
    shard: shardOf(values.shard),
    choice,
    badLines,
    read: { from, dialect, role, rest: 'source', isTraced: choice !== undefined },
  } as const
  const crew = new Crew('report', setup, { jobs })
  const report = new SampleReport(console, badLines)
  const files = sampleFiles(paths, values)
  await runStretches(
    { files, crew, needsSamples: true, run: (input) => crew.run(input), take },
    console,
    report,
  )
  return report.unread
}
