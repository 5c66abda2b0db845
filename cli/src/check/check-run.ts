/** One run of `ocm check`: it goes on over files that cannot be read, and remembers that there were some. */
import { resolve } from 'node:path'
import { dialectNames, writeConversation } from '../../../core/src/index.ts'
import { type Arguments, UsageError } from '../arguments.ts'
import type { ExitStatus } from '../command.ts'
import { Configurations } from '../configuration/configurations.ts'
import { datasetOptions, isDataset, samplesOf } from '../dataset/dataset.ts'
import { dialectOption } from '../dialect-option.ts'
import { FileProblem } from '../files/file-problem.ts'
import { findFiles } from '../files/find-files.ts'
import { readSource, type Source, standardInput } from '../files/read-source.ts'
import { replaceFile } from '../files/replace-file.ts'
import type { Reporter, ReportOptions, Summary } from '../reporters/reporter.ts'
import { reporterFor, reportFormats } from '../reporters/reporters.ts'
import type { Console } from '../terminal/console.ts'
import { diffText } from '../terminal/diff-text.ts'
import { OutputClosedError } from '../terminal/output.ts'
import { programVersion } from '../version.ts'
import { type CheckOptions, checkSource, type FileReport } from './check-source.ts'
import { comparedWith, readExpectationBeside } from './expected.ts'
import { fixSource } from './safe-fixes.ts'
import { countAtLeast } from './severities.ts'
import { Tally, tallyOf } from './tally.ts'
import { unifiedDiff } from './unified-diff.ts'

/** The options of the command. */
export const checkOptions = {
  format: {
    kind: 'choice',
    values: reportFormats,
    default: 'pretty',
    summary: 'How to report: pretty for people, json, sarif and junit for programs, github for annotations',
  },
  'fail-on': {
    kind: 'choice',
    values: ['error', 'warning', 'hint'],
    default: 'error',
    summary: 'The least severity that makes the exit status 1',
  },
  statistics: { kind: 'flag', summary: 'Count the problems by rule, instead of listing them' },
  'max-problems': { kind: 'count', summary: 'List at most N problems; the others are counted only' },
  expect: {
    kind: 'flag',
    summary: 'Report only what differs from the expectations beside a transcript or in its header',
  },
  fix: { kind: 'flag', summary: 'Apply the fixes that cannot change the meaning, then report what is left' },
  diff: {
    kind: 'flag',
    summary: 'Print what --fix would change as a unified diff, instead of the report; write nothing',
  },
  config: { kind: 'text', placeholder: 'FILE', summary: 'The configuration file for all transcripts' },
  'no-config': { kind: 'flag', summary: 'Read no configuration file' },
  ...datasetOptions,
  dialect: dialectOption,
} as const

type CheckValues = Arguments<typeof checkOptions>['values']

/** A run. */
export class CheckRun {
  readonly #values: CheckValues
  readonly #paths: readonly string[]
  readonly #console: Console
  readonly #reporter: Reporter
  readonly #reportOptions: ReportOptions
  readonly #configurations: Configurations
  readonly #tally = new Tally()
  #nShown = 0
  #hasPrinted = false
  #hasFailed = false

  /** @throws UsageError if the arguments make no sense together */
  constructor({ values, operands }: Arguments<typeof checkOptions>, console: Console) {
    if (operands.length === 0) throw new UsageError('Name at least one file or directory, or `-`')
    assertCompatible(values, operands)
    this.#values = values
    this.#paths = operands
    this.#console = console
    this.#reporter = reporterFor(values.format, { isStatistics: values.statistics })
    const { style, columns } = console
    this.#reportOptions = { style, columns, failOn: values['fail-on'], version: programVersion() }
    this.#configurations = new Configurations({
      file: values.config,
      isOff: values['no-config'],
      onComplaint: (message, isError) => {
        if (isError) this.#hasFailed = true
        console.complain(message)
      },
    })
  }

  async run(): Promise<ExitStatus> {
    try {
      await this.#checkAll()
    } catch (error) {
      if (!(error instanceof OutputClosedError)) throw error
    } finally {
      this.#console.progress.clear()
    }
    if (this.#hasFailed) return 2
    return countAtLeast(this.#tally.counts, this.#values['fail-on']) > 0 ? 1 : 0
  }

  async #checkAll(): Promise<void> {
    const { output } = this.#console
    const isReport = !this.#values.diff
    // A configuration that was named and cannot be read ends the run before anything is printed.
    if (this.#values.config !== undefined) await this.#configurations.settingsFor(standardInput)
    if (isReport) await output.write(this.#reporter.begin(this.#reportOptions))
    for await (const found of findFiles(this.#paths)) {
      if (found.kind === 'file') await this.#checkFile(found.path)
      else if (found.kind === 'problem') this.#complain(found.problem)
      else this.#console.complain(`${found.path}: no *.ocm file in this directory`)
    }
    if (isReport) await output.write(this.#reporter.end(this.#summary(), this.#reportOptions))
    await output.flush()
  }

  async #checkFile(path: string): Promise<void> {
    let report: FileReport
    try {
      if (isDataset(path, this.#values)) return await this.#checkDataset(path)
      const source = await readSource(path, this.#console.input)
      report = await this.#checkSource(path, source)
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error
      this.#complain(error)
      return
    }
    this.#tally.add(tallyOf(report))
    if (!this.#values.diff) await this.#print(report)
  }

  /** Checks each sample as the transcript that it becomes; its place is that transcript's. */
  async #checkDataset(path: string): Promise<void> {
    const { fix, diff, dialect, 'bad-lines': badLines } = this.#values
    const shown = path === standardInput ? '<stdin>' : path
    if (fix || diff) throw new FileProblem(shown, '`--fix` and `--diff` do not work on datasets')
    const options = await this.#optionsFor(path, shown)
    for await (const sample of samplesOf(path, { dialect }, this.#console)) {
      const where = `${shown}:${sample.number}`
      if ('problem' in sample) {
        this.#console.complain(`${where}: ${sample.problem}`)
        if (badLines !== 'skip') this.#hasFailed = true
        if (badLines === 'stop') return
        continue
      }
      const text = sample.text ?? writeConversation(sample.reading, { to: 'ocm' }).text
      const report = checkSource(where, text, options)
      this.#tally.add(tallyOf(report))
      await this.#print(report)
    }
  }

  async #print(report: FileReport): Promise<void> {
    const { output, progress } = this.#console
    progress.show(`${this.#tally.nFiles} checked …`)
    const most = this.#values['max-problems'] ?? Number.POSITIVE_INFINITY
    const problems = report.problems.slice(0, most - this.#nShown)
    this.#nShown += problems.length
    let isStart = true
    for (const text of this.#reporter.file({ ...report, problems }, this.#reportOptions)) {
      if (isStart && this.#hasPrinted) await output.write(this.#reporter.separator)
      isStart = false
      this.#hasPrinted = true
      await output.write(text)
    }
  }

  /** The report on a source, after its fixes if they are to be written. */
  async #checkSource(path: string, source: Source): Promise<FileReport> {
    const { fix, diff, expect } = this.#values
    const options = await this.#optionsFor(path, source.path)
    if (expect) return this.#checkExpected(path, source, options)
    if (!fix && !diff) return checkSource(source.path, source.text, options)
    const fixed = fixSource(source.path, source.text, options)
    if (diff) {
      const lines = unifiedDiff(source.path, source.text, fixed.text)
      await this.#console.output.writeAll(diffText(lines, this.#console))
      return checkSource(source.path, source.text, options)
    }
    if (fixed.text !== source.text) await replaceFile(path, source.bytes, fixed.text)
    return fixed.report
  }

  async #checkExpected(
    path: string,
    { path: shown, text }: Source,
    options: CheckOptions,
  ): Promise<FileReport> {
    const expectation = path === standardInput ? undefined : await readExpectationBeside(path)
    const dialect = dialectNames.find((it) => it === expectation?.dialect)
    return comparedWith(checkSource(shown, text, dialect ? { ...options, dialect } : options), expectation)
  }

  async #optionsFor(path: string, shown: string): Promise<CheckOptions> {
    return {
      dialect: this.#values.dialect,
      judgesFixtures: this.#values.expect,
      settings: await this.#configurations.settingsFor(resolve(path)),
      onRuleError: (rule, error) =>
        this.#console.complain(`${shown}: internal problem in the rule ${rule}: ${String(error)}`),
    }
  }

  #complain(problem: FileProblem): void {
    this.#hasFailed = true
    this.#console.complain(problem.message)
  }

  #summary(): Summary {
    const { nFiles, counts, nFixable, nFixed, rules } = this.#tally
    const nProblems = countAtLeast(counts, 'hint')
    return {
      nFiles,
      counts,
      nFixable,
      nFixed: this.#values.fix ? nFixed : undefined,
      nOmitted: this.#values.statistics ? 0 : nProblems - this.#nShown,
      rules,
      hasFailed: this.#hasFailed,
    }
  }
}

function assertCompatible(values: CheckValues, operands: readonly string[]): void {
  if (values.fix && !values.diff && operands.includes(standardInput)) {
    throw new UsageError('`--fix` cannot write to standard input; `--diff` prints what it would change')
  }
  if (values.diff && values.format !== 'pretty') {
    throw new UsageError(`\`--diff\` prints a diff, so it does not go with \`--format ${values.format}\``)
  }
  if (values.expect && (values.fix || values.diff)) {
    throw new UsageError(`\`--expect\` does not go with \`--${values.fix ? 'fix' : 'diff'}\``)
  }
  if (values.diff && values.statistics) throw new UsageError('`--diff` and `--statistics` do not go together')
  if (values.config !== undefined && values['no-config']) {
    throw new UsageError('`--config` and `--no-config` do not go together')
  }
}
