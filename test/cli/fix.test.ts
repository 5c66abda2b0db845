/** `ocm check --fix` and `--diff`. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, linkSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { replaceFile } from '../../cli/src/files/replace-file.ts'
import { bad, fixable, fixed, folder, good, ocm } from './run-ocm.ts'

test('--fix writes what is safe and reports the rest', async (t) => {
  const cwd = folder(t, { 'a.ocm': fixable, 'b.ocm': bad, 'c.ocm': good })
  const before = statSync(join(cwd, 'b.ocm')).mtimeMs
  const { status, stdout } = await ocm(['check', '--fix', '.'], { cwd })
  assert.equal(status, 1)
  assert.match(stdout, /^b\.ocm:2:38: error/)
  assert.match(stdout, /^1 error in 3 files\n1 problem fixed\n/m)
  assert.equal(readFileSync(join(cwd, 'a.ocm'), 'utf8'), fixed)
  assert.equal(readFileSync(join(cwd, 'b.ocm'), 'utf8'), bad)
  assert.equal(statSync(join(cwd, 'b.ocm')).mtimeMs, before, 'nothing to do, nothing written')
  assert.deepEqual(readdirSync(cwd).sort(), ['a.ocm', 'b.ocm', 'c.ocm'])
})

test('--fix keeps every other byte, the permissions and links', {
  skip: process.platform === 'win32',
}, async (t) => {
  const text = `\ufeff${fixable.replaceAll('\n', '\r\n')}<|start|>user<|message|>\u0000\t é \r\r<|end|>`
  const cwd = folder(t, { 'real.txt': text })
  chmodSync(join(cwd, 'real.txt'), 0o640)
  symlinkSync('real.txt', join(cwd, 'a.ocm'))
  assert.equal((await ocm(['check', '--fix', '.'], { cwd })).status, 0)
  assert.ok(lstatSync(join(cwd, 'a.ocm')).isSymbolicLink())
  assert.equal(statSync(join(cwd, 'real.txt')).mode & 0o777, 0o640)
  assert.equal(readFileSync(join(cwd, 'real.txt'), 'utf8'), text.replace('|> final', '|>final'))
})

test('--unsafe-fixes applies the first fix of each problem that needs no choice, with --fix or --diff only', async (t) => {
  const unsafe = '<|start|>asistant<|channel|>final<|message|>Hi<|return|>\n'
  const cwd = folder(t, { 'a.ocm': `version: 2.2\n${unsafe}` })
  const [safe, diff] = await Promise.all([
    ocm(['check', '--diff', 'a.ocm'], { cwd }),
    ocm(['check', '--diff', '--unsafe-fixes', 'a.ocm'], { cwd }),
  ])
  assert.equal(safe.stdout, '')
  assert.match(diff.stdout, /^\+<\|start\|>assistant<\|channel\|>final/m)
  assert.equal((await ocm(['check', '--fix', '--unsafe-fixes', 'a.ocm'], { cwd })).status, 0)
  assert.equal(
    readFileSync(join(cwd, 'a.ocm'), 'utf8'),
    `version: 2.2\n${unsafe.replace('asistant', 'assistant')}`,
  )
  assert.equal((await ocm(['check', '--unsafe-fixes', 'a.ocm'], { cwd })).status, 2)
  const choice = 'version: 2.2\n<|start|>narrator<|message|>Hi<|end|>\n'
  const chosen = await ocm(['check', '--diff', '--unsafe-fixes', '-'], { cwd, input: choice })
  assert.equal(chosen.stdout, '', 'one of several values is for the user to choose')
})

test('--fix tells programs how much it did', async (t) => {
  const cwd = folder(t, { 'a.ocm': fixable })
  const { stdout } = await ocm(['check', '--fix', '--format', 'json', '.'], { cwd })
  assert.deepEqual(JSON.parse(stdout), {
    schemaVersion: 1,
    files: [{ path: 'a.ocm', dialect: '2.2', diagnostics: [] }],
    errors: 0,
    warnings: 0,
    fixed: 1,
  })
})

test('--diff prints and writes nothing', async (t) => {
  const cwd = folder(t, { 'sub/a b.ocm': fixable, 'b.ocm': bad })
  const { status, stdout, stderr } = await ocm(['check', '--diff', '.'], { cwd })
  assert.deepEqual({ status, stderr }, { status: 1, stderr: '' }, 'the problems are still there')
  assert.equal(
    stdout,
    `--- a/sub/a b.ocm\t
+++ b/sub/a b.ocm\t
@@ -1,2 +1,2 @@
 version: 2.2
-<|start|>assistant<|channel|> final<|message|>Hi<|return|>
+<|start|>assistant<|channel|>final<|message|>Hi<|return|>
`,
  )
  assert.equal(readFileSync(join(cwd, 'sub', 'a b.ocm'), 'utf8'), fixable)
  assert.equal(
    (await ocm(['check', '--fix', '--diff', '.'], { cwd })).stdout,
    stdout,
    '--diff goes before --fix',
  )
})

test('--diff of standard input', async () => {
  assert.match((await ocm(['check', '--diff', '-'], { input: fixable })).stdout, /^--- a\/<stdin>\n/)
  assert.equal((await ocm(['check', '--diff', '-'], { input: good })).stdout, '')
})

const hasGit = spawnSync('git', ['--version']).status === 0

test('git applies the diff', { skip: !hasGit && 'no git' }, async (t) => {
  const text =
    `${fixable}${'<|start|>user<|message|>\r\nHello\n\n<|end|>\n'.repeat(9)}${fixable.slice(13)}`.trimEnd()
  const cwd = folder(t, { 'a.ocm': text })
  const { stdout } = await ocm(['check', '--diff', '.'], { cwd })
  const { status, stderr } = spawnSync('git', ['apply', '--whitespace=nowarn'], { cwd, input: stdout })
  assert.equal(status, 0, String(stderr))
  assert.equal(readFileSync(join(cwd, 'a.ocm'), 'utf8'), text.replaceAll('|> final', '|>final'))
})

test('a file that changed in the meantime is left alone', async (t) => {
  const path = join(folder(t, { 'a.ocm': 'new' }), 'a.ocm')
  await assert.rejects(
    replaceFile(path, Buffer.from('old'), 'mine'),
    /a\.ocm: was changed by another program/,
  )
  assert.equal(readFileSync(path, 'utf8'), 'new')
  await assert.rejects(replaceFile(`${path}x`, Buffer.from(''), 'mine'), /there is no such file/)
})

test('nothing is fixed where the configuration has errors, which could turn off the rule', async (t) => {
  const files = { 'off/a.ocm': fixable, 'off/.openchatml.yaml': 'rules: [', 'on/a.ocm': fixable }
  const cwd = folder(t, files)
  const { status, stdout, stderr } = await ocm(['check', '--fix', '.'], { cwd })
  assert.equal(status, 2)
  assert.match(stderr, /off\/a\.ocm: is not fixed, because its configuration has errors$/m)
  assert.match(stdout, /^off\/a\.ocm:2:/m)
  assert.match(stdout, /1 problem fixed/)
  assert.equal(readFileSync(join(cwd, 'off/a.ocm'), 'utf8'), fixable)
  assert.equal(readFileSync(join(cwd, 'on/a.ocm'), 'utf8'), fixed)
  const { stdout: difference } = await ocm(['check', '--diff', 'off'], { cwd })
  assert.equal(difference, '')
  const sample = `${JSON.stringify({ text: fixable })}\n`
  const samples = folder(t, { 'data.jsonl': sample, '.openchatml.yaml': 'rules: [' })
  assert.equal((await ocm(['check', '--fix', '--in-place', 'data.jsonl'], { cwd: samples })).status, 2)
  assert.equal(readFileSync(join(samples, 'data.jsonl'), 'utf8'), sample)
})

test('fixes that touch wait for another round', async () => {
  const text = 'version: 2.2\n<|start|>assistant<|channel|> final<|constrain|> json<|message|>{}<|return|>\n'
  const { stdout } = await ocm(['check', '--diff', '-'], { input: text })
  assert.match(stdout, /^\+<\|start\|>assistant<\|channel\|>final<\|constrain\|>json<\|message\|>/m)
})

test('as many fixes as messages', async (t) => {
  const message = fixable.slice(fixable.indexOf('<'))
  const cwd = folder(t, { 'a.ocm': `version: 2.2\n${message.repeat(20_000)}` })
  const { stdout } = await ocm(['check', '--fix', 'a.ocm'], { cwd })
  assert.equal(stdout, 'No problems in 1 file\n20000 problems fixed\n')
})

test('a file that cannot be written has its problems reported still, and stays as it is', async (t) => {
  const outside = folder(t, { 'a.ocm': fixable })
  const cwd = folder(t, { 'in/b.ocm': fixable })
  symlinkSync(join(outside, 'a.ocm'), join(cwd, 'in', 'link.ocm'))
  const { status, stdout, stderr } = await ocm(['check', '--fix', '--format', 'json', 'in'], { cwd })
  assert.equal(status, 2)
  assert.match(stderr, /link\.ocm: is a link to a place outside the folder$/m)
  const { files } = JSON.parse(stdout) as { files: { path: string; diagnostics: unknown[] }[] }
  assert.deepEqual(
    files.map(({ path, diagnostics }) => [path, diagnostics.length > 0]),
    [
      [join('in', 'b.ocm'), false],
      [join('in', 'link.ocm'), true],
    ],
  )
  assert.equal(readFileSync(join(outside, 'a.ocm'), 'utf8'), fixable)
  assert.notEqual(readFileSync(join(cwd, 'in', 'b.ocm'), 'utf8'), fixable)
  assert.equal((await ocm(['format', '--write', 'in'], { cwd })).status, 2)
  assert.equal(readFileSync(join(outside, 'a.ocm'), 'utf8'), fixable)
  assert.equal((await ocm(['check', '--fix', 'in/link.ocm'], { cwd })).status, 0, 'the user named it')
  assert.notEqual(readFileSync(join(outside, 'a.ocm'), 'utf8'), fixable)
})

test('hard links are fixed together', async (t) => {
  const cwd = folder(t, { 'a.ocm': fixable })
  linkSync(join(cwd, 'a.ocm'), join(cwd, 'b.ocm'))
  assert.equal((await ocm(['check', '--fix', '.'], { cwd })).status, 0)
  assert.equal(statSync(join(cwd, 'a.ocm')).nlink, 2)
  assert.notEqual(readFileSync(join(cwd, 'b.ocm'), 'utf8'), fixable)
})
