/**
 * Runs the command line: {@link ocm} in this process, which costs only what the command costs, and {@link ocmProcess} as people
 * do, for tests of what only a process has.
 */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Readable, Writable } from 'node:stream'
import type { TestContext } from 'node:test'
import { runProgram } from '../../cli/src/run-program.ts'
import { colourChoiceIn } from '../../cli/src/terminal/colour.ts'
import { consoleOf } from '../../cli/src/terminal/console.ts'

/** The built program. */
export const program = resolve('dist/cli/ocm.js')
assert.ok(existsSync(program), `There is no ${program}: run \`npm run build\` first`)

/** What a run left behind. */
export interface Run {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** How the program is run. */
export interface RunOptions {
  /** Current directory; by default the repository. */
  readonly cwd?: string
  readonly input?: string | Uint8Array
  /** True if a person reads both outputs. */
  readonly isTerminal?: boolean
  readonly env?: Readonly<Record<string, string>>
}

const deadline = 60_000 // generous: the machine may be busy; a hang is what it is for

let last: Promise<unknown> = Promise.resolve()

/**
 * Runs `ocm` with `args` in this process, one run after the other, because they share its current directory. Its threads are
 * those of the built program. With an environment of its own, it is a process.
 */
export function ocm(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  if (options.env) return ocmProcess(args, options)
  const run = last.then(() => runHere(args, options))
  last = run.catch(() => undefined)
  return run
}

async function runHere(
  args: readonly string[],
  { cwd, input = '', isTerminal: isTTY = false }: RunOptions,
): Promise<Run> {
  const [stdout, stderr] = [0, 1].map(() => Object.assign(new Collector(), { isTTY }))
  assert.ok(stdout && stderr)
  const stdin = Readable.from(
    [typeof input === 'string' ? Buffer.from(input) : input].filter((it) => it.length > 0),
  )
  const before = process.cwd()
  const ownInput = Object.getOwnPropertyDescriptor(process, 'stdin')
  assert.ok(ownInput)
  Object.defineProperty(process, 'stdin', { ...ownInput, get: () => stdin })
  if (cwd !== undefined) process.chdir(cwd)
  try {
    const streams = { stdin, stdout, stderr, env: environment() }
    const status = await runProgram(args, consoleOf(streams, colourChoiceIn(args)))
    return { status, stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    process.chdir(before)
    Object.defineProperty(process, 'stdin', ownInput)
  }
}

/** A stream that keeps what is written to it. */
class Collector extends Writable {
  readonly #chunks: Buffer[] = []

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(Buffer.from(chunk))
    done()
  }

  text(): string {
    return text(this.#chunks)
  }
}

/** Runs the built program with `args` as a process, and waits until it has ended. */
export function ocmProcess(
  args: readonly string[],
  { cwd, input = '', env = {} }: RunOptions = {},
): Promise<Run> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: environment(env),
    timeout: deadline,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout.on('data', (chunk) => stdout.push(chunk))
  child.stderr.on('data', (chunk) => stderr.push(chunk))
  child.stdin.on('error', () => undefined) // who does not read its input may end before it has come
  child.stdin.end(input)
  return new Promise((done, fail) => {
    child.on('error', fail)
    child.on('close', (status) => done({ status, stdout: text(stdout), stderr: text(stderr) }))
  })
}

/** Runs `line` in a shell, where `ocm` is the built program. Standard input and output are what the line makes them. */
export function shell(line: string, cwd: string): Promise<Run> {
  const definition = `ocm() { '${process.execPath}' '${program}' "$@"; }`
  return new Promise((done) => {
    const options = { cwd, env: environment(), timeout: deadline }
    const child = execFile('sh', ['-c', `${definition}\n${line}`], options, (_, stdout, stderr) =>
      done({ status: child.exitCode, stdout, stderr }),
    )
  })
}

/** The environment of this process without what would change colours and widths. */
export function environment(additions: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const { NO_COLOR: _no, FORCE_COLOR: _force, COLUMNS: _columns, ...rest } = process.env
  return { ...rest, ...additions }
}

/** A folder with `files`, removed after the test. */
export function folder(t: TestContext, files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const path = mkdtempSync(join(tmpdir(), 'ocm-test-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), content)
  }
  return path
}

/** The environment of a program in which something prints in every way, all the time, as a library might: in threads, too. */
export function noise(t: TestContext): Readonly<Record<string, string>> {
  const noisy = `
const print = () => {
  for (const it of ['debug', 'dir', 'info', 'log', 'table']) console[it]('NOISE')
  process.stdout.write(Buffer.from('NOISE'))
}
setInterval(print, 1).unref()
process.on('exit', print)
setImmediate(print)
`
  return { NODE_OPTIONS: `--require ${join(folder(t, { 'noisy.cjs': noisy }), 'noisy.cjs')}` }
}

/** A transcript without problems. */
export const good = 'version: 2.2\n<|start|>user<|message|>Hello<|end|>\n'

/** A transcript with one error, which no fix repairs safely. */
export const bad =
  'version: 2.2\n<|start|>assistant<|channel|>analysis<|channel|>commentary<|message|>Hi<|end|>\n'

/** A transcript with one warning and a safe fix for it. */
export const fixable = 'version: 2.2\n<|start|>assistant<|channel|> final<|message|>Hi<|return|>\n'

/** {@link fixable} as it should be. */
export const fixed = 'version: 2.2\n<|start|>assistant<|channel|>final<|message|>Hi<|return|>\n'

function text(chunks: readonly Buffer[]): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
}
