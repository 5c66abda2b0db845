/** Where a command prints: the result on standard output, everything else on standard error. */
import type { Writable } from 'node:stream'
import { type ColourChoice, isColourful, type Style, styleOf } from './colour.ts'
import { displayableLine } from './displayable.ts'
import { Output } from './output.ts'
import { Progress } from './progress.ts'

/** The streams of a run. */
export interface Console {
  /** Standard output: the result and nothing else. */
  readonly output: Output
  /** Colours for standard output. */
  readonly style: Style
  /** True if {@link style} colours. */
  readonly isColoured: boolean
  /** True if a person reads standard output. */
  readonly isTerminal: boolean
  /** True if a person reads standard error too, so that nothing has to be on both. */
  readonly isSharedTerminal: boolean
  /** The width of standard output in columns. */
  readonly columns: number
  /** Standard input, for `-`; a process opens it when it is first asked for. */
  input(): AsyncIterable<Uint8Array>
  /** How far a long run is. */
  readonly progress: Progress
  /** Prints one line to standard error; control characters and line breaks are made visible, except before the places of an internal problem. */
  complain(message: string): void
  /** Prints our own `text` to standard error, as it is. */
  advise(text: string): void
}

const columnsWithoutTerminal = 100 // logs and pipes: short enough to read in a browser window
const leastColumns = 40

/** What a console is made of: a process, or a substitute for one. */
export interface Streams {
  readonly stdin: AsyncIterable<Uint8Array>
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: Writable & { readonly isTTY?: boolean }
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The console of a process, with colours as `choice` says. */
export function consoleOf(streams: Streams, choice: ColourChoice): Console {
  const { stdout, stderr, env } = streams
  stderr.on('error', () => undefined) // there is nowhere to report it
  const progress = new Progress(stderr)
  const isColoured = isColourful(stdout.isTTY, env, choice)
  const style = styleOf(isColourful(stderr.isTTY, env, choice))
  return {
    output: new Output(stdout, () => progress.clear()),
    style: styleOf(isColoured),
    isColoured,
    isTerminal: stdout.isTTY === true,
    isSharedTerminal: stdout.isTTY === true && stderr.isTTY === true,
    columns: Math.max(leastColumns, columnsOf(stdout.columns, env)),
    input: () => streams.stdin,
    progress,
    advise: (text) => {
      progress.clear()
      stderr.write(text)
    },
    complain: (message) => {
      progress.clear()
      const lines = message.split(/\n(?= {4}at )/) // the places of an internal problem
      stderr.write(`${style.strong('ocm:')} ${lines.map(displayableLine).join('\n')}\n`)
    },
  }
}

/** `console` without anything but the result. */
export function quietConsole(console: Console): Console {
  return {
    ...console,
    progress: new Progress({ write: () => undefined }),
    advise: () => undefined,
    complain: () => undefined,
  }
}

function columnsOf(columns: number | undefined, env: NodeJS.ProcessEnv): number {
  if (columns !== undefined && columns > 0) return columns
  const fromEnvironment = Number(env.COLUMNS)
  return Number.isInteger(fromEnvironment) && fromEnvironment > 0 ? fromEnvironment : columnsWithoutTerminal
}
