/** `ocm review`: the decisions of a review counted, applied, and compared. */
import {
  decisionOf,
  isReviewDone,
  isReviewName,
  type Review,
  reviewPath,
  type SampleOpinions,
  swappedBranches,
} from '../../../core/src/internal.ts'
import { type Arguments, defaultOf, UsageError } from '../arguments.ts'
import { defineCommand, type ExitStatus } from '../command.ts'
import { configurationOptions } from '../configuration/configurations.ts'
import { datasetSettings } from '../configuration/settings-by-dataset.ts'
import { datasetOptions, isDataset, listFinder } from '../dataset/dataset-source.ts'
import { printResult, runStretches, SampleReport, sampleFiles } from '../dataset/sample-run.ts'
import { shownPath } from '../dataset/stretch.ts'
import { roleOption } from '../dialect-option.ts'
import { FileProblem } from '../files/file-problem.ts'
import { findFiles } from '../files/find-files.ts'
import { foreignName } from '../files/foreign-bytes.ts'
import { noSamples, nothingProblem } from '../files/nothing-found.ts'
import { searchOptions } from '../files/search-options.ts'
import { fromOption } from '../form-options.ts'
import { Crew } from '../parallel/crew.ts'
import { agreementsOf, agreementText } from '../review/review-agreement.ts'
import { type CountedDataset, reviewStatsJson, reviewStatsText } from '../review/review-stats.ts'
import type { HashedSample, ReviewResult } from '../review/review-work.ts'
import { countReviewed, readReviewFile, reviewOfDataset } from '../review/reviewed-dataset.ts'
import { suggestionFor } from '../suggestion.ts'
import type { Console } from '../terminal/console.ts'
import { safeJson } from '../terminal/displayable.ts'
import { untilReaderLeaves } from '../terminal/output.ts'

const actions = ['stats', 'apply', 'agree'] as const

const options = {
  keep: { kind: 'flag', summary: 'apply: Print the samples that are kept; the default' },
  reject: { kind: 'flag', summary: 'apply: Print the samples that are rejected' },
  'require-all': {
    kind: 'flag',
    summary:
      'stats, apply: Fail if a sample is undecided, stale, to be fixed, or if reviewers disagree; apply then prints nothing',
  },
  by: {
    kind: 'text',
    placeholder: 'NAMES',
    isList: true,
    summary: 'Count only the decisions of this reviewer; agree: compare these reviewers, separated by commas',
  },
  format: {
    kind: 'choice',
    values: ['text', 'json'],
    default: 'text',
    summary: 'stats, agree: The format of the report: text for people, json for programs',
  },
  from: fromOption,
  role: roleOption,
  ...searchOptions,
  ...datasetOptions,
  ...configurationOptions,
} as const

type ReviewValues = Arguments<typeof options>['values']

/** The command. */
export const reviewCommand = defineCommand({
  name: 'review',
  operands: `${actions.join('|')} PATHS...`,
  words: actions,
  description: [
    'Reads the decisions of a review, which are in NAME.review.jsonl next to the dataset NAME.',
    "`stats` counts decisions, labels, and notes. `apply` prints the samples that are kept, byte for byte, one on each line and in their order; in pairs whose other branch is preferred, the branches are swapped. `agree` compares reviewers, or two review files: the share of equal decisions, and Cohen's kappa.",
    'A sample that changed after its decision is stale: the decision does not count. A directory is searched for datasets.',
  ],
  options,
  statuses: ['1  with --require-all, the review is not done'],
  examples: [
    ['ocm review stats --require-all train.jsonl', 'fail a build until everything is decided'],
    ['ocm review apply --keep train.jsonl > reviewed.jsonl', 'write the samples that are kept'],
    ['ocm review agree --by Ann,Bob train.jsonl', 'compare two reviewers'],
  ],
  async run({ values, operands: [action, ...paths] }, console) {
    const known = actions.find((it) => it === action)
    if (action === undefined || paths.length === 0)
      throw new UsageError('Name `stats`, `apply`, or `agree`, and at least one file or directory')
    if (!known) throw new UsageError(`Unknown action \`${action}\`${suggestionFor(action, actions)}`)
    if ((values.keep || values.reject) && known !== 'apply')
      throw new UsageError('`--keep` and `--reject` are for `apply`')
    if (values.format === 'json' && known === 'apply')
      throw new UsageError('`--format` is for `stats` and `agree`')
    if (values['bad-lines'] !== 'fail' && known !== 'apply')
      throw new UsageError('`--bad-lines` is for `apply`')
    if (known === 'agree') refuseSampleOptions(values)
    switch (known) {
      case 'stats':
        return stats(paths, values, console)
      case 'apply':
        return apply(paths, values, console)
      case 'agree':
        return agree(paths, values, console)
    }
  },
})

const forAgree: ReadonlySet<string> = new Set(['by', 'format'])

/** Refuses what only counts where samples are read. @throws UsageError */
function refuseSampleOptions(values: ReviewValues): void {
  const given = new Map<string, unknown>(Object.entries(values))
  for (const [name, option] of Object.entries(options))
    if (!forAgree.has(name) && given.get(name) !== defaultOf(option))
      throw new UsageError(`\`--${name}\` is for \`stats\` and \`apply\``)
}

async function stats(paths: readonly string[], values: ReviewValues, console: Console): Promise<ExitStatus> {
  const { counted, hasFailed } = await countedDatasets(paths, values, console)
  const json = values.format === 'json' ? reviewStatsJson(counted) : undefined
  const shownJson = console.isTerminal && json !== undefined ? safeJson(json) : json
  const text = shownJson ?? reviewStatsText(counted)
  await untilReaderLeaves(() => console.output.write(text))
  if (hasFailed) return 2
  return values['require-all'] && !counted.every(({ summary }) => isReviewDone(summary)) ? 1 : 0
}

/** Counts the decisions of each dataset. What cannot be read is reported, and the rest is still counted. */
async function countedDatasets(
  paths: readonly string[],
  values: ReviewValues,
  console: Console,
): Promise<{ readonly counted: readonly CountedDataset[]; readonly hasFailed: boolean }> {
  const { from, role, jobs, by } = values
  const settings = datasetSettings(values)
  const counted: CountedDataset[] = []
  let hasFailed = false
  const fail = (problem: FileProblem) => {
    console.complain(problem.message)
    hasFailed = true
  }
  for await (const found of findFiles(paths, {
    search: values,
    datasets: true,
    transcripts: false,
    isList: listFinder(settings),
  })) {
    if (found.kind === 'nothing') {
      if (!values['allow-empty']) fail(nothingProblem(found, { transcripts: false }))
    } else if (found.kind === 'problem') fail(found.problem)
    else if (!(await isDataset(found.path, values, settings)))
      fail(new FileProblem(shownPath(found.path), foreignName(found.path) ?? 'is not a dataset'))
    else {
      try {
        const { review, notes } = await reviewOfDataset(found.path, by)
        for (const { kind, text } of [...(await settings.begin(found.path)), ...notes]) {
          console.complain(text)
          hasFailed ||= kind === 'file'
        }
        const read = { from, role, rest: 'source' } as const
        const options = { read, jobs, settings }
        const { count, isEmpty } = await countReviewed(found.path, review, options, console)
        if (isEmpty && !values['allow-empty']) fail(noSamples(shownPath(found.path)))
        counted.push({ path: shownPath(found.path), summary: count.summary() })
      } catch (error) {
        if (!(error instanceof FileProblem)) throw error
        fail(error)
      }
    }
  }
  return { counted, hasFailed }
}

async function apply(paths: readonly string[], values: ReviewValues, console: Console): Promise<ExitStatus> {
  const { 'bad-lines': badLines, from, role, jobs, by, 'require-all': isStrict } = values
  if (isStrict) {
    const { counted, hasFailed } = await countedDatasets(paths, values, console)
    if (hasFailed) return 2
    const open = counted.filter(({ summary }) => !isReviewDone(summary))
    for (const it of open)
      for (const line of reviewStatsText([it]).trimEnd().split('\n')) console.complain(line)
    if (open.length > 0) return 1
  }
  const wanted = new Set([
    ...(values.reject ? ['reject'] : []),
    ...(values.keep || !values.reject ? ['keep'] : []),
  ])
  const crew = new Crew(
    'review',
    { badLines, read: { from, role, rest: 'source' }, hasLines: true },
    { jobs },
  )
  const report = new SampleReport(console, badLines)
  const files = sampleFiles(paths, values)
  const reviews = new Map<string, Review>()
  const begin = async (path: string) => {
    const { review, notes } = await reviewOfDataset(path, by)
    reviews.set(shownPath(path), review)
    return notes
  }
  let nOdd = 0
  const take = async (result: ReviewResult & { readonly shown: string }) => {
    const review = reviews.get(result.shown)
    if (!review) return
    for (const sample of result.samples) {
      const about = review.of(sample.place, sample.hash)
      const decision = about.isStale ? undefined : decisionOf(about)
      if (decision === undefined || !wanted.has(decision)) continue
      if (decision === 'keep' && sample.isBroken) {
        nOdd++
        console.complain(
          `${result.shown}, sample ${sample.place}: is marked as kept, but cannot be read, so it is left out`,
        )
        continue
      }
      const bytes = result.bytes.subarray(sample.start, sample.end)
      const line = decision === 'keep' ? preferred(bytes, sample, about) : bytes
      if (line) await printResult({ bytes: line }, console)
      else {
        nOdd++
        console.complain(
          `${result.shown}, sample ${sample.place}: its branches are not two fields that can be swapped`,
        )
      }
    }
  }
  const run = async (input: Parameters<typeof crew.run>[0]) => {
    const result = await crew.run(input)
    return 'samples' in result ? { ...result, shown: input.shown } : result
  }
  await runStretches({ files, crew, begin, run, take }, console, report)
  return report.hasFailed || nOdd > 0 ? 2 : 0
}

/** The sample with the branch first that reviewers prefer; undefined if that cannot be written. */
function preferred(
  bytes: Uint8Array,
  { branches }: HashedSample,
  { opinions }: SampleOpinions,
): Uint8Array | undefined {
  const branch = opinions.find((it) => it.branch !== undefined)?.branch
  const [first] = branches
  if (branch === undefined || first === undefined || branch === first) return bytes
  const json = swappedBranches(Buffer.from(bytes).toString('utf8'), first, branch)
  return json === undefined ? undefined : Buffer.from(json)
}

async function agree(paths: readonly string[], values: ReviewValues, console: Console): Promise<ExitStatus> {
  const files: { readonly path: string; readonly review: Review }[] = []
  for (const named of paths) {
    const path = isReviewName(named) ? named : reviewPath(named)
    const file = await readReviewFile(path)
    if (!file) throw new FileProblem(path, 'there is no such file')
    for (const { text } of file.notes) console.complain(text)
    files.push({ path: named, review: file.review })
  }
  const names = values.by?.split(',').map((it) => it.trim())
  if (files.length > 2) throw new UsageError('`agree` compares the reviewers of one file, or two files')
  const agreements = agreementsOf(files, names)
  if (agreements.length === 0)
    throw new FileProblem(paths[0] ?? '', 'has the decisions of fewer than two reviewers')
  await console.output.write(agreementText(agreements, values.format))
  return 0
}
