/** `ocm check`: the diagnostics of files and directories, and their safe fixes. */
import { type Arguments, UsageError } from '../arguments.ts'
import { checkSource, type FileReport } from '../check/check-source.ts'
import { fixSource, safeFixOf } from '../check/safe-fixes.ts'
import { countAtLeast, countsOf, type SeverityCounts, severities } from '../check/severities.ts'
import { type DiffLine, unifiedDiff } from '../check/unified-diff.ts'
import { defineCommand, type ExitStatus } from '../command.ts'
import { dialectOption } from '../dialect-option.ts'
import { FileProblem } from '../files/file-problem.ts'
import { findFiles } from '../files/find-files.ts'
import { readSource, type Source, standardInput } from '../files/read-source.ts'
import { replaceFile } from '../files/replace-file.ts'
import { jsonReporter } from '../reporters/json.ts'
import { prettyReporter } from '../reporters/pretty.ts'
import type { Reporter, ReportOptions } from '../reporters/reporter.ts'
import type { Console } from '../terminal/console.ts'
import { displayable } from '../terminal/displayable.ts'
import { OutputClosedError } from '../terminal/output.ts'

const options = {
  format: {
    kind: 'choice',
    values: ['pretty', 'json'],
    default: 'pretty',
    summary: 'How to report: pretty for people, json for programs',
  },
  'fail-on': {
    kind: 'choice',
    values: ['error', 'warning', 'hint'],
    default: 'error',
    summary: 'The least severity that makes the exit status 1',
  },
  fix: { kind: 'flag', summary: 'Apply the fixes that cannot change the meaning, then report what is left' },
  diff: {
    kind: 'flag',
    summary: 'Print what --fix would change as a unified diff, instead of the report; write nothing',
  },
  dialect: dialectOption,
} as const

const reporters: Readonly<Record<'pretty' | 'json', Reporter>> = {
  pretty: prettyReporter,
  json: jsonReporter,
}

/** The command. */
export const checkCommand = defineCommand({
  name: 'check',
  operands: 'PATHS...',
  description: [
    'Reports what is wrong in transcripts.',
    'A directory is searched for *.ocm, except in .git and node_modules; any other file is read as it is named; - is standard input.',
  ],
  options,
  statuses: ['1  some problem is as severe as --fail-on, or more'],
  examples: [
    ['ocm check .', 'check all transcripts here and below'],
    ['ocm check --fail-on warning fixtures', 'fail on warnings too'],
    ['ocm check --diff . | git apply', 'apply the safe fixes through git'],
    ['ocm check --format json - < chat.ocm', 'read standard input, print JSON'],
  ],
  run: (args, console) => new Check(args, console).run(),
})

/** One run: it goes on over files that cannot be read, and remembers that there were some. */
class Check {
  readonly #values: Arguments<typeof options>['values']
  readonly #paths: readonly string[]
  readonly #console: Console
  readonly #reporter: Reporter
  readonly #reportOptions: ReportOptions
  readonly #counts: SeverityCounts = countsOf([])
  #nFiles = 0
  #nFixable = 0
  #nFixed = 0
  #hasFailed = false

  constructor({ values, operands }: Arguments<typeof options>, console: Console) {
    if (operands.length === 0) throw new UsageError('Name at least one file or directory, or `-`')
    if (values.fix && !values.diff && operands.includes(standardInput)) {
      throw new UsageError('`--fix` cannot write to standard input; `--diff` prints what it would change')
    }
    if (values.diff && values.format === 'json') {
      throw new UsageError('`--diff` prints a diff, so it does not go with `--format json`')
    }
    this.#values = values
    this.#paths = operands
    this.#console = console
    this.#reporter = reporters[values.format]
    this.#reportOptions = { style: console.style, columns: console.columns }
  }

  async run(): Promise<ExitStatus> {
    try {
      await this.#checkAll()
    } catch (error) {
      if (!(error instanceof OutputClosedError)) throw error
    }
    if (this.#hasFailed) return 2
    return countAtLeast(this.#counts, this.#values['fail-on']) > 0 ? 1 : 0
  }

  async #checkAll(): Promise<void> {
    const { output } = this.#console
    const isReport = !this.#values.diff
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
      const source = await readSource(path, this.#console.input)
      report = await this.#checkSource(path, source)
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error
      this.#complain(error)
      return
    }
    const counts = countsOf(report.problems)
    for (const severity of severities) this.#counts[severity] += counts[severity]
    this.#nFixable += report.problems.filter(safeFixOf).length
    this.#nFixed += report.nFixed
    this.#nFiles++
    if (this.#values.diff) return
    await this.#console.output.writeAll(this.#reporter.file(report, this.#nFiles - 1, this.#reportOptions))
  }

  /** The report on a source, after its fixes if they are to be written. */
  async #checkSource(path: string, source: Source): Promise<FileReport> {
    const { fix, diff, dialect } = this.#values
    const checkOptions = {
      dialect,
      onRuleError: (rule: string, error: unknown) =>
        this.#console.complain(`${source.path}: internal problem in the rule ${rule}: ${String(error)}`),
    }
    if (!fix && !diff) return checkSource(source.path, source.text, checkOptions)
    const fixed = fixSource(source.path, source.text, checkOptions)
    if (diff) {
      const lines = unifiedDiff(source.path, source.text, fixed.text)
      await this.#console.output.writeAll(this.#diffText(lines))
      return checkSource(source.path, source.text, checkOptions)
    }
    if (fixed.text !== source.text) await replaceFile(path, source.bytes, fixed.text)
    return fixed.report
  }

  /** The difference byte for byte, so that it applies; only a person's terminal is spared control characters. */
  *#diffText(lines: readonly DiffLine[]): IterableIterator<string> {
    const { style, isTerminal } = this.#console
    const paint = {
      header: style.strong,
      place: style.faint,
      same: (text: string) => text,
      removed: style.removed,
      added: style.added,
    }
    for (const { kind, text } of lines) yield `${paint[kind](isTerminal ? displayable(text) : text)}\n`
  }

  #complain(problem: FileProblem): void {
    this.#hasFailed = true
    this.#console.complain(problem.message)
  }

  #summary() {
    return {
      nFiles: this.#nFiles,
      counts: this.#counts,
      nFixable: this.#nFixable,
      nFixed: this.#values.fix ? this.#nFixed : undefined,
    }
  }
}
