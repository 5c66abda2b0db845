/** `ocm format`. */
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { folder, good, ocm } from './run-ocm.ts'

const loose =
  'version: 2.2\n<|start|>assistant  intent=status <|channel|>commentary<|message|> a  <|end|>\n\n\n<|start|>user<|message|>b<|end|>'
const tidy =
  'version: 2.2\n<|start|>assistant intent=status<|channel|>commentary<|message|> a  <|end|>\n<|start|>user<|message|>b<|end|>\n'

test('a file is printed as formatted, byte for byte', async (t) => {
  const cwd = folder(t, { 'a.ocm': loose })
  assert.deepEqual(await ocm(['format', 'a.ocm'], { cwd }), { status: 0, stdout: tidy, stderr: '' })
  assert.deepEqual(await ocm(['format', '-'], { input: loose }), { status: 0, stdout: tidy, stderr: '' })
  assert.equal(readFileSync(join(cwd, 'a.ocm'), 'utf8'), loose)
})

test('--blank-lines puts empty lines between messages', async () => {
  const { stdout } = await ocm(['format', '--blank-lines', '-'], { input: loose })
  assert.equal(stdout, tidy.replace('<|end|>\n<|start|>', '<|end|>\n\n<|start|>'))
})

test('--check names files that are not formatted', async (t) => {
  const cwd = folder(t, { 'a.ocm': good, 'b.ocm': loose, 'sub/c.ocm': loose })
  assert.deepEqual(await ocm(['format', '--check', '.'], { cwd }), {
    status: 1,
    stdout: `b.ocm\n${join('sub', 'c.ocm')}\n`,
    stderr: '',
  })
  assert.deepEqual(await ocm(['format', '--check', 'a.ocm'], { cwd }), { status: 0, stdout: '', stderr: '' })
})

test('--write writes them, and only them', async (t) => {
  const cwd = folder(t, { 'a.ocm': good, 'b.ocm': loose })
  const before = statSync(join(cwd, 'a.ocm')).mtimeMs
  assert.deepEqual(await ocm(['format', '--write', '.'], { cwd }), {
    status: 0,
    stdout: 'b.ocm\n',
    stderr: '',
  })
  assert.equal(readFileSync(join(cwd, 'b.ocm'), 'utf8'), tidy)
  assert.equal(statSync(join(cwd, 'a.ocm')).mtimeMs, before)
  assert.equal((await ocm(['format', '--check', '.'], { cwd })).status, 0)
})

test('--diff prints what would change', async (t) => {
  const cwd = folder(t, { 'a.ocm': loose })
  const { status, stdout } = await ocm(['format', '--diff', '.'], { cwd })
  assert.equal(status, 1)
  assert.match(stdout, /^--- a\/a\.ocm\n\+\+\+ b\/a\.ocm\n@@ /)
  assert.match(stdout, /^\+<\|start\|>assistant intent=status<\|channel\|>/m)
  assert.equal(readFileSync(join(cwd, 'a.ocm'), 'utf8'), loose)
})

test('a file that cannot be read does not stop the others', async (t) => {
  const cwd = folder(t, { 'a.ocm': Uint8Array.of(0xff), 'b.ocm': loose })
  const { status, stdout, stderr } = await ocm(['format', '--check', '.'], { cwd })
  assert.deepEqual({ status, stdout }, { status: 2, stdout: 'b.ocm\n' })
  assert.match(stderr, /a\.ocm.*is not UTF-8/)
})

for (const [args, complaint] of [
  [['format'], /Name a file or `-`/],
  [['format', '--check', '--write', '.'], /`--check` and `--write` cannot be used together/],
  [['format', '--write', '-'], /cannot write to standard input/],
  [['format', 'a', 'b'], /More than one file requires/],
] as const) {
  test(`mistake: ocm ${args.join(' ')}`, async () => {
    const { status, stdout, stderr } = await ocm(args)
    assert.deepEqual({ status, stdout }, { status: 2, stdout: '' })
    assert.match(stderr, complaint)
  })
}
