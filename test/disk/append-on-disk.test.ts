/** Appending lines to a file that others append to as well. */
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { buildSync } from 'esbuild'
import { appendOnDisk } from '../../client/disk/append-on-disk.ts'
import { RefusedWriteError } from '../../client/disk/replace-on-disk.ts'
import { nightly } from '../helpers/nightly.ts'

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'openchatml-append-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

nightly('two processes append 2,000 lines each: every line is whole and there', async (t) => {
  const directory = folder(t)
  const [bundle, path] = [join(directory, 'append.mjs'), join(directory, 'review.jsonl')]
  buildSync({
    entryPoints: [resolve('client/disk/append-on-disk.ts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
  })
  const program = `
    const { appendOnDisk } = await import(process.argv[1])
    const [, , path, name] = process.argv
    for (let index = 0; index < 2000; index++) {
      const text = 'x'.repeat((index * 37) % 300)
      const isSynced = index % 100 === 0 // waiting for the disk each time takes longer than a test may
      await appendOnDisk(path, JSON.stringify({ name, index, text }) + '\\n', { isSynced })
    }`
  const run = promisify(execFile)
  await Promise.all(
    ['one', 'other'].map((name) =>
      run(process.execPath, ['--input-type=module', '-e', program, bundle, path, name]),
    ),
  )
  const text = readFileSync(path, 'utf8')
  assert.ok(text.endsWith('\n'))
  const lines = text.split('\n').filter((line) => line !== '') // readers ignore empty ones
  const seen = { one: 0, other: 0 }
  for (const line of lines) {
    const { name, index, text } = JSON.parse(line) as { name: 'one' | 'other'; index: number; text: string }
    assert.equal(index, seen[name]++) // in the order in which each wrote them
    assert.equal(text.length, (index * 37) % 300)
  }
  assert.deepEqual(seen, { one: 2000, other: 2000 })
})

test('what was cut off stays a line of its own, and the file keeps its identity', async (t) => {
  const path = join(folder(t), 'review.jsonl')
  writeFileSync(path, '{"v":1}\n{"v":1,"pl')
  const { ino } = statSync(path)
  await appendOnDisk(path, '{"a":1}\n{"b":2}\n')
  assert.equal(readFileSync(path, 'utf8'), '{"v":1}\n{"v":1,"pl\n{"a":1}\n{"b":2}\n')
  assert.equal(statSync(path).ino, ino)
})

test('nothing is written through a link that leads out of the folder, nowhere, or to a pipe', async (t) => {
  const [inside, outside] = [folder(t), folder(t)]
  writeFileSync(join(outside, 'secret'), 'old')
  writeFileSync(join(inside, 'real'), '')
  symlinkSync(join(outside, 'secret'), join(inside, 'out'))
  symlinkSync(join(outside, 'new'), join(inside, 'nowhere'))
  symlinkSync('real', join(inside, 'in'))
  await appendOnDisk(join(inside, 'in'), 'line\n')
  assert.equal(readFileSync(join(inside, 'real'), 'utf8'), 'line\n')
  const isRefused = (error: unknown) => error instanceof RefusedWriteError
  await assert.rejects(appendOnDisk(join(inside, 'out'), 'line\n'), isRefused)
  await assert.rejects(appendOnDisk(join(inside, 'nowhere'), 'line\n'), /ENOENT/)
  assert.equal(readFileSync(join(outside, 'secret'), 'utf8'), 'old')
  if (process.platform === 'win32') return
  execFileSync('mkfifo', [join(inside, 'pipe')])
  await assert.rejects(appendOnDisk(join(inside, 'pipe'), 'line\n'), isRefused)
})

test('what takes the place of the file meanwhile has the lines once, and all that it had', async (t) => {
  const line = '{"mine":1}\n'
  const before = '{"v":1}\n'
  const steps = ['stat', 'read', 'write', 'datasync'] as const
  const others = [
    before,
    `${before}{"theirs":1}\n`,
    '',
    '{"cut',
    `${before}${line}`,
    `${before}${line}{"theirs":1}\n`,
    undefined,
  ]
  for (const step of steps) {
    for (const isAfter of [false, true]) {
      for (const other of others) {
        const directory = folder(t)
        const [path, temporary] = [join(directory, 'review.jsonl'), join(directory, 'new')]
        writeFileSync(path, before)
        const swap = () => {
          mocked.mock.restore()
          if (other === undefined) return rmSync(path)
          writeFileSync(temporary, other)
          renameSync(temporary, path)
        }
        const handle = await open(path)
        const prototype = Object.getPrototypeOf(handle) as Record<
          string,
          (...args: unknown[]) => Promise<unknown>
        >
        await handle.close()
        const real = prototype[step]
        assert.ok(real)
        const mocked = t.mock.method(prototype, step, async function (this: unknown, ...args: unknown[]) {
          if (!isAfter) swap()
          const result = await real.apply(this, args)
          if (isAfter) swap()
          return result
        })
        await appendOnDisk(path, line, { isSynced: step === 'datasync' })
        const now = readFileSync(path, 'utf8')
        const what = `${isAfter ? 'after' : 'before'} ${step}, ${other}: ${now}`
        assert.equal(now.split('\n').filter((it) => `${it}\n` === line).length, 1, what)
        assert.ok(now.startsWith(other ?? ''), what)
        assert.ok(now.endsWith('\n'), what)
      }
    }
  }
})
