/** `ocm check --watch`: what changes is checked again, and nothing else, until the program is interrupted. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { consoleOf } from '../../cli/src/terminal/console.ts'
import { watchChecks } from '../../cli/src/watch/watch-checks.ts'
import { bad, environment, folder, good, ocm, program } from './run-ocm.ts'

/** A watching program. */
class Watching {
  readonly #child
  #stdout = ''
  #stderr = ''
  #wake: () => void = () => undefined
  readonly ended: Promise<number | null>

  constructor(t: TestContext, args: readonly string[], cwd: string) {
    this.#child = spawn(process.execPath, [program, 'check', '--watch', ...args], { cwd, env: environment() })
    this.#child.stdout.on('data', (chunk) => this.#tell(() => (this.#stdout += chunk)))
    this.#child.stderr.on('data', (chunk) => this.#tell(() => (this.#stderr += chunk)))
    this.ended = new Promise((done) => this.#child.on('close', done))
    t.after(() => this.#child.kill('SIGKILL'))
  }

  /** What the next round prints: problems by file and rule, and how many files were checked. */
  async round(): Promise<{ readonly problems: readonly string[]; readonly checked: string }> {
    const end = /Checked (\d+ of \d+) files?\. Watching for changes; press Ctrl\+C to stop\.\n/
    // Standard output is written before.
    while (!end.test(this.#stderr) || !/ in \d+ files?\n|No problems/.test(this.#stdout))
      await new Promise<void>((done) => {
        this.#wake = done
      })
    const problems = [...this.#stdout.matchAll(/^(\S+?):\d.*\[\S+ (\S+)\]$/gm)]
    const [text, checked = ''] = end.exec(this.#stderr) ?? ['']
    this.#stderr = this.#stderr.slice(this.#stderr.indexOf(text) + text.length)
    this.#stdout = ''
    return { problems: problems.map(([, path, rule]) => `${path} ${rule}`), checked }
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  get stdout(): string {
    return this.#stdout
  }

  #tell(take: () => void): void {
    take()
    this.#wake()
  }
}

test('only what changed is checked again, and Ctrl+C ends with the status of the last round', async (t) => {
  const cwd = folder(t, { 'a.ocm': good, 'b.ocm': bad, 'deep/c.ocm': good })
  const watching = new Watching(t, ['.'], cwd)
  assert.deepEqual(await watching.round(), { problems: ['b.ocm repeated-channel'], checked: '3 of 3' })

  writeFileSync(join(cwd, 'deep', 'c.ocm'), bad)
  const both = ['b.ocm repeated-channel', 'deep/c.ocm repeated-channel']
  assert.deepEqual(await watching.round(), { problems: both, checked: '1 of 3' })

  // As editors save: another file takes the place.
  writeFileSync(join(cwd, 'b.ocm~'), good)
  renameSync(join(cwd, 'b.ocm~'), join(cwd, 'b.ocm'))
  assert.deepEqual(await watching.round(), { problems: ['deep/c.ocm repeated-channel'], checked: '1 of 3' })

  // A new folder, in which a file appears.
  mkdirSync(join(cwd, 'new'))
  writeFileSync(join(cwd, 'new', 'd.ocm'), bad)
  const withNew = await watching.round()
  assert.deepEqual(withNew.problems, ['deep/c.ocm repeated-channel', 'new/d.ocm repeated-channel'])
  assert.equal(withNew.checked, '1 of 4')

  // The configuration changes what is said about all files.
  writeFileSync(join(cwd, '.openchatml.yaml'), 'rules: {repeated-channel: off}\n')
  assert.deepEqual(await watching.round(), { problems: [], checked: '4 of 4' })

  rmSync(join(cwd, '.openchatml.yaml'))
  rmSync(join(cwd, 'new'), { recursive: true })
  // Two changes, which are one round or two.
  while ((await watching.round()).problems.join() !== 'deep/c.ocm repeated-channel');
  assert.ok(!watching.stdout.includes('\u001b'), 'the screen of a pipe is not cleared')
  watching.kill('SIGINT')
  assert.equal(await watching.ended, 1)
})

test('files that a transcript depends on are watched, and SIGTERM ends', async (t) => {
  const prompt = (part: string) =>
    `version: 2.2\ninputs: {name: {type: string, default: x}}\n<|start|>system<|message|>{{ name }}{% include "${part}" %}<|end|>\n`
  const cwd = folder(t, { 'a.ocm': prompt('parts/style.md'), 'data.jsonl': '{"messages":[]}\n' })
  mkdirSync(join(cwd, 'parts'))
  const watching = new Watching(t, ['a.ocm'], cwd)
  const { problems } = await watching.round()
  assert.equal(problems.length, 1)
  writeFileSync(join(cwd, 'parts', 'style.md'), 'Be brief.')
  assert.deepEqual(await watching.round(), { problems: [], checked: '1 of 1' })
  watching.kill('SIGTERM')
  assert.equal(await watching.ended, 0)
})

test('a directory without anything to check stays an error', async (t) => {
  const cwd = folder(t, { 'a.jsonl': '\n' })
  const watching = new Watching(t, ['.'], cwd)
  assert.equal((await watching.round()).checked, '1 of 1')
  writeFileSync(join(cwd, 'b.jsonl'), '')
  assert.equal((await watching.round()).checked, '1 of 2')
  watching.kill('SIGINT')
  assert.equal(await watching.ended, 2)
})

test('the screen is cleared on a terminal', async () => {
  const written: string[] = []
  const take = (chunk: Buffer, _encoding: BufferEncoding, done: () => void) => {
    written.push(chunk.toString())
    done()
  }
  const before = new Set(process.listeners('SIGTERM'))
  const stdout = Object.assign(new Writable({ write: take }), { isTTY: true })
  const stderr = new Writable({
    write: (_chunk, _encoding, done) => {
      done()
      for (const it of process.listeners('SIGTERM')) if (!before.has(it)) it('SIGTERM')
    },
  })
  const console = consoleOf({ stdin: Readable.from([]), stdout, stderr, env: {} }, 'never')
  const status = await watchChecks([], console, async ({ console: { output } }) => {
    await output.write('No problems\n')
    return 0
  })
  assert.deepEqual([status, written.join('')], [0, '\u001b[2J\u001b[3J\u001b[HNo problems\n'])
})

test('options that make no sense while files are watched are refused', async () => {
  for (const args of [['--fix'], ['--diff'], ['--format', 'json'], ['--output-file', 'x'], ['-']]) {
    const { status, stderr } = await ocm(['check', '--watch', ...args])
    assert.equal(status, 2)
    assert.match(
      stderr,
      new RegExp(`\`--watch\` cannot be used with \`${args.join(' ').replace(' x', '')}\``),
    )
  }
})
