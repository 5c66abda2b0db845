/** One run of `ocm format`: it goes on over files that cannot be read, and remembers that there were some. */
import { analyze, applyEdits, formatEdits, Transcript } from '../../../core/src/internal.ts'
import { type Arguments, UsageError } from '../arguments.ts'
import { unifiedDiff } from '../check/unified-diff.ts'
import type { ExitStatus } from '../command.ts'
import { dialectOption } from '../dialect-option.ts'
import { FileProblem } from '../files/file-problem.ts'
import { type FoundFile, findFiles } from '../files/find-files.ts'
import { isNamedTranscript, refuseAllButTranscripts } from '../files/json-conversation.ts'
import { nothingProblem } from '../files/nothing-found.ts'
import { readSource, type Source, standardInput } from '../files/read-source.ts'
import { refuseNothing, refuseOtherThanTranscript } from '../files/refuse-other-text.ts'
import { replaceFile } from '../files/replace-file.ts'
import { searchOptions } from '../files/search-options.ts'
import { assertStdinFilename, stdinFilenameOption } from '../files/stdin-filename.ts'
import type { Console } from '../terminal/console.ts'
import { diffText } from '../terminal/diff-text.ts'
import { displayable, lineStart } from '../terminal/displayable.ts'
import { untilReaderLeaves } from '../terminal/output.ts'

/** The options of the command. */
export const formatOptions = {
  check: { kind: 'flag', summary: 'Print the names of files that are not formatted; write nothing' },
  write: { kind: 'flag', summary: 'Format files in place, and print their names' },
  diff: { kind: 'flag', summary: 'Print what would change as a unified diff; write nothing' },
  'blank-lines': { kind: 'flag', summary: 'Put an empty line between messages' },
  'stdin-filename': stdinFilenameOption,
  ...searchOptions,
  dialect: dialectOption,
} as const

type Mode = 'check' | 'write' | 'diff' | 'print'

/** A run. */
export class FormatRun {
  readonly #values: Arguments<typeof formatOptions>['values']
  readonly #paths: readonly string[]
  readonly #console: Console
  readonly #mode: Mode
  #nUnformatted = 0
  #hasFailed = false

  /** @throws UsageError if the arguments make no sense together */
  constructor({ values, operands }: Arguments<typeof formatOptions>, console: Console) {
    assertStdinFilename(values, operands)
    this.#values = values
    this.#console = console
    this.#mode = modeOf(values)
    if (this.#mode === 'print' && operands.length === 0)
      throw new UsageError(
        'Name a file or `-`; with `--check`, `--write`, or `--diff`, the current directory is the default',
      )
    this.#paths = operands.length > 0 ? operands : ['.']
    if (this.#mode === 'write' && operands.includes(standardInput)) {
      throw new UsageError('`--write` cannot write to standard input; without it, the result is printed')
    }
    if (this.#mode === 'print' && operands.length > 1) {
      throw new UsageError('More than one file requires `--check`, `--write`, or `--diff`')
    }
  }

  async run(): Promise<ExitStatus> {
    await untilReaderLeaves(() => this.#formatAll())
    if (this.#hasFailed) return 2
    const isReport = this.#mode === 'check' || this.#mode === 'diff'
    return isReport && this.#nUnformatted > 0 ? 1 : 0
  }

  async #formatAll(): Promise<void> {
    let nFiles = 0
    for await (const found of findFiles(this.#paths, { search: this.#values, datasets: false })) {
      if (found.kind === 'problem') this.#complain(found.problem)
      else if (found.kind === 'nothing') {
        if (!this.#values['allow-empty']) this.#complain(nothingProblem(found))
      } else {
        nFiles++
        if (this.#mode === 'print' && nFiles > 1) {
          throw new UsageError('More than one file requires `--check`, `--write`, or `--diff`')
        }
        await this.#formatFile(found)
      }
    }
  }

  async #formatFile({ path, folder }: FoundFile): Promise<void> {
    try {
      const source = await readSource(path, this.#console.input(), this.#values['stdin-filename'])
      if (!this.#values['allow-empty']) refuseNothing(source)
      refuseAllButTranscripts(source, 'format')
      if (!isNamedTranscript(source)) refuseOtherThanTranscript(source)
      await this.#deliver({ path, folder }, source, this.#formatted(source.text))
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error
      this.#complain(error)
    }
  }

  #formatted(text: string): string {
    const { dialect, 'blank-lines': blankLines } = this.#values
    const analysis = analyze(Transcript.parse(text, { dialect }))
    return applyEdits(text, [...formatEdits(analysis, { start: 0, end: text.length }, { blankLines })])
  }

  async #deliver({ path, folder }: FoundFile, source: Source, formatted: string): Promise<void> {
    const { output, isTerminal } = this.#console
    if (this.#mode === 'print') {
      await output.write(isTerminal ? displayable(formatted) : formatted)
      return
    }
    if (formatted === source.text) return
    this.#nUnformatted++
    if (this.#mode === 'diff') {
      const lines = unifiedDiff(source.path, source.text, formatted)
      await output.writeAll(diffText(lines, this.#console))
      return
    }
    if (this.#mode === 'write') await replaceFile(path, source.bytes, formatted, { within: folder })
    await output.write(`${lineStart(source.path)}\n`)
  }

  #complain(problem: FileProblem): void {
    this.#hasFailed = true
    this.#console.complain(problem.message)
  }
}

function modeOf(values: Readonly<Record<'check' | 'write' | 'diff', boolean>>): Mode {
  const modes = (['check', 'write', 'diff'] as const).filter((it) => values[it])
  if (modes.length > 1)
    throw new UsageError(`\`--${modes[0]}\` and \`--${modes[1]}\` cannot be used together`)
  return modes[0] ?? 'print'
}
