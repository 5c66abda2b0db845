/** `ocm stats`: the columns of datasets summed up. */
import {
  DatasetStatistics,
  isReviewField,
  isSideField,
  isStandardColumn,
  mostFields,
  standardColumns,
  unknownColumnText,
} from '../../../core/src/internal.ts'
import { type Arguments, UsageError } from '../arguments.ts'
import { defineCommand, type ExitStatus } from '../command.ts'
import { datasetSettings } from '../configuration/settings-by-dataset.ts'
import { reportTitle } from '../dataset/report-title.ts'
import { sampleOptions } from '../dataset/sample-options.ts'
import { runStretches, SampleReport } from '../dataset/sample-run.ts'
import { incompletePart, type UnreadData, UnreadInput } from '../dataset/unread-input.ts'
import { FileProblem } from '../files/file-problem.ts'
import { readSource } from '../files/read-source.ts'
import { Crew } from '../parallel/crew.ts'
import { ReviewedDatasets } from '../review/reviewed-dataset.ts'
import { shardOf, shardOption } from '../shard-option.ts'
import { statsHtml } from '../stats/stats-html.ts'
import { type ReadStatistics, statsFromJson, statsJson } from '../stats/stats-json.ts'
import { StatsParquet } from '../stats/stats-parquet.ts'
import { statsText } from '../stats/stats-text.ts'
import type { StatsResult } from '../stats/stats-work.ts'
import type { Console } from '../terminal/console.ts'
import { safeJson } from '../terminal/displayable.ts'
import { untilReaderLeaves } from '../terminal/output.ts'
import { renderChoiceOf, templateOptions } from '../training/training-options.ts'

const options = {
  format: {
    kind: 'choice',
    values: ['text', 'json', 'html', 'parquet'],
    default: 'text',
    summary:
      'The format of the report: text for people, json for programs and --merge, html for a page with plots, parquet for a row per sample',
  },
  by: {
    kind: 'text',
    placeholder: 'COLUMN',
    summary: 'Also summarize the samples for each value of a column',
  },
  columns: {
    kind: 'text',
    placeholder: 'NAMES',
    isList: true,
    summary:
      'Summarize only these columns, separated by commas; without tokens, errors, and warnings it is faster',
  },
  'max-length': {
    kind: 'count',
    least: 1,
    summary: 'Report how many samples are longer than N tokens, and how many sequences they fill',
  },
  ...templateOptions,
  merge: {
    kind: 'flag',
    summary: 'Combine JSON reports, for example of shards, instead of reading datasets',
  },
  shard: shardOption,
  ...sampleOptions,
} as const

type StatsValues = Arguments<typeof options>['values']

/** The command. */
export const statsCommand = defineCommand({
  name: 'stats',
  operands: 'PATHS...',
  description: [
    'Summarizes datasets: the length of samples, their messages and calls, forms, tools, other fields, and problems.',
    'Numbers are summarized as minimum, median, 90 %, 99 %, maximum, and mean; other values by their frequency. Texts of conversations are never listed.',
    'A directory is searched for datasets.',
  ],
  options,
  examples: [
    ['ocm stats train.jsonl', 'summarize a dataset'],
    ['ocm stats --by source --columns messages,chars data/', 'compare its sources quickly'],
    ['ocm stats --format html --max-length 4096 train.jsonl > stats.html', 'write a page with plots'],
    ['ocm stats --merge part-*.json', 'combine the reports of shards'],
    ['ocm stats --format parquet train.jsonl > columns.parquet', 'write the columns for DuckDB or pandas'],
  ],
  run: async ({ values, operands: paths }, console) => {
    if (paths.length === 0) throw new UsageError('Name at least one file or directory, or `-`')
    refuseIdleLength(values)
    if (values.format === 'parquet') return writeParquet(paths, values, console)
    const statistics = new DatasetStatistics({ by: values.by, columns: columnsOf(values), isRedacted: true })
    const { datasets, unread, ...asked } = values.merge
      ? await addReports(paths, statistics, console)
      : {
          datasets: paths,
          by: undefined,
          maxLength: undefined,
          unread: await addDatasets(paths, values, console, ({ data }) => statistics.merge(data)),
        }
    for (const it of unknownColumns(statistics, values))
      console.complain(
        statistics.refused.has(it) ? refusedText(it) : unknownColumnText(it, statistics.fieldNames),
      )
    const stated = { by: values.by ?? asked.by, maxLength: values['max-length'] ?? asked.maxLength, unread }
    if (statistics.hasMoreFields) console.complain(moreFieldsText)
    const { output } = console
    await untilReaderLeaves(async () => {
      if (values.format === 'json') {
        const json = `${statsJson(statistics, { ...stated, datasets })}\n`
        await output.write(console.isTerminal ? safeJson(json) : json)
      } else {
        const title = reportTitle('Statistics of', datasets)
        const pieces =
          values.format === 'html'
            ? statsHtml(statistics, { ...stated, title })
            : statsText(statistics, stated)
        await output.writeAll(pieces)
      }
    })
    return unread.isError ? 2 : 0
  },
})

/** Said where a part of the fields is left out. */
const moreFieldsText = `Only the first ${mostFields} fields of samples are summarized; to summarize others, name them with \`--columns\``

/** @throws UsageError for a length that nothing is compared with; a template also truncates samples to it */
function refuseIdleLength(values: StatsValues): void {
  const { 'max-length': maxLength, template } = values
  const hasTokens = columnsOf(values)?.includes('tokens') ?? true
  if (maxLength !== undefined && template === undefined && !hasTokens)
    throw new UsageError('`--max-length` requires `tokens` in `--columns`')
}

/** @throws UsageError for a field that may hold text of conversations */
function columnsOf({ columns, by }: StatsValues): readonly string[] | undefined {
  const names = columns?.split(',').map((it) => it.trim())
  const asked = [...(names ?? []).map((it) => ['columns', it]), ...(by === undefined ? [] : [['by', by]])]
  for (const [option, name = ''] of asked) {
    if (name === '') throw new UsageError(`\`--${option}\` has an empty name`)
    if (!isStandardColumn(name) && !isSideField(name)) throw new UsageError(refusedText(name))
  }
  return names
}

function refusedText(name: string): string {
  return `\`${name}\` may contain text of conversations, which is not listed`
}

/** The columns that were asked for and that no sample has. */
function unknownColumns(statistics: DatasetStatistics, values: StatsValues): readonly string[] {
  if (statistics.samples === 0) return []
  const { by } = values
  const known = new Set(statistics.names)
  if (by !== undefined && statistics.groups.some(([value]) => value !== '')) known.add(by)
  const wanted = new Set([...(columnsOf(values) ?? []), ...(by === undefined ? [] : [by])])
  return [...wanted].filter((it) => !isStandardColumn(it) && !known.has(it))
}

/** Writes the columns themselves. */
async function writeParquet(
  paths: readonly string[],
  values: StatsValues,
  console: Console,
): Promise<ExitStatus> {
  if (values.by !== undefined || values['max-length'] !== undefined || values.merge)
    throw new UsageError('`--by`, `--max-length`, and `--merge` cannot be used with `--format parquet`')
  if (console.isTerminal) throw new UsageError('`--format parquet` is not text; redirect it to a file')
  const parquet = new StatsParquet(columnsOf(values))
  try {
    const { isError } = await addDatasets(
      paths,
      values,
      console,
      ({ table }, shown) => table && parquet.add(shown, table),
    )
    if (parquet.hasMoreFields) console.complain(moreFieldsText)
    await untilReaderLeaves(() => parquet.writeTo(console.output))
    return isError ? 2 : 0
  } finally {
    await parquet.close()
  }
}

/** Adds reports; the datasets that they are of, what is not in them, and what all of them were asked for. */
async function addReports(
  paths: readonly string[],
  statistics: DatasetStatistics,
  console: Console,
): Promise<Omit<ReadStatistics, 'data'>> {
  const datasets = new Set<string>()
  const columns = new Set<string | undefined>()
  const lengths = new Set<number | undefined>()
  const unread = new UnreadInput()
  for (const name of paths) {
    const { path, text } = await readSource(name, console.input())
    const report = statsFromJson(text, path)
    if (!report) throw new FileProblem(path, 'is not a report of `ocm stats --format json`')
    statistics.merge(report.data)
    unread.merge(report.unread)
    if (report.unread.isError) console.complain(incompletePart(path))
    for (const it of report.datasets) datasets.add(it)
    columns.add(report.by)
    lengths.add(report.maxLength)
  }
  return { datasets: [...datasets], by: only(columns), maxLength: only(lengths), unread }
}

/** The element, if there is one only. */
function only<Element>(elements: ReadonlySet<Element>): Element | undefined {
  return elements.size === 1 ? [...elements][0] : undefined
}

/** Adds datasets; what of them could not be read. */
async function addDatasets(
  paths: readonly string[],
  values: StatsValues,
  console: Console,
  take: (result: StatsResult, shown: string) => Promise<void> | void,
): Promise<UnreadData> {
  const { 'bad-lines': badLines, from, dialect, role, by, jobs } = values
  const choice = await renderChoiceOf(values)
  const setup = {
    by,
    columns: columnsOf(values),
    dialect,
    shard: shardOf(values.shard),
    badLines,
    read: { from, dialect, role, rest: 'source', isTraced: choice !== undefined },
    choice,
    isTable: values.format === 'parquet',
  } as const
  const crew = new Crew('stats', setup, { jobs })
  const report = new SampleReport(console, badLines)
  const settings = datasetSettings(values)
  const wanted = [...(columnsOf(values) ?? standardColumns.map(({ name }) => name)), ...(by ? [by] : [])]
  const reviews = wanted.some(isReviewField)
    ? new ReviewedDatasets({ read: setup.read, jobs, settings }, console)
    : undefined
  const files = {
    paths,
    jsonl: values.jsonl,
    search: values,
    settings,
  }
  await runStretches(
    {
      files,
      crew,
      begin: async (path) => (await reviews?.begin(path)) ?? [],
      run: async (input, path) => crew.run({ ...input, reviewed: reviews?.of(path) }),
      take,
    },
    console,
    report,
  )
  return report.unread
}
