/** `ocm render --check`: what end users see, compared with snapshots. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { folder, good, ocm, program } from './run-ocm.ts'

const hidden = good.replace('user', 'system')

test('a snapshot is written, compared, and told when it differs', async (t) => {
  const cwd = folder(t, { 'a.ocm': good, 'deep/b.ocm': hidden })
  const run = (...args: string[]) => ocm(['render', ...args, '.'], { cwd })
  const missing = await run('--check')
  assert.deepEqual([missing.status, missing.stdout], [1, 'Snapshots: 2 missing\n'])
  assert.match(missing.stderr, /a\.visible\.txt: the snapshot does not exist; `--update` writes it/)
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
    [['--check', '-'], /Standard input cannot have a snapshot/],
    [['--check', '--debug', 'x'], /cannot be used with `--as next-prompt`, `--format`, or `--debug`/],
    [
      ['--update', '--format', 'html', 'x'],
      /cannot be used with `--as next-prompt`, `--format`, or `--debug`/,
    ],
  ] as const) {
    const { status, stderr } = await ocm(['render', ...args])
    assert.equal(status, 2)
    assert.match(stderr, complaint)
  }
})

test('a snapshot is not lost where there is no room for a new one, and no link is written to', async (t) => {
  const outside = folder(t, { secret: 'mine' })
  const cwd = folder(t, { 'a.ocm': good, 'b.ocm': good })
  symlinkSync(join(outside, 'secret'), join(cwd, 'a.visible.txt'))
  symlinkSync(join(outside, 'new'), join(cwd, 'b.visible.txt'))
  const { status, stderr } = await ocm(['render', '--update', 'a.ocm', 'b.ocm'], { cwd })
  assert.equal(status, 2)
  assert.match(stderr, /a\.visible\.txt: is a link to a place outside the folder/)
  assert.match(stderr, /b\.visible\.txt: already exists/)
  assert.equal(readFileSync(join(outside, 'secret'), 'utf8'), 'mine')
  assert.equal(existsSync(join(outside, 'new')), false)

  const full = folder(t, {})
  const mount = `mount -t tmpfs -o size=64k none '${full}' && cd '${full}'`
  if (spawnSync('unshare', ['-rm', 'sh', '-c', mount]).status !== 0) return t.skip('no right to mount')
  writeFileSync(join(cwd, 'long.ocm'), good.replace('Hello', 'Hello '.repeat(20_000)))
  const run = `${mount}; ln -s '${cwd}/long.ocm' a.ocm
    printf before > a.visible.txt
    '${process.execPath}' '${program}' render --update a.ocm; echo $?; cat a.visible.txt; ls -A`
  const { stdout, stderr: told } = spawnSync('unshare', ['-rm', 'sh', '-c', run], { encoding: 'utf8' })
  assert.equal(stdout, 'Snapshots: none\n2\nbeforea.ocm\na.visible.txt\n')
  assert.match(told, /a\.visible\.txt: the disk is full/)
})
