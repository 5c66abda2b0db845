/** `ocm tokens`: how many tokens a conversation has, or which. */
import { type Arguments, UsageError } from '../arguments.ts'
import { defineCommand, type ExitStatus } from '../command.ts'
import { type DatasetSettings, datasetSettings } from '../configuration/settings-by-dataset.ts'
import { isDataset, listFinder } from '../dataset/dataset-source.ts'
import { foreignNote, isForeignDataset } from '../dataset/foreign-dataset.ts'
import { sampleOptions } from '../dataset/sample-options.ts'
import { fileNote, type Note } from '../dataset/sample-results.ts'
import { emptyNote, SampleFlow, SampleReport, samplePieces, weightOnTheWay } from '../dataset/sample-run.ts'
import { shownPath } from '../dataset/stretch.ts'
import type { TokenResult } from '../dataset/token-work.ts'
import { FileProblem } from '../files/file-problem.ts'
import { findFiles } from '../files/find-files.ts'
import { nothingProblem } from '../files/nothing-found.ts'
import { standardInput } from '../files/read-source.ts'
import { Crew } from '../parallel/crew.ts'
import { WorkError } from '../parallel/failure.ts'
import { inOrder, type Piece } from '../parallel/in-order.ts'
import type { Console } from '../terminal/console.ts'
import { OutputClosedError, untilReaderLeaves } from '../terminal/output.ts'

const options = {
  format: {
    kind: 'choice',
    values: ['pretty', 'json'],
    default: 'pretty',
    summary:
      'The format of the report: pretty for people; json for programs, with one object for each conversation',
  },
  ids: { kind: 'flag', summary: 'Print the token IDs instead: a list for each conversation' },
  for: {
    kind: 'choice',
    values: ['anything', 'training', 'history', 'completion'],
    default: 'anything',
    summary: 'The purpose of the tokens, as for `ocm convert`',
  },
  ...sampleOptions,
} as const

/** The command. */
export const tokensCommand = defineCommand({
  name: 'tokens',
  operands: '[PATHS...]',
  description: [
    'Counts the tokens of conversations as gpt-oss models see them: as Harmony text in the vocabulary o200k_harmony, where each special token counts as one.',
    'A directory is searched for transcripts (*.ocm) and datasets (*.jsonl, *.ndjson, also *.gz and *.zst, *.parquet). Without a path, the current directory is searched.',
  ],
  options,
  examples: [
    ['ocm tokens chat.ocm', 'count the tokens of each message, role, and channel'],
    ['ocm tokens --ids --for completion chat.ocm', 'print the input of a model'],
    ['ocm tokens --format json data.jsonl', 'count every sample of a dataset'],
  ],
  run: async (args, console) => {
    if (args.values.ids && args.values.format === 'json')
      throw new UsageError('`--ids` always prints JSON and cannot be used with `--format`')
    return new TokenRun(args.values, console).run(args.operands.length > 0 ? args.operands : ['.'])
  },
})

type TokenValues = Arguments<typeof options>['values']

/** One run: it goes on over files that cannot be read. */
class TokenRun {
  readonly #values: TokenValues
  readonly #console: Console
  readonly #crew: Crew<'tokens'>
  readonly #report: SampleReport
  readonly #settings: DatasetSettings
  #nConversations = 0
  #total = 0

  constructor(values: TokenValues, console: Console) {
    const { 'bad-lines': badLines, from, dialect, role, ids, format, jobs } = values
    const purpose = values.for === 'anything' ? undefined : values.for
    this.#values = values
    this.#console = console
    this.#settings = datasetSettings(values)
    const setup = {
      badLines,
      read: { from, dialect, role, rest: 'source' },
      purpose,
      format: ids ? 'ids' : format,
    } as const
    this.#crew = new Crew('tokens', setup, { jobs })
    this.#report = new SampleReport(console, badLines)
  }

  async run(paths: readonly string[]): Promise<ExitStatus> {
    const { output, progress } = this.#console
    const flow = { count: () => this.#crew.room, weight: weightOnTheWay }
    try {
      for await (const { what, result, samples } of inOrder(this.#pieces(paths), flow)) {
        if (samples?.isStopped) continue
        if (result instanceof WorkError) {
          this.#report.fail(what, result)
          continue
        }
        this.#report.tell(result)
        this.#nConversations += result.nConversations
        this.#total += result.total
        await output.writeBytes(result.bytes)
        if (samples) {
          samples.show(result.nSamples)
          samples.isStopped = result.isStopped
        } else progress.show(() => `${this.#nConversations.toLocaleString('en')} counted …`)
      }
    } catch (error) {
      if (!(error instanceof OutputClosedError && this.#report.hasFailed)) throw error
      return 2 // what was reported before counts
    } finally {
      progress.clear()
      await this.#crew.close()
    }
    this.#report.end()
    const { format, ids } = this.#values
    if (this.#nConversations > 1 && format === 'pretty' && !ids) {
      const sum = `${this.#total} tokens in ${this.#nConversations} conversations\n`
      await untilReaderLeaves(() => output.write(sum))
    }
    return this.#report.hasFailed ? 2 : 0
  }

  async *#pieces(paths: readonly string[]): AsyncIterableIterator<Piece<TokenOutcome>> {
    for await (const found of findFiles(paths, {
      search: this.#values,
      datasets: true,
      isList: listFinder(this.#settings),
    })) {
      if (found.kind === 'nothing') {
        if (!this.#values['allow-empty']) yield notePiece(fileNote(nothingProblem(found)))
      } else if (found.kind === 'problem') yield notePiece(fileNote(found.problem))
      else if (await isForeignDataset(found, this.#settings)) yield notePiece(foreignNote(found.path))
      else if (await isDataset(found.path, this.#values, this.#settings))
        yield* this.#samplePieces(found.path)
      else yield await this.#filePiece(found.path)
    }
  }

  async #filePiece(path: string): Promise<Piece<TokenOutcome>> {
    try {
      const input = { kind: 'file', path, mapping: await this.#settings.mappingOf(path) } as const
      const run = () => (path === standardInput ? this.#crew.runHere(input) : this.#crew.run(input))
      return {
        weight: 0,
        start: async () => ({ what: shownPath(path), result: await run(), samples: undefined }),
      }
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error
      return notePiece(fileNote(error))
    }
  }

  async *#samplePieces(path: string): AsyncIterableIterator<Piece<TokenOutcome>> {
    const shown = shownPath(path)
    const samples = new SampleFlow(this.#console)
    try {
      for (const note of await this.#settings.begin(path)) yield notePiece(note)
      const settings = await this.#settings.of(path)
      yield* samplePieces(path, { console: this.#console, flow: samples, settings }, async (stretch) => ({
        what: `${shown}, from sample ${stretch.first} on`,
        result: await this.#crew.run({ kind: 'samples', shown, stretch, settings }),
        samples,
      }))
      if (samples.isEmpty && !this.#values['allow-empty']) yield notePiece(emptyNote(shown))
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error
      yield notePiece(fileNote(error))
    }
  }
}

interface TokenOutcome {
  readonly what: string
  readonly result: TokenResult | WorkError
  /** The dataset that it is from. */
  readonly samples: SampleFlow | undefined
}

/** A piece that only has something to report, in its turn. */
function notePiece(note: Note): Piece<TokenOutcome> {
  const nothing = {
    bytes: new Uint8Array(),
    nSamples: 0,
    nLosses: 0,
    isStopped: false,
    nConversations: 0,
    total: 0,
  }
  const result: TokenResult = { ...nothing, notes: [note] }
  return { weight: 0, start: async () => ({ what: '', result, samples: undefined }) }
}
