/** Runs work over the samples of a dataset, prints the result, and reports problems. */
import { stat } from 'node:fs/promises'
import type { PathSettings, SampleSieve, Stretch } from '../../../core/src/internal.ts'
import { type DatasetSettings, datasetSettings } from '../configuration/settings-by-dataset.ts'
import { FileProblem } from '../files/file-problem.ts'
import { findFiles } from '../files/find-files.ts'
import { foreignName } from '../files/foreign-bytes.ts'
import { noSamples, nothingProblem } from '../files/nothing-found.ts'
import { standardInput } from '../files/read-source.ts'
import type { SearchValues } from '../files/search-options.ts'
import type { Crew } from '../parallel/crew.ts'
import { WorkError } from '../parallel/failure.ts'
import { inOrder, type Piece } from '../parallel/in-order.ts'
import type { Console } from '../terminal/console.ts'
import { displayableLine, safeJson } from '../terminal/displayable.ts'
import { OutputClosedError } from '../terminal/output.ts'
import { type BadLines, isDataset, isMapped, listFinder } from './dataset-source.ts'
import { conversationNote, foreignNote, isForeignDataset } from './foreign-dataset.ts'
import {
  addedCounts,
  fileNote,
  type LossCounts,
  listedLosses,
  type Note,
  type SampleResults,
  type ShownStretch,
} from './sample-results.ts'
import { shownPath } from './stretch.ts'
import { stretchesOf } from './stretches.ts'
import { UnreadInput } from './unread-input.ts'

/** Bytes of files and stretches that are on their way; what is larger goes alone. */
export const weightOnTheWay = 256 * 2 ** 20

/** How a dataset is read. */
export interface SampleReading {
  readonly console: Console
  readonly flow: SampleFlow
  /** What the configuration sets for it. */
  readonly settings: PathSettings
  /** Says which of its samples are wanted; by default all. */
  readonly sieve?: SampleSieve | undefined
}

/** The stretches of the dataset at `path` as pieces of work; none any more once `flow.isStopped`. */
export async function* samplePieces<Result>(
  path: string,
  { console, flow, settings, sieve }: SampleReading,
  start: (stretch: Stretch) => Promise<Result>,
): AsyncIterableIterator<Piece<Result>> {
  await flow.begin(path)
  const read = (count: number) => flow.read(count)
  const reading = { isAnyList: isMapped(settings), sieve: sieve && noting(sieve, flow) }
  for await (const stretch of stretchesOf(path, console.input(), read, reading)) {
    flow.isEmpty = false
    if (flow.isStopped) return
    yield { weight: stretch.bytes.length, start: () => start(stretch) }
  }
}

/** `sieve`, which notes in `flow` that there are samples: none of them may be wanted. */
function noting(sieve: SampleSieve, flow: SampleFlow): SampleSieve {
  return (bytes) => {
    const isWanted = sieve(bytes)
    return (start, end, number) => {
      flow.isEmpty = false
      return isWanted(start, end, number)
    }
  }
}

/** How far a dataset is. */
export class SampleFlow {
  /** True if nothing of it is wanted any more. */
  isStopped = false
  /** True as long as no sample of it was met, wanted or not. */
  isEmpty = true
  readonly #console: Console
  #path = ''
  #size: number | undefined
  #nBytes = 0
  #nSamples = 0
  readonly #begun = performance.now()

  constructor(console: Console) {
    this.#console = console
  }

  /** The dataset that is read, as people see it. */
  get shown(): string {
    return this.#path
  }

  async begin(path: string): Promise<void> {
    this.#path = shownPath(path)
    this.#size = path === standardInput ? undefined : await sizeOf(path)
  }

  read(count: number): void {
    this.#nBytes += count
    this.show(0)
  }

  /** Shows how far it is, with `count` more samples done. */
  show(count: number): void {
    this.#nSamples += count
    this.#console.progress.show(() => {
      const share = this.#size ? `${Math.floor((100 * this.#nBytes) / this.#size)} %, ` : ''
      const speed = this.#nBytes / 1000 / (performance.now() - this.#begun)
      const samples = `${this.#nSamples.toLocaleString('en')} samples, ${speed.toFixed(1)} MB/s`
      return `${displayableLine(this.#path)}: ${share}${samples}`
    })
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const { size } = await stat(path)
    return size > 0 ? size : undefined // a pipe has none
  } catch {
    return undefined // who reads it says what is wrong
  }
}

/** Prints notes, without flooding, and remembers what matters for the exit status. */
export class SampleReport {
  hasFailed = false
  readonly unread = new UnreadInput()
  #nLosses = 0
  #kinds: LossCounts = {}
  readonly #console: Console
  readonly #badLines: BadLines
  #nListed = 0

  constructor(console: Console, badLines: BadLines) {
    this.#console = console
    this.#badLines = badLines
  }

  /** How many losses there were. */
  get nLosses(): number {
    return this.#nLosses
  }

  /**
   * Prints each of `notes`, which have the first ones of so many losses.
   *
   * @param isListed true for notes that the reader already sees in the report
   */
  tell(
    { notes, nLosses, kinds = {} }: Pick<SampleResults, 'notes' | 'nLosses' | 'kinds'>,
    isListed: (note: Note) => boolean = () => false,
  ): void {
    this.#nLosses += nLosses
    this.#kinds = addedCounts(this.#kinds, kinds)
    for (const note of notes) {
      const { kind, text } = note
      if ('input' in note) this.unread.add(note.input)
      if (kind === 'loss' && this.#nListed++ >= listedLosses) continue
      if (kind === 'bad' ? this.#badLines !== 'skip' : kind !== 'loss' && kind !== 'remark')
        this.hasFailed = true
      if (!isListed(note)) this.#console.complain(text)
    }
  }

  /** Reports a bug. */
  fail(what: string, error: WorkError): void {
    this.hasFailed = true
    this.unread.add({ where: what, severity: 'error' })
    this.#console.complain(`${what}: internal problem: ${error.message}`)
  }

  /** Reports how many losses were not listed, and what kinds of losses there were. */
  end(): void {
    const hidden = this.#nLosses - listedLosses
    if (hidden <= 0) return
    this.#console.complain(`${hidden} more losses are not listed`)
    const kinds = Object.entries(this.#kinds).sort(([, one], [, other]) => other - one)
    if (kinds.length > 1)
      this.#console.complain(`losses by kind: ${kinds.map(([kind, count]) => `${kind} ${count}`).join(', ')}`)
  }
}

/** What is read, and what is said where there is nothing. */
export interface SampleFiles {
  readonly paths: readonly string[]
  /** True to read them as datasets, whatever they are called. */
  readonly jsonl: boolean
  readonly search: SearchValues
  /** What the configuration sets for each dataset. */
  readonly settings: DatasetSettings
}

/** The files that the options of a command name. @throws UsageError if the options contradict each other */
export function sampleFiles(
  paths: readonly string[],
  values: Parameters<typeof datasetSettings>[0] & SearchValues & Pick<SampleFiles, 'jsonl'>,
): SampleFiles {
  return { paths, jsonl: values.jsonl, search: values, settings: datasetSettings(values) }
}

/** Work on the stretches of datasets, one after the other. */
export interface StretchRun<Result extends SampleResults> {
  readonly files: SampleFiles
  /** True if a dataset without samples is an error; by default, it is only mentioned, because a part of a dataset may be empty. */
  readonly needsSamples?: boolean
  /** Who does it. */
  readonly crew: { readonly room: number; close(): Promise<void> }
  /** Called for each dataset before its first stretch; what it returns is reported. */
  readonly begin?: (path: string) => Promise<readonly Note[]>
  /** Says which samples of a dataset with these settings are wanted; undefined for all. */
  readonly sieve?: ((settings: PathSettings) => SampleSieve | undefined) | undefined
  /** Does the work on a stretch of the dataset at `path`. */
  run(input: ShownStretch, path: string): Promise<Result | WorkError>
  /** Takes the results in the order of the stretches, with the path of their dataset as people see it. */
  take(result: Result, shown: string): Promise<void> | void
}

/**
 * Does `crew`'s work for each sample of the datasets that `paths` name, as one dataset in their order, and prints the results in
 * order: lines of JSON, or what is fit for a terminal as it is. What cannot be read is reported, and the rest is still done.
 */
export function runSamples(
  crew: Crew<'convert'> | Crew<'render'>,
  files: SampleFiles,
  console: Console,
  report: SampleReport,
  form: 'json' | 'fit' = 'json',
): Promise<void> {
  const run = (input: ShownStretch) => crew.run(input)
  const take = (result: SampleResults) => printResult(result, console, form)
  return runStretches({ files, crew, run, take }, console, report)
}

/** Prints the result of a stretch. */
export async function printResult(
  { bytes }: Pick<SampleResults, 'bytes'>,
  console: Console,
  form: 'json' | 'fit' = 'json',
): Promise<void> {
  if (form === 'json' && console.isTerminal)
    await console.output.write(safeJson(new TextDecoder().decode(bytes)))
  else await console.output.writeBytes(bytes)
}

/** Does `run` for the datasets that its files name. What cannot be read is reported, and the rest is still done. */
export async function runStretches<Result extends SampleResults>(
  run: StretchRun<Result>,
  console: Console,
  report: SampleReport,
): Promise<void> {
  const room = { count: () => run.crew.room, weight: weightOnTheWay }
  try {
    for await (const { what, flow, result } of inOrder(stretchPieces(run, console), room)) {
      if (flow?.isStopped) continue
      if (result instanceof WorkError) {
        report.fail(what, result)
        continue
      }
      report.tell(result)
      if (!flow || !('bytes' in result)) continue
      await run.take(result, flow.shown)
      flow.show(result.nSamples)
      flow.isStopped = result.isStopped
    }
  } catch (error) {
    // The reader has what it wanted, which excuses nothing that was reported before.
    if (!(error instanceof OutputClosedError && report.hasFailed)) throw error
  } finally {
    console.progress.clear()
    await run.crew.close()
    report.end()
  }
}

/** The result of a piece; of one that only has something to report, without a flow. */
interface Outcome<Result> {
  readonly what: string
  readonly flow: SampleFlow | undefined
  readonly result: Result | WorkError | { readonly notes: readonly Note[]; readonly nLosses: number }
}

async function* stretchPieces<Result extends SampleResults>(
  { files: { paths, jsonl, search, settings }, needsSamples, begin, sieve, run }: StretchRun<Result>,
  console: Console,
): AsyncIterableIterator<Piece<Outcome<Result>>> {
  for await (const found of findFiles(paths, {
    search,
    datasets: true,
    transcripts: false,
    isList: listFinder(settings),
  })) {
    if (found.kind === 'nothing') {
      if (!search['allow-empty']) yield notePiece([fileNote(nothingProblem(found, { transcripts: false }))])
    } else if (found.kind === 'problem') yield notePiece([fileNote(found.problem)])
    else if (await isForeignDataset(found, settings)) yield notePiece([foreignNote(found.path)])
    else if (!(await isDataset(found.path, { jsonl }, settings))) {
      if (found.folder !== undefined) {
        yield notePiece([conversationNote(found.path)])
        continue
      }
      const reason =
        found.path === standardInput
          ? 'pass `--jsonl` to read the lines as samples'
          : (foreignName(found.path) ??
            `is not a dataset${paths.length > 1 ? '; only datasets can be read together' : ''}`)
      yield notePiece([fileNote(new FileProblem(shownPath(found.path), reason))])
    } else {
      const { path } = found
      const shown = shownPath(path)
      const flow = new SampleFlow(console)
      try {
        const notes = [...(await settings.begin(path)), ...((await begin?.(path)) ?? [])]
        const inForce = await settings.of(path)
        if (notes.length > 0) yield notePiece(notes)
        const reading = { console, flow, settings: inForce, sieve: sieve?.(inForce) }
        yield* samplePieces(path, reading, async (stretch) => ({
          what: `${shown}, from sample ${stretch.first} on`,
          flow,
          result: await run({ shown, stretch, settings: inForce }, path),
        }))
        if (flow.isEmpty && !search['allow-empty']) yield notePiece([emptyNote(shown, needsSamples)])
      } catch (error) {
        if (!(error instanceof FileProblem)) throw error
        yield notePiece([fileNote(error)])
      }
    }
  }
}

function notePiece<Result>(notes: readonly Note[]): Piece<Outcome<Result>> {
  return { weight: 0, start: async () => ({ what: '', flow: undefined, result: { notes, nLosses: 0 } }) }
}

/** What is said about a dataset without samples. */
export function emptyNote(shown: string, isError = false): Note {
  const problem = noSamples(shown)
  return isError ? fileNote(problem) : { kind: 'remark', text: problem.message }
}
