/** One run of `ocm check`: it goes on over files that cannot be read, and remembers that there were some. */
import { lstat, realpath, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import {
  casesPath,
  DatasetCheck,
  Document,
  expectationPath,
  isDatasetName,
  overlayPath,
  type PathSettings,
  type Problem,
} from '../../../core/src/internal.ts'
import { type Arguments, UsageError } from '../arguments.ts'
import type { ExitStatus } from '../command.ts'
import { Configurations } from '../configuration/configurations.ts'
import { isDataset, listFinder } from '../dataset/dataset-source.ts'
import { foreignNote, isForeignDataset } from '../dataset/foreign-dataset.ts'
import { fileNote, type Note } from '../dataset/sample-results.ts'
import { SampleFlow, SampleReport, samplePieces, weightOnTheWay } from '../dataset/sample-run.ts'
import { isInShard } from '../dataset/shard.ts'
import { changedFiles } from '../files/changed-files.ts'
import { FileProblem } from '../files/file-problem.ts'
import { type FoundFile, findFiles } from '../files/find-files.ts'
import type { InputProblem } from '../files/input-problem.ts'
import { noSamples, nothingProblem, nothingToCheck } from '../files/nothing-found.ts'
import { shownInput, standardInput } from '../files/read-source.ts'
import { assertStdinFilename } from '../files/stdin-filename.ts'
import { Crew } from '../parallel/crew.ts'
import { WorkError } from '../parallel/failure.ts'
import { inOrder, type Piece } from '../parallel/in-order.ts'
import type { Reporter, ReportOptions, Summary } from '../reporters/reporter.ts'
import { reporterFor } from '../reporters/reporters.ts'
import { styleOf } from '../terminal/colour.ts'
import { type Console, quietConsole } from '../terminal/console.ts'
import { untilReaderLeaves } from '../terminal/output.ts'
import { ReportOutput } from '../terminal/report-output.ts'
import type { RenderChoice } from '../training/training-work.ts'
import { programVersion } from '../version.ts'
import type { CheckMemory } from '../watch/check-memory.ts'
import { BaselineFilter } from './baseline.ts'
import type { BaselineFile } from './baseline-file.ts'
import { assertCompatible, type CheckValues, type checkOptions } from './check-options.ts'
import { isColouredReport, setupOf } from './check-setup.ts'
import type { CheckInput, CheckResult, CheckSetup } from './check-work.ts'
import type { DatasetFixes } from './dataset-fixes.ts'
import { fixesSamples, refuseFixes } from './refuse-fixes.ts'
import { ReportText } from './report-text.ts'
import { selectedRules } from './rule-selection.ts'
import { countAtLeast } from './severities.ts'
import { Tally } from './tally.ts'

/** What has to be loaded before a run. */
export interface LoadedForCheck {
  readonly choice: RenderChoice | undefined
  readonly custom: ReportOptions['custom']
  readonly baseline: BaselineFile | undefined
  /** What came of files before, for checks that are repeated. */
  readonly memory?: CheckMemory
  /** Ends the run early. */
  readonly signal?: AbortSignal
}

const listedStale = 10 // files and rules: of more, the sum is enough

function known(count: number): string {
  return `${count} known problem${count === 1 ? '' : 's'}`
}

/** Of more, the report has each, but not the list at its end. */
const listedInputs = 1000

/** A run. */
export class CheckRun {
  readonly #values: CheckValues
  readonly #paths: readonly string[]
  readonly #console: Console
  readonly #output: ReportOutput
  readonly #reporter: Reporter
  readonly #reportOptions: ReportOptions
  readonly #configurations: Configurations
  readonly #settingsByPath = { of: (path: string) => this.#configurations.settingsFor(path) }
  readonly #crew: Crew<'check'>
  readonly #report: SampleReport
  readonly #tally = new Tally()
  /** What is judged of all samples together. */
  readonly #dataset = new DatasetCheck()
  /** The first dataset, and its settings: those of a run that judges all samples. */
  #firstDataset: { readonly shown: string; readonly settings: PathSettings } | undefined
  /** What is wrong with configuration files that were read for the next file. */
  #complaints: Note[] = []
  readonly #inputs: InputProblem[] = []
  readonly #setup: CheckSetup
  readonly #baseline: BaselineFile | undefined
  readonly #memory: CheckMemory | undefined
  readonly #signal: AbortSignal | undefined
  /** Problems of the baseline that no longer occur. */
  #nStale = 0
  /** Datasets in their order, with the samples that were fixed. */
  readonly #datasetFixes: DatasetFixes[] = []
  /** Directories that were searched, and whether nothing to check was in their files so far. */
  readonly #isEmptyFolder = new Map<string, boolean>()
  /** True if a file could not be read to its end. */
  #isIncomplete = false
  /** Problems of input that the user allowed to be skipped. */
  #nSkipped = 0
  #nShown = 0
  /** Files that were found and left out, because they have not changed. */
  #nUnchanged = 0
  #hasPrinted = false

  /** @throws UsageError if the arguments make no sense together */
  constructor(
    { values, operands }: Arguments<typeof checkOptions>,
    console: Console,
    { choice, custom, baseline, memory, signal }: LoadedForCheck,
  ) {
    assertCompatible(values, operands)
    assertStdinFilename(values, operands)
    selectedRules(values) // says now what is wrong with it
    this.#values = values
    this.#baseline = baseline
    this.#memory = memory
    this.#signal = signal
    this.#setup = { ...setupOf(values, console), choice, baseline: baseline?.setup }
    this.#paths = operands.length > 0 ? operands : ['.']
    this.#console = values.quiet ? quietConsole(console) : console
    this.#output = new ReportOutput(console.output, values['output-file'])
    this.#reporter = reporterFor(values.format, { isStatistics: values.statistics })
    const { columns } = console
    const style = styleOf(isColouredReport(values, console))
    const isQuiet = values.quiet
    const version = programVersion()
    this.#reportOptions = { style, columns, failOn: values['fail-on'], isQuiet, version, custom }
    this.#crew = new Crew('check', this.#setup, { jobs: values.jobs })
    this.#report = new SampleReport(this.#console, values['bad-lines'])
    this.#configurations = new Configurations({
      file: values.config,
      isOff: values['no-config'],
      onComplaint: (problem, isError) => {
        this.#complaints.push(isError ? fileNote(problem) : { kind: 'remark', text: problem.message })
      },
    })
  }

  async run(): Promise<ExitStatus> {
    try {
      await untilReaderLeaves(() => this.#checkAll())
    } finally {
      this.#console.progress.clear()
      await this.#crew.close()
      for (const it of this.#datasetFixes) await it.close()
      await this.#output.close()
    }
    this.#report.end()
    if (this.#report.hasFailed) return 2
    const { counts } = this.#tally
    const failing = { ...counts, information: counts.information - this.#nSkipped }
    return countAtLeast(failing, this.#values['fail-on']) > 0 ? 1 : 0
  }

  async #checkAll(): Promise<void> {
    const { 'output-file': file, against = [] } = this.#values
    if (file !== undefined) {
      const { refuseSourceAsOutput } = await import('../files/refuse-output.ts')
      refuseSourceAsOutput('--output-file', file, this.#paths.concat(against))
    }
    await this.#output.open()
    const { output } = this.#output
    const isReport = !this.#values.diff
    // A configuration that was named and cannot be read ends the run before anything is printed.
    if (this.#values.config !== undefined) await this.#configurations.settingsFor(standardInput)
    if (this.#values.output !== undefined) await assertNew(this.#values.output)
    if (isReport) await output.write(this.#reporter.begin(this.#reportOptions))
    await this.#readOthers()
    const room = { count: () => this.#crew.room, weight: weightOnTheWay }
    for await (const outcome of inOrder(this.#pieces(), room)) {
      if (this.#signal?.aborted) return
      await this.#take(outcome)
    }
    if (this.#tally.nFiles === 0 && this.#nUnchanged > 0)
      this.#console.complain('no file that was found has changed')
    await this.#reportDataset()
    await this.#writeOutput()
    await this.#settleBaseline()
    if (isReport) await output.write(this.#reporter.end(this.#summary(), this.#reportOptions))
    await this.#output.finish()
  }

  /** All that is to be checked, in order. */
  async *#pieces(): AsyncIterableIterator<Piece<Outcome>> {
    const changed = await changedFiles(this.#values)
    for await (const found of findFiles(this.#paths, {
      search: this.#values,
      datasets: !this.#values.diff,
      isList: listFinder(this.#settingsByPath),
      onDirectory: (path) => this.#memory?.folder(path),
    })) {
      if (found.kind === 'file' && !(await this.#isOf(found.path, changed))) this.#nUnchanged++
      else if (found.kind === 'file') yield* this.#piecesOf(found)
      else if (found.kind === 'problem') yield this.#notePiece(fileNote(found.problem), found.isFile)
      else if (!this.#values['allow-empty']) yield this.#notePiece(fileNote(nothingProblem(found)), false)
    }
    if (this.#values['allow-empty']) return
    for (const [folder, isEmpty] of this.#isEmptyFolder)
      if (isEmpty) yield this.#notePiece(fileNote(nothingToCheck(folder)), false)
  }

  /** True for a file that changed, itself or what decides about it beside it, or if all count. */
  async #isOf(path: string, changed: ReadonlySet<string> | undefined): Promise<boolean> {
    if (changed === undefined) return true
    for (const it of [path, ...companionsOf(path)])
      if (changed.has(await realpath(it).catch(() => resolve(it)))) return true
    return false
  }

  async *#piecesOf({ path, folder }: FoundFile): AsyncIterableIterator<Piece<Outcome>> {
    if (folder !== undefined && !this.#isEmptyFolder.has(folder)) this.#isEmptyFolder.set(folder, true)
    try {
      if (await isForeignDataset({ path, folder }, this.#settingsByPath)) {
        yield this.#notePiece(foreignNote(path), false)
        return
      }
      const shown = this.#shown(path)
      const isMany =
        (await isDataset(path, this.#values, this.#settingsByPath)) ||
        (path === standardInput && isDatasetName(shown))
      // A dataset beside transcripts that are fixed is checked all the same.
      if (isMany && folder === undefined) refuseFixes(shown, this.#setup)
      const { settings, file, extended } = await this.#configurations.inForce(
        resolve(shown === shownInput ? path : shown),
      )
      for (const it of file === undefined ? [] : [file, ...extended]) this.#memory?.folder(dirname(it))
      for (const it of this.#complaints.splice(0)) yield this.#notePiece(it, false)
      const how: Handling = { settings, mayFix: settings.broken === undefined }
      if (!how.mayFix && (this.#values.fix || this.#values.diff))
        yield this.#notePiece(
          fileNote(new FileProblem(shown, 'is not fixed, because its configuration has errors')),
          false,
        )
      if (isMany) this.#firstDataset ??= { shown, settings }
      const known = await this.#memory?.recall(path, settings, [
        ...companionsOf(path),
        ...(this.#baseline ? [this.#baseline.path] : []),
      ])
      if (known) yield* known.map((it) => ({ weight: 0, start: async () => outcomeOf(it) }))
      else if (isMany) yield* this.#samplePieces({ path, folder }, how)
      else if (isInShard(0, this.#setup.shard)) yield await this.#filePiece({ path, folder }, how)
      // The only result of a dataset without samples is that of its end.
      if (!isMany || (known && known.length > 1)) this.#fill(folder)
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error
      this.#fill(folder)
      yield this.#notePiece(fileNote(error), true)
    }
  }

  /** Remembers that there is something in a directory. */
  #fill(folder: string | undefined): void {
    if (folder !== undefined) this.#isEmptyFolder.set(folder, false)
  }

  async #filePiece({ path, folder }: FoundFile, how: Handling): Promise<Piece<Outcome>> {
    const isInput = path === standardInput // which no other thread can read
    const { size, hasOtherNames } = isInput ? { size: 0, hasOtherNames: false } : await lookAt(path)
    const run = (most: number) => {
      const inputName = this.#values['stdin-filename']
      const input = { kind: 'file', path, folder, inputName, ...how, most } as const
      return isInput ? this.#crew.runHere(input) : this.#crew.run(input, size)
    }
    const fixes = await this.#fixesOf({ path, folder }, how)
    return {
      weight: size,
      isAlone: this.#values.fix && hasOtherNames, // it may be fixed at the same time under another name
      start: async () => ({ ...(await this.#outcome(this.#shown(path), run)), path, fixes, isEnd: true }),
    }
  }

  /** Each sample is checked as the transcript that it becomes; its place is that transcript's. */
  async *#samplePieces(found: FoundFile, how: Handling): AsyncIterableIterator<Piece<Outcome>> {
    const shown = this.#shown(found.path)
    const samples = new SampleFlow(this.#console)
    const { settings } = how
    const fixes = await this.#fixesOf(found, how)
    yield* samplePieces(found.path, { console: this.#console, flow: samples, settings }, async (stretch) => {
      const what = `${shown}, from sample ${stretch.first} on`
      if (fixes) fixes.isLines = stretch.place === 'line'
      const run = (most: number) => this.#crew.run({ kind: 'samples', shown, stretch, ...how, most })
      return { ...(await this.#outcome(what, run, samples)), path: found.path, fixes }
    })
    // Of a directory, what is in other files counts as well.
    const isNothing = samples.isEmpty && found.folder === undefined && !this.#values['allow-empty']
    if (!samples.isEmpty) this.#fill(found.folder)
    if (!isNothing && !fixes && !this.#memory) return
    const end = this.#noteResult(isNothing ? fileNote(noSamples(shown)) : undefined, isNothing)
    yield {
      weight: 0,
      start: async () => ({ ...outcomeOf(end), path: found.path, samples, fixes, isEnd: true }),
    }
  }

  /** Takes the samples that the others are compared with. */
  async #readOthers(): Promise<void> {
    const { against } = this.#values
    if (against === undefined) return
    const settings = await this.#configurations.settingsFor(resolve(against))
    const flow = new SampleFlow(this.#console)
    const pieces = samplePieces(against, { console: this.#console, flow, settings }, (stretch) =>
      this.#crew.run({
        kind: 'samples',
        shown: against,
        stretch,
        settings,
        mayFix: false,
        most: 0,
        isOther: true,
      }),
    )
    for await (const result of inOrder(pieces, { count: () => this.#crew.room, weight: weightOnTheWay })) {
      if (result instanceof WorkError) throw new FileProblem(against, `internal problem: ${result.message}`)
      for (const { shown, number, mark } of result.marks ?? []) this.#dataset.addOther(mark, shown, number)
    }
    if (flow.isEmpty && !this.#values['allow-empty']) throw noSamples(against)
  }

  /** Reports what is wrong with all samples together, once. */
  async #reportDataset(): Promise<void> {
    const first = this.#firstDataset
    if (!first || this.#dataset.size === 0) return
    const problems = this.#dataset.problems(first.settings.rules, selectedRules(this.#values))
    const byFile = new Map<string, Problem[]>()
    for (const problem of problems) {
      const path = this.#dataset.fileOf(problem) ?? first.shown
      byFile.set(path, [...(byFile.get(path) ?? []), problem])
    }
    for (const [path, ofFile] of byFile) await this.#reportTogether(path, ofFile)
  }

  async #reportTogether(path: string, problems: readonly Problem[]): Promise<void> {
    const tally = new Tally()
    const text = new ReportText(this.#reporter, this.#reportOptions, this.#nLeft)
    const { analysis } = new Document('')
    const filter = this.#setup.baseline && new BaselineFilter(this.#setup.baseline)
    const all = { path, analysis, problems, nFixed: 0 }
    const countOf = (problem: Problem) => this.#dataset.countOf(problem)
    const unknown = filter?.unknownIn(all, { path, isSample: true, countOf }) ?? problems
    const most = this.#values.diff ? 0 : text.room
    const listed = tally.addSample({ problems: unknown, nFixed: 0 }, { most, isFile: true })
    tally.nKnown = filter?.nKnown ?? 0
    tally.nFiles = 0 // the samples are counted already
    if (!this.#values.diff) text.add({ ...all, ...listed })
    const notes = { notes: [], nLosses: 0, isStopped: false, edits: [] }
    await this.#take(outcomeOf({ ...text.end(), ...notes, sums: tally.sums, findings: filter?.findings }))
  }

  /** Says what of the baseline no longer occurs, or writes it. */
  async #settleBaseline(): Promise<void> {
    const baseline = this.#baseline
    if (!baseline) return
    const { select, ignore, 'update-baseline': isUpdated } = this.#values
    const selected = new Set(selectedRules(this.#values).map(({ name }) => name))
    const isJudged = (rule: string) => (select === undefined && ignore === undefined) || selected.has(rule)
    if (!isUpdated) {
      const stale = await baseline.stale(isJudged)
      for (const { path, rule, count } of stale.slice(0, listedStale))
        this.#console.complain(
          `${baseline.path}: ${path}: ${rule}: ${known(count)} no longer occur${count === 1 ? 's' : ''}`,
        )
      this.#nStale = stale.reduce((sum, { count }) => sum + count, 0)
      if (this.#nStale > 0)
        this.#console.complain(
          `${baseline.path}: ${known(this.#nStale)} to remove in all; \`--update-baseline\` removes them`,
        )
      return
    }
    await this.#write(async () => {
      if (this.#isIncomplete || this.#report.hasFailed)
        throw new FileProblem(baseline.path, 'is not written, because not all of the input was read')
      const count = await baseline.write(isJudged)
      this.#console.complain(`${baseline.path}: ${known(count)} written`)
    })
  }

  /** What keeps the fixed samples of the dataset at `path`, which has not been read yet; undefined if none are fixed. */
  async #fixesOf({ path, folder }: FoundFile, { mayFix }: Handling): Promise<DatasetFixes | undefined> {
    if (!mayFix || path === standardInput || !fixesSamples(this.#setup.fixes)) return undefined
    const { DatasetFixes } = await import('./dataset-fixes.ts')
    return DatasetFixes.begin(path, folder)
  }

  /** Keeps what was fixed, and writes it where it belongs once all of the dataset has been checked. */
  async #takeEdits(edits: CheckResult['edits'], fixes: DatasetFixes, isEnd: boolean): Promise<void> {
    if (!edits) return
    if (!this.#datasetFixes.includes(fixes)) this.#datasetFixes.push(fixes)
    await fixes.add(edits)
    if (!isEnd) return
    fixes.isComplete = true
    if (this.#setup.fixes === 'in-place') await this.#write(() => fixes.writeInPlace())
  }

  /** Writes the datasets of `--output`, unless something is missing. */
  async #writeOutput(): Promise<void> {
    const { output } = this.#values
    if (output === undefined) return
    await this.#write(async () => {
      if (this.#isIncomplete || !this.#datasetFixes.every(({ isComplete }) => isComplete))
        throw new FileProblem(output, 'is not written, because not all of the input was read')
      const { writeFixes } = await import('./dataset-fixes.ts')
      await writeFixes(output, this.#datasetFixes)
    })
  }

  async #write(write: () => Promise<void>): Promise<void> {
    try {
      await write()
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error
      await this.#take(outcomeOf(this.#noteResult(fileNote(error), false)))
    }
  }

  async #outcome(
    what: string,
    run: (most: number) => Promise<CheckResult | WorkError>,
    samples?: SampleFlow,
  ): Promise<Outcome> {
    return { what, result: await run(this.#nLeft), run, samples }
  }

  /** The path as people see it. */
  #shown(path: string): string {
    return path === standardInput ? (this.#values['stdin-filename'] ?? shownInput) : path
  }

  /** True if the report shows unreadable input on the terminal that standard error goes to. */
  get #isInputOnTerminal(): boolean {
    const { diff, statistics, 'output-file': file } = this.#values
    return this.#console.isSharedTerminal && !diff && !statistics && file === undefined
  }

  /** How many problems may still be listed. */
  get #nLeft(): number {
    return Math.max(0, (this.#values['max-problems'] ?? Number.POSITIVE_INFINITY) - this.#nShown)
  }

  async #take({ what, path, result: first, run, samples, fixes, isEnd = false }: Outcome): Promise<void> {
    if (samples?.isStopped) return
    // What was checked before may have listed problems since; then it lists less.
    const isTooMuch = !(first instanceof WorkError) && first.nShown > this.#nLeft && first.sums.nFiles > 0
    const result = isTooMuch ? await run(this.#nLeft) : first
    if (result instanceof WorkError) {
      const message = `internal problem: ${result.message}`
      const input = { path: what, where: what, position: undefined, message, severity: 'error' } as const
      const note: Note = { kind: 'internal', text: `${what}: ${message}`, input }
      const again = this.#noteResult(note, true)
      await this.#take({ ...outcomeOf(again), what, samples })
      return
    }
    this.#report.tell(result, (note) => this.#isInputOnTerminal && 'input' in note)
    for (const note of result.notes) {
      if (!('input' in note)) continue
      if (note.kind === 'file') this.#isIncomplete = true
      if (note.input.severity === 'information') this.#nSkipped++
      if (this.#inputs.length < listedInputs) this.#inputs.push(note.input)
    }
    this.#tally.add(result.sums)
    for (const { shown, number, mark } of result.marks ?? []) this.#dataset.add(mark, shown, number)
    if (result.findings) this.#baseline?.add(result.findings)
    this.#nShown += result.nShown
    await this.#print(result)
    if (path !== undefined) await this.#memory?.add(path, result, isEnd)
    if (fixes) fixes.nFixed += result.sums.nFixed
    if (fixes) await this.#takeEdits(result.edits, fixes, isEnd)
    if (samples) {
      samples.show(result.sums.nFiles)
      samples.isStopped = result.isStopped
    } else this.#console.progress.show(() => `${this.#tally.nFiles.toLocaleString('en')} checked …`)
  }

  async #print({ bytes, hasFile }: CheckResult): Promise<void> {
    const { output } = this.#output
    if (hasFile && this.#hasPrinted) await output.write(this.#reporter.separator)
    if (hasFile) this.#hasPrinted = true
    for (const it of bytes) await output.writeBytes(it)
  }

  /** A piece that only has something to report, in its turn; `isFile` if it stands for a file that was to be checked. */
  #notePiece(note: Note, isFile: boolean): Piece<Outcome> {
    const result = this.#noteResult(note, isFile)
    return {
      weight: 0,
      start: async () => outcomeOf(result),
    }
  }

  #noteResult(note: Note | undefined, isFile: boolean): CheckResult {
    const tally = new Tally()
    const text = new ReportText(this.#reporter, this.#reportOptions, 0)
    if (note && 'input' in note) {
      tally.addInput(note.input)
      if (!this.#values.diff) text.addInput(note.input)
      if (isFile) tally.nFiles++
    }
    return {
      ...text.end(),
      notes: note ? [note] : [],
      nLosses: 0,
      sums: tally.sums,
      isStopped: false,
      edits: [],
    }
  }

  #summary(): Summary {
    const { nFiles, nSamples, counts, nFixable, nFixed, nKnown, rules, forms } = this.#tally
    const nProblems = countAtLeast(counts, 'hint')
    const nUnwritten = this.#datasetFixes.reduce((sum, it) => sum + (it.isWritten ? 0 : it.nFixed), 0)
    return {
      nFiles,
      nSamples,
      counts,
      nFixable,
      nFixed: this.#values.fix ? nFixed - nUnwritten : undefined,
      nOmitted: this.#values.statistics ? 0 : Math.max(0, nProblems - this.#nShown),
      isMaximumReached: this.#nLeft === 0,
      baseline: this.#baseline && { known: nKnown, stale: this.#nStale },
      rules,
      forms,
      hasFailed: this.#report.hasFailed,
      inputs: this.#inputs,
    }
  }
}

/** How a file is checked, besides what holds for the whole run. */
type Handling = Pick<CheckInput, 'settings' | 'mayFix'>

/** What came of one piece, and how to do it again. */
interface Outcome {
  /** For messages about bugs. */
  readonly what: string
  readonly result: CheckResult | WorkError
  readonly run: (most: number) => Promise<CheckResult | WorkError>
  /** The file that was checked. */
  readonly path?: string
  /** The dataset that it is from. */
  readonly samples?: SampleFlow | undefined
  /** Where its edits go. */
  readonly fixes?: DatasetFixes | undefined
  /** True if it is the last one with these edits. */
  readonly isEnd?: boolean
}

function outcomeOf(result: CheckResult): Outcome {
  return { what: '', result, run: async () => result }
}

/** The files beside a transcript or a dataset that decide what is wrong with it, as far as its name tells. */
function companionsOf(path: string): readonly string[] {
  return [expectationPath(path), overlayPath(path), casesPath(path)]
}

/** @throws UsageError if there is something at `path` */
async function assertNew(path: string): Promise<void> {
  const exists = await lstat(path).then(
    () => true,
    () => false,
  )
  if (exists) throw new UsageError(`\`${path}\` already exists; \`--output\` writes a new file`)
}

async function lookAt(path: string): Promise<{ readonly size: number; readonly hasOtherNames: boolean }> {
  try {
    const [{ size, nlink }, link] = await Promise.all([stat(path), lstat(path)])
    return { size, hasOtherNames: link.isSymbolicLink() || nlink > 1 }
  } catch {
    return { size: 0, hasOtherNames: false } // who reads it says what is wrong
  }
}
