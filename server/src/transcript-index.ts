/**
 * What can be found by name in transcripts that are not open. Read when someone asks for the first time, kept small, and
 * read again where files changed. Nothing but names, places and numbers is kept.
 */
import type { Range } from 'vscode-languageserver'
import { analyze, Transcript, type WorkspaceSymbol, workspaceSymbols } from '../../core/src/internal.ts'
import { describe, type Log } from './guard.ts'
import { inBackground } from './scheduler.ts'
import type { TranscriptFile, TranscriptFiles } from './unopened-transcripts.ts'

const filesAtMost = 5000
const symbolsOfFile = 1000
const symbolsAtMost = 50_000 // of all files: some megabytes of memory
const bytesAtMost = 256 * 1024 * 1024 // read in one go
const freshMilliseconds = 3000 // how long a list of files is good where changes are not reported
const patienceMilliseconds = 1500 // then a question is answered with what is known

/** A symbol in a file that is not open. */
export interface IndexedSymbol {
  readonly kind: WorkspaceSymbol['kind']
  readonly name: string
  readonly detail: string
  readonly range: Range
}

/** A file with what was found in it; nothing if it is too large to be read for that. */
export interface IndexedFile {
  readonly uri: string
  readonly stamp: string
  readonly symbols: readonly IndexedSymbol[]
}

/** What an index is made with. */
export interface TranscriptIndexOptions {
  readonly files: TranscriptFiles
  /** True if the client reports changed files. */
  readonly isTold: boolean
  /** The largest file that is read, in bytes. */
  readonly largestFile: () => Promise<number>
  readonly log: Log
}

/** The index of a workspace. */
export class TranscriptIndex {
  readonly #options: TranscriptIndexOptions
  #indexed: ReadonlyMap<string, IndexedFile> = new Map()
  #updating: Promise<void> | undefined
  #listedAt = Number.NEGATIVE_INFINITY
  #isStale = true

  constructor(options: TranscriptIndexOptions) {
    this.#options = options
  }

  /** The files, brought up to date as far as that is quick; what is left goes on, for the next question. */
  async current(): Promise<Iterable<IndexedFile>> {
    const isOld = !this.#options.isTold && performance.now() - this.#listedAt > freshMilliseconds
    if (this.#isStale || isOld) this.#updating ??= this.#update()
    if (this.#updating) await atMost(patienceMilliseconds, this.#updating)
    return this.#indexed.values()
  }

  /** Reports that files came, changed or went. */
  invalidate(): void {
    this.#isStale = true
  }

  async #update(): Promise<void> {
    try {
      this.#isStale = false
      this.#listedAt = performance.now()
      const found = await this.#options.files.find(filesAtMost)
      const largest = await this.#options.largestFile()
      const before = this.#indexed
      const after = new Map<string, IndexedFile>()
      this.#indexed = after
      // What is known already is there at once.
      const unread: TranscriptFile[] = []
      for (const file of found) {
        const known = before.get(file.uri)
        if (known?.stamp === stampOf(file, largest)) after.set(file.uri, known)
        else unread.push(file)
      }
      let symbolsLeft = symbolsAtMost
      let bytesLeft = bytesAtMost
      for (const { symbols } of after.values()) symbolsLeft -= symbols.length
      for (const file of unread) {
        const isWanted = file.size <= Math.min(largest, bytesLeft) && symbolsLeft > 0
        if (isWanted) bytesLeft -= file.size
        const limits = { bytes: largest, symbols: Math.min(symbolsLeft, symbolsOfFile) }
        const symbols = isWanted ? await this.#read(file.uri, limits) : []
        symbolsLeft -= symbols.length
        const stamp = isWanted ? file.stamp : `unread ${file.stamp}`
        after.set(file.uri, { uri: file.uri, stamp, symbols })
      }
    } catch (error) {
      this.#options.log(describe('the index of transcripts', error))
    } finally {
      this.#updating = undefined
    }
  }

  async #read(
    uri: string,
    { bytes, symbols: limit }: { readonly bytes: number; readonly symbols: number },
  ): Promise<readonly IndexedSymbol[]> {
    const text = await this.#options.files.read(uri, bytes)
    if (text === undefined) return []
    const transcript = Transcript.parse(text)
    const found = workspaceSymbols(analyze(transcript), '')
    const symbols: IndexedSymbol[] = []
    await inBackground(
      () => true,
      () => {
        const next = symbols.length < limit ? found.next() : undefined
        if (!next || next.done) return true
        const { kind, name, detail, range } = next.value
        const [start, end] = [transcript.positionAt(range.start), transcript.positionAt(range.end)]
        // Copies: a piece of a text would keep all of it in memory.
        symbols.push({ kind, name: copied(name), detail: copied(detail), range: { start, end } })
        return false
      },
    )
    return symbols
  }
}

/** A file that was too large before another setting allowed it is read then. */
function stampOf({ stamp, size }: TranscriptFile, largest: number): string {
  return size <= largest ? stamp : `unread ${stamp}`
}

function copied(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string
}

async function atMost(milliseconds: number, promise: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((done) => {
    timer = setTimeout(done, milliseconds)
  })
  await Promise.race([promise, late])
  clearTimeout(timer)
}
