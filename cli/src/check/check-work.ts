/** Checks files, and the samples of datasets: everything but what is known only of the whole run. */
import {
  branchProblems,
  type ChangedSample,
  type DatasetMark,
  type DialectName,
  datasetMark,
  dialectNames,
  failureText,
  fileAsStretch,
  fixedSample,
  fixOf,
  fixText,
  isPrompt,
  judgesDatasets,
  type PathSettings,
  type Problem,
  type Reading,
  type Rule,
  type Severity,
  sampleProblems,
  sampleTraits,
  type Transcript,
} from '../../../core/src/internal.ts'
import type { BadLines } from '../dataset/dataset-source.ts'
import {
  type Collector,
  fileNote,
  type Note,
  type ShownStretch,
  sampleWork,
} from '../dataset/sample-results.ts'
import { transcriptOf } from '../dataset/sample-transcript.ts'
import type { GoodSample } from '../dataset/samples.ts'
import type { Shard } from '../dataset/shard.ts'
import { stretchLimits } from '../dataset/stretch.ts'
import { FileProblem } from '../files/file-problem.ts'
import type { FoundFile } from '../files/find-files.ts'
import { type InputProblem, inputProblem } from '../files/input-problem.ts'
import { isJsonConversation, isNamedTranscript, mismatchOf } from '../files/json-conversation.ts'
import { nothingToCheck } from '../files/nothing-found.ts'
import { readSource, type Source, standardInput } from '../files/read-source.ts'
import { holdsNothing, refuseOtherText, refuseUnnamedDataset } from '../files/refuse-other-text.ts'
import type { Doing, Work } from '../parallel/work.ts'
import type { withPromptProblems } from '../prompts/prompt-report.ts'
import type { ReportOptions } from '../reporters/reporter.ts'
import { type ReportFormat, reporterFor } from '../reporters/reporters.ts'
import { styleOf } from '../terminal/colour.ts'
import { loadRenderer } from '../training/load-renderer.ts'
import type { RenderChoice, TrainingRenderer } from '../training/training-work.ts'
import { BaselineFilter, type BaselineFindings, type BaselineSetup } from './baseline.ts'
import {
  type CheckedFile,
  type CheckOptions,
  checkedDocument,
  checkedText,
  documentOptions,
} from './check-source.ts'
import { type CustomCheck, customChecksIn, customProblems } from './custom-checks.ts'
import { type Fixes, fixesSamples, refuseFixes } from './refuse-fixes.ts'
import { listedOfFile } from './report-limits.ts'
import { ReportText } from './report-text.ts'
import { type RuleSelection, selectedRules } from './rule-selection.ts'
import { placesInDataset } from './sample-places.ts'
import { type ListedProblems, type Sums, Tally } from './tally.ts'

/** How a run checks. */
export interface CheckSetup {
  readonly format: ReportFormat
  readonly failOn: Severity
  readonly statistics: boolean
  readonly expect: boolean
  readonly fixes: Fixes
  /** True to apply fixes that may change the meaning, too. */
  readonly isUnsafe: boolean
  readonly diff: boolean
  readonly badLines: BadLines
  /** True if there may be nothing to check. */
  readonly allowsEmpty: boolean
  readonly shard?: Shard | undefined
  readonly dialect: DialectName | 'auto'
  readonly selection: RuleSelection
  /** What is known already; undefined if everything is reported. */
  readonly baseline: BaselineSetup | undefined
  /** The module with checks of the user's, as an absolute path. */
  readonly checks: string | undefined
  /** What samples are rendered by; undefined if their rendering is not checked. */
  readonly choice: RenderChoice | undefined
  readonly terminal: {
    readonly isColoured: boolean
    readonly isTerminal: boolean
    readonly columns: number
  }
  readonly version: string
}

/** A file, or a stretch of the dataset that is shown as `shown`. */
export type CheckInput = (
  | ({ readonly kind: 'file'; readonly inputName: string | undefined } & FoundFile)
  | ({
      readonly kind: 'samples'
      /** True for the dataset that others are compared with, of which every shard needs all. */
      readonly isOther?: boolean
    } & ShownStretch)
) & {
  readonly settings: PathSettings
  /** False if no fix is applied, whatever the run does. */
  readonly mayFix: boolean
  /** How many problems are listed at most. */
  readonly most: number
}

/** What came of it. */
export interface CheckResult {
  /** The report, or the difference, as UTF-8. */
  readonly bytes: readonly Uint8Array[]
  /** True if a file is in the report, so that the next one stands behind a separator. */
  readonly hasFile: boolean
  readonly notes: readonly Note[]
  /** How many losses of samples there were; the notes have the first ones. */
  readonly nLosses: number
  readonly sums: Sums
  /** How many problems are listed. */
  readonly nShown: number
  readonly isStopped: boolean
  /** The samples that were fixed, in order; undefined for a transcript. */
  readonly edits: readonly ChangedSample[] | undefined
  /** What datasets are judged by, a mark for each sample; none if no rule asks for them. */
  readonly marks?: readonly SampleMarkOf[]
  /** Other files that the result depends on. */
  readonly companions?: readonly string[]
  /** What was found, for the baseline, if there is one. */
  readonly findings?: BaselineFindings | undefined
}

/** The mark of a sample. */
export interface SampleMarkOf {
  readonly shown: string
  /** Of the sample, as people see it. */
  readonly number: number
  readonly mark: DatasetMark
}

/** Checking. */
export type CheckWork = Work<CheckSetup, CheckInput, CheckResult>

/** Checks one after the other. */
export async function startCheckWork(setup: CheckSetup): Promise<Doing<CheckWork>> {
  const { choice, checks } = setup
  const checking = new Checking(setup, {
    renderer: await loadRenderer(choice),
    custom: checks === undefined ? [] : await customChecksIn(checks),
  })
  return (input) => (input.kind === 'file' ? checking.file(input) : checking.samples(input))
}

/** What a sample is reported for has its place in the sample, and none in the transcript. */
function atStart(problem: Problem): Problem {
  return { ...problem, range: { start: 0, end: 0 } }
}

function withoutIntent(options: CheckOptions): CheckOptions {
  const { settings } = options
  if (!settings?.intent || settings.intent === 'fixture') return options
  return { ...options, settings: { ...settings, intent: undefined } }
}

type InputOf<Kind extends CheckInput['kind']> = Extract<CheckInput, { kind: Kind }>

/** A sample, what it became, and what is wrong with that. */
interface CheckedSample {
  readonly sample: GoodSample
  readonly transcript: Transcript
  readonly form: string
  readonly file: CheckedFile
  readonly reading: Reading | undefined
}

function checkedSample(
  sample: GoodSample,
  { where, nFixed }: { readonly where: string; readonly nFixed: number },
  options: CheckOptions,
  source: Pick<Collector, 'read'>,
): CheckedSample {
  const read = transcriptOf(sample.sample, source, options.dialect ?? 'auto')
  const { transcript, judged: data, reading, hasEndings } = read
  // A form that doesn't say how messages end isn't judged by that (S17), which is all that an intent asks for.
  const judged = {
    ...(hasEndings ? options : withoutIntent(options)),
    sample: sampleTraits(data?.from ?? 'ocm'),
  }
  const found = checkedText(where, transcript, judged)
  const told = data ? sampleProblems(data, options.settings?.rules, options.rules) : []
  const { problems: known } = found
  const elsewhere = data ? branchProblems(data, documentOptions(judged), { transcript, problems: known }) : []
  const isAlone = told.length + elsewhere.length === 0
  const problems = isAlone ? known : inTurn([...told.map(atStart), ...elsewhere], known)
  const form = data?.from ?? 'ocm'
  return { sample, transcript, form, reading, file: { ...found, problems, nFixed } }
}

/** Those of `first`, then those of `others`. */
function inTurn(first: readonly Problem[], others: Iterable<Problem>): Iterable<Problem> {
  return {
    *[Symbol.iterator]() {
      yield* first
      yield* others
    },
  }
}

/** What has to be loaded before checking. */
interface LoadedChecks {
  readonly renderer: TrainingRenderer | undefined
  readonly custom: readonly CustomCheck[]
}

class Checking {
  readonly #setup: CheckSetup
  readonly #options: ReportOptions
  readonly #rules: readonly Rule[]
  readonly #loaded: LoadedChecks

  constructor(setup: CheckSetup, loaded: LoadedChecks) {
    this.#setup = setup
    this.#loaded = loaded
    this.#rules = selectedRules(setup.selection)
    const { terminal, failOn, version } = setup
    this.#options = {
      style: styleOf(terminal.isColoured),
      columns: terminal.columns,
      failOn,
      isQuiet: false,
      custom: loaded.custom,
      version,
    }
  }

  async file({ path, folder, inputName, settings, mayFix, most }: InputOf<'file'>): Promise<CheckResult> {
    const text = this.#reportText(most)
    const notes: Note[] = []
    const tally = new Tally()
    const baseline = this.#baselineFilter()
    const companions: string[] = []
    const fail = (error: FileProblem) => {
      const note = fileNote(error)
      notes.push(note)
      this.#addInput(inputProblem(error), text, tally)
    }
    try {
      const source = await readSource(path, process.stdin, inputName)
      refuseUnnamedDataset(source)
      // As a dataset without samples: it counts as nothing.
      if (holdsNothing(source)) {
        if (!this.#setup.allowsEmpty) throw nothingToCheck(source.path)
        return { ...text.end(), notes, nLosses: 0, sums: tally.sums, isStopped: false, edits: undefined }
      }
      if (isJsonConversation(source)) {
        if (folder === undefined) refuseFixes(source.path, this.#setup)
        const stretch = fileAsStretch(source.bytes, stretchLimits.sample)
        return this.samples({ kind: 'samples', shown: source.path, stretch, settings, mayFix, most })
      }
      if (!isNamedTranscript(source)) refuseOtherText(source)
      const mismatch = mismatchOf(source)
      if (mismatch !== undefined) notes.push({ kind: 'remark', text: `${source.path}: ${mismatch}` })
      const options = this.#checkOptions(settings, source.path, (note) => notes.push(note))
      const checking = mayFix
        ? this.#fixedFile({ path, folder }, source, options, text)
        : Promise.resolve(checkedText(source.path, source.text, options))
      const checked = await checking.catch((error) => {
        // What cannot be fixed has its problems still.
        if (!(error instanceof FileProblem)) throw error
        fail(error)
        return checkedText(source.path, source.text, options)
      })
      const on = { files: (files: readonly string[]) => void companions.push(...files), problem: fail }
      const complete = await this.#checkedPrompt(checked, source, options, on).catch((error) => {
        if (!(error instanceof FileProblem)) throw error
        fail(error)
        return checked
      })
      const where = { path: complete.path, isSample: false }
      const problems = baseline?.unknownIn(complete, where) ?? complete.problems
      const listed = tally.addFile({ ...complete, problems }, this.#setup.diff ? 0 : text.room)
      if (!this.#setup.diff) text.add({ ...complete, ...listed })
      notes.push(...this.#unlisted(complete.path, listed))
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error
      fail(error)
      tally.nFiles++
    }
    tally.nKnown = baseline?.nKnown ?? 0
    const findings = baseline?.findings
    return {
      ...text.end(),
      notes,
      nLosses: 0,
      sums: tally.sums,
      isStopped: false,
      edits: undefined,
      companions,
      findings,
    }
  }

  samples({ shown, stretch, settings, mayFix, most, isOther }: InputOf<'samples'>): CheckResult {
    const { dialect, badLines } = this.#setup
    const shard = isOther ? undefined : this.#setup.shard
    const fixes = mayFix ? this.#setup.fixes : 'none'
    const text = this.#reportText(most)
    const tally = new Tally()
    const baseline = this.#baselineFilter()
    const edits: ChangedSample[] = []
    const marks: SampleMarkOf[] = []
    const isMarked = judgesDatasets(this.#rules, settings.rules)
    const work = sampleWork(
      {
        badLines,
        shard,
        read: { dialect, rest: 'source', isTraced: this.#setup.choice !== undefined },
        onInput: (problem) => {
          this.#addInput(problem, text, tally)
          tally.nFiles++
          if (stretch.place !== 'file') tally.nSamples++
        },
      },
      'repeated-keys',
      (sample, where, collector) => {
        const options = this.#checkOptions(settings, where, (note) => collector.tell(note))
        let checked = checkedSample(sample, { where, nFixed: 0 }, options, collector)
        if (fixesSamples(fixes) && this.#hasFix(checked.file.problems)) {
          const fixed = this.#fixed(checked, options, collector)
          if (fixed) {
            const { number, range } = sample
            const { start, end } = range
            // A copy: threads would be sent the whole stretch with a part of it.
            const before = stretch.bytes.slice(start - stretch.offset, end - stretch.offset)
            edits.push({ number, start, before, after: fixed.bytes })
            checked = checkedSample(
              fixed.sample,
              { where, nFixed: fixed.nFixed },
              options,
              fixed.sample.sample,
            )
          }
        }
        const { transcript, reading } = checked
        const all = this.#withOthers(checked, settings, (note) => collector.tell(note))
        const problems = baseline?.unknownIn(all, { path: shown, isSample: true }) ?? all.problems
        if (isMarked && reading)
          marks.push({ shown, number: sample.number, mark: datasetMark(sample.sample.value, reading) })
        const dataset = { path: shown, positionAt: placesInDataset(checked.sample, transcript) }
        const isFile = stretch.place === 'file'
        const listed = tally.addSample({ ...all, problems }, { most: text.room, isFile })
        if (!isFile) tally.addForm({ form: checked.form, count: 1, path: shown })
        text.add({ ...all, ...listed, dataset })
        for (const note of this.#unlisted(all.path, listed)) collector.tell(note)
      },
    )
    const { notes, nLosses, isStopped } = work({ shown, stretch, settings })
    tally.nKnown = baseline?.nKnown ?? 0
    const findings = baseline?.findings
    return { ...text.end(), notes, nLosses, sums: tally.sums, isStopped, edits, marks, findings }
  }

  /** A note on those that no report lists, unless the user asked for fewer. */
  #unlisted(path: string, { problems, nFound }: ListedProblems): readonly Note[] {
    const { diff, statistics } = this.#setup
    if (diff || statistics || problems.length < listedOfFile || nFound === listedOfFile) return []
    const [listed, left] = [listedOfFile, nFound - listedOfFile].map((it) => it.toLocaleString('en'))
    const text = `${path}: only the first ${listed} problems are listed; ${left} more are only counted`
    return [{ kind: 'remark', text }]
  }

  #hasFix(problems: Iterable<Problem>): boolean {
    for (const it of problems) if (fixOf(it, this.#setup)) return true
    return false
  }

  /** A sample with what is wrong with its rendering, too, and with what checks of the user's find. */
  #withOthers(
    { sample: { sample }, reading, file }: CheckedSample,
    settings: PathSettings,
    tell: (note: Note) => void,
  ): CheckedFile {
    const { renderer, custom } = this.#loaded
    if (!reading || (!renderer && custom.length === 0)) return file
    const { branches = [], branch } = reading.conversation
    const others = branches.filter((it) => it !== branch).map((it) => sample.read(false, it))
    const names = new Set(this.#rules.map(({ name }) => name))
    const rendered = renderer?.problems(sample.value, [reading, ...others], settings.rules) ?? []
    const own = customProblems(custom, reading.conversation, (name, failure) =>
      tell({ kind: 'remark', text: `${file.path}: the check ${name} ${failure}` }),
    )
    const first = [...rendered.filter(({ rule }) => names.has(rule)), ...own]
    return { ...file, problems: inTurn(first, file.problems) }
  }

  /** The sample after its fixes; undefined if none can be written. What can't be is noted. */
  #fixed({ sample, file }: CheckedSample, options: CheckOptions, collector: Collector) {
    const { dialect, isUnsafe } = this.#setup
    const { mapping } = options.settings ?? {}
    const read = { dialect, rest: 'source', mapping } as const
    const fixed = fixedSample(sample.sample, documentOptions(options), { read, isUnsafe })
    if (fixed.kind === 'refused' || (fixed.kind === 'fixed' && fixed.isPartial)) {
      const which = fixed.kind === 'refused' ? 'its fixes' : 'some of its fixes'
      const text = `${file.path}: ${which} can't be written without changing other parts of the sample`
      collector.tell({ kind: 'remark', text })
    }
    if (fixed.kind !== 'fixed') return undefined
    const source = { ...sample.source, json: fixed.sample.json }
    return { ...fixed, sample: { ...sample, source, sample: fixed.sample } }
  }

  #addInput(problem: InputProblem, text: ReportText, tally: Tally): void {
    tally.addInput(problem)
    if (!this.#setup.diff) text.addInput(problem)
  }

  #baselineFilter(): BaselineFilter | undefined {
    const { baseline } = this.#setup
    return baseline && new BaselineFilter(baseline)
  }

  #reportText(most: number): ReportText {
    const { format, statistics } = this.#setup
    return new ReportText(reporterFor(format, { isStatistics: statistics }), this.#options, most)
  }

  /** `file` with what is wrong with a prompt once it is filled; fixtures say what is expected of a transcript alone. */
  async #checkedPrompt(
    file: CheckedFile,
    source: Source,
    options: CheckOptions,
    on: Parameters<typeof withPromptProblems>[3],
  ): Promise<CheckedFile> {
    if (this.#setup.expect || !isPrompt(file.analysis)) return file
    const { withPromptProblems } = await import('../prompts/prompt-report.ts')
    return withPromptProblems(file, source, options, on)
  }

  /** What is wrong with a source, after its fixes if they are to be written. */
  async #fixedFile(
    { path, folder }: FoundFile,
    source: Source,
    options: CheckOptions,
    output: ReportText,
  ): Promise<CheckedFile> {
    const { fixes, isUnsafe, diff, expect, terminal } = this.#setup
    if (expect) return this.#comparedFile(path, source, options)
    const isFixed = fixes === 'transcripts' || fixes === 'in-place'
    if (fixes === 'output' && folder === undefined)
      throw new FileProblem(source.path, 'is a transcript; `--output` is only for samples of datasets')
    if (!isFixed && !diff) return checkedText(source.path, source.text, options)
    const fixed = fixText(source.text, documentOptions(options), { isUnsafe })
    if (diff) {
      const { diffText } = await import('../terminal/diff-text.ts')
      const { unifiedDiff } = await import('./unified-diff.ts')
      const lines = unifiedDiff(source.path, source.text, fixed.text)
      for (const line of diffText(lines, { style: this.#options.style, isTerminal: terminal.isTerminal }))
        output.print(line)
      return checkedText(source.path, source.text, options)
    }
    if (fixed.text !== source.text) {
      const { replaceFile } = await import('../files/replace-file.ts')
      await replaceFile(path, source.bytes, fixed.text, { within: folder })
    }
    return checkedDocument(source.path, fixed.document, fixed.nFixed)
  }

  async #comparedFile(
    path: string,
    { path: shown, text }: Source,
    options: CheckOptions,
  ): Promise<CheckedFile> {
    const { comparedWith, readExpectationBeside } = await import('./expected.ts')
    const expectation = path === standardInput ? undefined : await readExpectationBeside(path)
    const dialect = dialectNames.find((it) => it === expectation?.dialect)
    return comparedWith(checkedText(shown, text, dialect ? { ...options, dialect } : options), expectation)
  }

  #checkOptions(settings: PathSettings, shown: string, tell: (note: Note) => void): CheckOptions {
    return {
      dialect: this.#setup.dialect,
      judgesFixtures: this.#setup.expect,
      settings,
      rules: this.#rules,
      onRuleError: (rule, error) => {
        tell({
          kind: 'remark',
          text: `${shown}: internal problem in the rule ${rule}: ${failureText(error)}`,
        })
      },
    }
  }
}
