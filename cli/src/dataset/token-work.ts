/** Counts the tokens of files and of the samples of datasets. */
import {
  countTokens,
  type DatasetMapping,
  placesIn,
  type Reading,
  type ReadOptions,
  type RenderPurpose,
  readConversation,
  type TextEncoding,
  type TokenCounts,
  tokenIds,
  uncountedText,
} from '../../../core/src/internal.ts'
import { FileProblem } from '../files/file-problem.ts'
import { dialectFor } from '../files/json-conversation.ts'
import { positionIn } from '../files/place-in.ts'
import { readSource } from '../files/read-source.ts'
import { refuseOtherText } from '../files/refuse-other-text.ts'
import type { Doing, Work } from '../parallel/work.ts'
import { displayableLine, lineStart, safeJson } from '../terminal/displayable.ts'
import { conversionProblem } from './conversion-report.ts'
import {
  fileNote,
  lossText,
  type Note,
  type SampleResults,
  type SampleSetup,
  type ShownStretch,
  sampleWork,
} from './sample-results.ts'

/** How tokens are counted and reported. */
export interface TokenSetup extends SampleSetup {
  readonly purpose: RenderPurpose | undefined
  readonly format: 'pretty' | 'json' | 'ids'
}

/** A file, or a stretch of the dataset that is shown as `shown`. */
export type TokenInput =
  | { readonly kind: 'file'; readonly path: string; readonly mapping: DatasetMapping | undefined }
  | ({ readonly kind: 'samples' } & ShownStretch)

/** What is printed, and the sums. */
export interface TokenResult extends SampleResults {
  readonly nConversations: number
  readonly total: number
}

/** Conversations become counts, or ids. */
export type TokenWork = Work<TokenSetup, TokenInput, TokenResult>

/** Counts with `encoding`. */
export function tokenWork(setup: TokenSetup, encoding: TextEncoding): Doing<TokenWork> {
  return async (input) => {
    const counter = new Counter(setup, encoding)
    if (input.kind === 'file')
      return {
        ...(await fileResults(input.path, { ...setup.read, mapping: input.mapping }, counter)),
        ...counter.sums,
      }
    const { shown } = input
    const work = sampleWork(setup, 'of-tokens', ({ number }, where, collector) => {
      const reading = collector.read()
      collector.lose(uncountedText(reading))
      if (collector.isAgain) return
      collector.print(counter.told(reading, setup.format === 'json' ? shown : where, number))
    })
    return { ...work(input), ...counter.sums }
  }
}

async function fileResults(path: string, read: ReadOptions, counter: Counter): Promise<SampleResults> {
  const nothing = { notes: [], nSamples: 1, nLosses: 0, isStopped: false }
  try {
    const source = await readSource(path, process.stdin)
    const { path: shown, text } = source
    refuseOtherText(source, read.from)
    const { dialect = 'auto' } = read
    try {
      const reading = readConversation(text, { ...read, dialect: dialectFor(source, dialect) })
      const told = counter.told(reading, shown, undefined)
      const losses = uncountedText(reading)
      // Only JSON of which nothing else was lost is read without places.
      const places =
        reading.places ??
        (losses.length > 0 ? placesIn(text, JSON.parse(text.replace(/^\ufeff/, ''))) : undefined)
      const notes = losses.map((loss): Note => {
        const range = loss.range ?? places?.loneSurrogate()
        const position = range && positionIn(text, range.start)
        return { kind: 'loss', text: new FileProblem(shown, lossText(loss), position).message }
      })
      return { ...nothing, bytes: new TextEncoder().encode(told), notes, nLosses: losses.length }
    } catch (error) {
      throw conversionProblem(shown, error, text)
    }
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error
    return { ...nothing, bytes: new Uint8Array(), notes: [fileNote(error)] }
  }
}

/** Counts, and adds up. */
class Counter {
  readonly #setup: TokenSetup
  readonly #encoding: TextEncoding
  #nConversations = 0
  #total = 0

  constructor(setup: TokenSetup, encoding: TextEncoding) {
    this.#setup = setup
    this.#encoding = encoding
  }

  get sums(): { readonly nConversations: number; readonly total: number } {
    return { nConversations: this.#nConversations, total: this.#total }
  }

  /** What is printed of one conversation; `line` is its number in a dataset. */
  told({ conversation }: Reading, where: string, line: number | undefined): string {
    const { format, purpose } = this.#setup
    if (format === 'ids') return `${JSON.stringify(tokenIds(conversation, this.#encoding, purpose))}\n`
    const counts = countTokens(conversation, this.#encoding, purpose)
    this.#nConversations++
    this.#total += counts.total
    if (format === 'json') return jsonOf(where, line, counts)
    if (line === undefined) return [...tableOf(where, counts)].join('')
    return `${lineStart(where)}: ${counts.total} tokens\n`
  }
}

function jsonOf(path: string, line: number | undefined, counts: TokenCounts): string {
  const { total, byRole, byChannel, messages } = counts
  const object = {
    path,
    ...(line !== undefined && { line }),
    total,
    roles: byRole,
    channels: byChannel,
    messages: messages.map(({ role, channel, count, bodyCount }) => ({
      role,
      channel: channel ?? null,
      tokens: count,
      body: bodyCount,
    })),
  }
  return `${safeJson(JSON.stringify(object))}\n`
}

function* tableOf(
  path: string,
  { total, messages, byRole, byChannel }: TokenCounts,
): IterableIterator<string> {
  const width = Math.max(6, String(total).length)
  const row = (count: number, what: string) => `${String(count).padStart(width)}  ${displayableLine(what)}\n`
  yield `${lineStart(path)}\n`
  for (const { role, channel, count } of messages)
    yield row(count, channel === undefined ? role : `${role} ${channel}`)
  yield '\n'
  for (const [role, count] of Object.entries(byRole)) yield row(count, `role ${role}`)
  for (const [channel, count] of Object.entries(byChannel)) {
    yield row(count, channel === 'none' ? 'no channel' : `channel ${channel}`)
  }
  yield row(total, 'total')
}
