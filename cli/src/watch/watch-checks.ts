/** `ocm check --watch`: checks again whenever something changes, until it is interrupted. */
import { dirname, resolve } from 'node:path'
import { Writable } from 'node:stream'
import type { ExitStatus } from '../command.ts'
import { FileProblem } from '../files/file-problem.ts'
import type { Console } from '../terminal/console.ts'
import { Output } from '../terminal/output.ts'
import { CheckMemory } from './check-memory.ts'
import { FolderWatch } from './folder-watch.ts'

/** What a round is given. */
export interface Round {
  /** Collects what the round prints. */
  readonly console: Console
  readonly memory: CheckMemory
  /** Ends the round early. */
  readonly signal: AbortSignal
}

const clearScreen = '\u001b[2J\u001b[3J\u001b[H'

/** Runs rounds until an interrupt. @returns the status of the last round */
export async function watchChecks(
  paths: readonly string[],
  console: Console,
  run: (round: Round) => Promise<ExitStatus>,
): Promise<ExitStatus> {
  const watch = new FolderWatch()
  const memory = new CheckMemory(watch)
  const interrupt = new AbortController()
  const stop = () => interrupt.abort()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  const { signal } = interrupt
  let shown: string | undefined
  let status: ExitStatus = 0
  try {
    while (!signal.aborted) {
      watch.begin()
      memory.begin()
      for (const it of paths) watch.add(dirname(resolve(it)))
      const collected = new CollectedConsole(console)
      try {
        status = await run({ console: collected.console, memory, signal })
      } catch (error) {
        if (shown === undefined || !(error instanceof FileProblem)) throw error
        collected.complaints.push(error.message)
        status = 2
      }
      if (signal.aborted) break
      const text = await collected.text()
      const all = [text, ...collected.complaints].join('\0')
      const isNew = all !== shown || memory.nChecked > 0
      shown = all
      if (isNew) await show(text, collected.complaints, { console, memory })
      await watch.changed(signal)
    }
    return status
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
    watch.end()
  }
}

async function show(
  text: string,
  complaints: readonly string[],
  { console, memory }: { readonly console: Console; readonly memory: CheckMemory },
): Promise<void> {
  const { output, isTerminal } = console
  if (isTerminal) await output.write(clearScreen)
  await output.write(text)
  await output.flush()
  for (const it of complaints) console.complain(it)
  const checked = `Checked ${memory.nChecked} of ${memory.size} file${memory.size === 1 ? '' : 's'}`
  console.advise(`${checked}. Watching for changes; press Ctrl+C to stop.\n`)
}

/** A console that keeps what is printed, so that the same need not be shown twice. */
class CollectedConsole {
  readonly console: Console
  readonly complaints: string[] = []
  readonly #chunks: Buffer[] = []

  constructor(console: Console) {
    const stream = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.#chunks.push(Buffer.from(chunk))
        done()
      },
    })
    this.console = {
      ...console,
      output: new Output(stream, () => console.progress.clear()),
      complain: (message) => void this.complaints.push(message),
      advise: (text) => void this.complaints.push(text),
    }
  }

  async text(): Promise<string> {
    await this.console.output.flush()
    return Buffer.concat(this.#chunks).toString('utf8')
  }
}
