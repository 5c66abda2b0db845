/** `ocm render --check`: what end users see, compared with snapshots. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { folder, good, ocm } from './run-ocm.ts'

const hidden = good.replace('user', 'system')

test('a snapshot is written, compared, and told when it differs', async (t) => {
  const cwd = folder(t, { 'a.ocm': good, 'deep/b.ocm': hidden })
  const run = (...args: string[]) => ocm(['render', ...args, '.'], { cwd })
  const missing = await run('--check')
  assert.deepEqual([missing.status, missing.stdout], [1, 'Snapshots: 2 missing\n'])
  assert.match(missing.stderr, /a\.visible\.txt: there is no snapshot; `--update` writes it/)
  assert.deepEqual(await run('--update'), { status: 0, stdout: 'Snapshots: 2 written\n', stderr: '' })
  assert.equal(readFileSync(join(cwd, 'a.visible.txt'), 'utf8'), 'user\n  Hello\n')
  assert.equal(readFileSync(join(cwd, 'deep/b.visible.txt'), 'utf8'), '')
  assert.deepEqual(await run('--check'), { status: 0, stdout: 'Snapshots: 2 same\n', stderr: '' })

  writeFileSync(join(cwd, 'a.ocm'), good.replace('Hello', 'Bye'))
  writeFileSync(join(cwd, 'deep/b.visible.txt'), '')
  const { status, stdout } = await run('--check')
  assert.equal(status, 1)
  assert.match(stdout, /^- {2}Hello$/m)
  assert.match(stdout, /^\+ {2}Bye$/m)
  assert.match(stdout, /^Snapshots: 1 same, 1 different$/m)
  assert.equal((await run('--check', '--update')).stdout, 'Snapshots: 1 same, 1 written\n')
})

test('line breaks of a checkout do not matter', async (t) => {
  const cwd = folder(t, { 'a.ocm': good, 'a.visible.txt': 'user\r\n  Hello\r\n' })
  assert.equal((await ocm(['render', '--check', 'a.ocm'], { cwd })).status, 0)
})

test('files that cannot be read are named, and the others are done', async (t) => {
  const cwd = folder(t, { 'a.ocm': good, 'a.visible.txt': 'user\n  Hello\n' })
  const { status, stdout, stderr } = await ocm(['render', '--check', 'missing.ocm', 'a.ocm'], { cwd })
  assert.deepEqual([status, stdout], [2, 'Snapshots: 1 same\n'])
  assert.match(stderr, /missing\.ocm: there is no such file/)
})

test('what makes no sense is a mistake', async () => {
  for (const [args, complaint] of [
    [['--check'], /Name at least one file/],
    [['--check', '-'], /Standard input has no snapshot/],
    [['--check', '--debug', 'x'], /go with `--dialect` only/],
    [['--update', '--format', 'html', 'x'], /go with `--dialect` only/],
  ] as const) {
    const { status, stderr } = await ocm(['render', ...args])
    assert.equal(status, 2)
    assert.match(stderr, complaint)
  }
})
