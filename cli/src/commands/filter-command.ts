/** `ocm filter`: the samples of datasets that match a query. */
import {
  type CompiledQuery,
  compileQuery,
  isReviewField,
  type PathSettings,
  problemFieldName,
  type SampleMatcher,
  SeededSample,
  unknownFieldText,
} from '../../../core/src/internal.ts'
import { type Arguments, UsageError } from '../arguments.ts'
import { defineCommand, type ExitStatus } from '../command.ts'
import { datasetSettings } from '../configuration/settings-by-dataset.ts'
import { sampleOptions } from '../dataset/sample-options.ts'
import type { ShownStretch } from '../dataset/sample-results.ts'
import { printResult, runStretches, SampleReport } from '../dataset/sample-run.ts'
import type { FilterResult } from '../find/filter-work.ts'
import { sieveFor } from '../find/sieve.ts'
import { Crew } from '../parallel/crew.ts'
import { ReviewedDatasets } from '../review/reviewed-dataset.ts'
import { shardOf, shardOption } from '../shard-option.ts'
import type { Console } from '../terminal/console.ts'
import { untilReaderLeaves } from '../terminal/output.ts'
import { renderChoiceOf, templateOptions } from '../training/training-options.ts'

const options = {
  count: { kind: 'flag', summary: 'Print how many samples match, instead of the samples' },
  invert: { kind: 'flag', summary: 'Print the samples that do not match' },
  sample: { kind: 'count', least: 1, summary: 'Print N randomly chosen samples, in their order' },
  seed: { kind: 'count', least: 0, summary: 'Repeat the choice of an earlier --sample' },
  ...templateOptions,
  'max-length': {
    kind: 'count',
    least: 1,
    summary: 'With --template: the number of tokens after which a sample is truncated',
  },
  shard: shardOption,
  ...sampleOptions,
} as const

/** The command. */
export const filterCommand = defineCommand({
  name: 'filter',
  operands: 'QUERY PATHS...',
  description: [
    'Prints the samples of datasets that match a query, byte for byte, one on each line and in their order.',
    'Adjacent terms must all match; `OR` and parentheses combine terms, and `-` negates one: `user:weather -has:calls turns>=2`. docs/datasets.md lists the fields. Write `--` before a query that begins with `-`.',
    'A directory is searched for datasets.',
  ],
  options,
  examples: [
    ['ocm filter "has:reasoning tokens>4096" train.jsonl', 'print long samples that have reasoning'],
    ['ocm filter "problem:*" --count data/', 'count the samples with problems'],
    ['ocm filter "source:wiki" --sample 100 --seed 7 train.jsonl', 'print 100 of them, the same each time'],
  ],
  run: async ({ values, operands: [query, ...paths] }, console) => {
    if (query === undefined) throw new UsageError('Name a query, and at least one file or directory')
    if (paths.length === 0) throw new UsageError('Name at least one file or directory, or `-`')
    if (values.seed !== undefined && values.sample === undefined)
      throw new UsageError('`--seed` is for `--sample`')
    const compiled = await compiledQuery(query)
    if (compiled.kind === 'mistake')
      throw new UsageError(`The query, column ${compiled.span.from + 1}: ${compiled.message}`)
    return runFilter({ query, matcher: compiled.matcher, paths, values }, console)
  },
})

const loadProblemQuery = () => import('../find/problem-query.ts')

async function compiledQuery(query: string): Promise<CompiledQuery> {
  const compiled = compileQuery(query)
  if (compiled.kind === 'mistake' || !asksForProblems(compiled.matcher)) return compiled
  return (await loadProblemQuery()).compileProblemQuery(query)
}

function asksForProblems({ fields }: SampleMatcher): boolean {
  return fields.has(problemFieldName)
}

interface FilterRun {
  readonly query: string
  readonly matcher: SampleMatcher
  readonly paths: readonly string[]
  readonly values: Arguments<typeof options>['values']
}

async function runFilter(
  { query, matcher, paths, values }: FilterRun,
  console: Console,
): Promise<ExitStatus> {
  const { 'bad-lines': badLines, from, dialect, role, sample, jobs } = values
  const choice = await renderChoiceOf(values)
  const seed = sample === undefined ? undefined : (values.seed ?? Math.floor(Math.random() * 1e9))
  const setup = {
    query,
    inverts: values.invert,
    seed,
    dialect,
    shard: shardOf(values.shard),
    badLines,
    read: { from, dialect, role, rest: 'source', isTraced: choice !== undefined },
    choice,
  } as const
  const crew = new Crew('filter', setup, { jobs })
  const report = new SampleReport(console, badLines)
  const settings = datasetSettings(values)
  const reviews = [...matcher.fields].some(isReviewField)
    ? new ReviewedDatasets({ read: setup.read, jobs, settings }, console)
    : undefined
  const chosen = sample === undefined ? undefined : new SeededSample<Uint8Array>(sample)
  let nFound = 0
  const unknown = new Set(matcher.sampleFields)
  const names = new Set<string>()
  const take = async (result: FilterResult) => {
    nFound += result.found.length
    for (const it of result.fields.known) unknown.delete(it)
    for (const it of result.fields.names) names.add(it)
    if (chosen) choose(result, chosen)
    else if (!values.count) await printResult(result, console)
  }
  const files = {
    paths,
    jsonl: values.jsonl,
    search: values,
    settings,
  }
  const ofCompared = { ...files, settings: datasetSettings(values) }
  const compared = asksForProblems(matcher)
    ? await (await loadProblemQuery()).comparedFor(matcher, ofCompared, { read: setup.read, jobs }, console)
    : undefined
  const begin = async (path: string) => (await reviews?.begin(path)) ?? []
  const sieve = values.invert ? undefined : (settings: PathSettings) => sieveFor(matcher, settings)
  const run = (input: ShownStretch, path: string) =>
    crew.run({ ...input, reviewed: reviews?.of(path), compared: compared?.of(input) })
  await runStretches({ files, crew, begin, sieve, run, take }, console, report)
  // Of samples that a word of the query excluded, nothing is known.
  if (names.size > 0) for (const it of unknown) console.complain(unknownFieldText(it, [...names]))
  await untilReaderLeaves(async () => {
    for (const bytes of chosen?.items() ?? []) if (!values.count) await printResult({ bytes }, console)
    if (values.count) await console.output.write(`${chosen ? chosen.items().length : nFound}\n`)
  })
  if (seed !== undefined && values.seed === undefined) console.complain(`chosen with --seed ${seed}`)
  return report.hasFailed ? 2 : 0
}

function choose({ bytes, found }: FilterResult, chosen: SeededSample<Uint8Array>): void {
  for (const { start, end, chance } of found)
    if (chosen.takes(chance)) chosen.add(chance, bytes.slice(start, end))
}
