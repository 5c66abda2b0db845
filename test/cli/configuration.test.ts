/** Configuration files of `ocm check`: where they are looked for, what they set, and what is said about mistakes. */
import assert from 'node:assert/strict'
import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { oddFiles, secret } from '../helpers/odd-files.ts'
import { bad, fixable, folder, good, ocm } from './run-ocm.ts'

const off = 'rules:\n  repeated-channel: off\n'

async function problems(args: readonly string[], cwd: string, input = '') {
  const { stdout, stderr, status } = await ocm(['check', '--format', 'json', ...args], { cwd, input })
  const { files } = JSON.parse(stdout)
  const found: string[] = []
  for (const { path, diagnostics } of files) {
    for (const { severity, rule } of diagnostics) found.push(`${path} ${severity} ${rule}`)
  }
  return { found, stderr, status }
}

test('the nearest file upwards holds', async (t) => {
  const cwd = folder(t, {
    '.openchatml.yaml': off,
    'a.ocm': bad,
    'deep/er/a.ocm': bad,
    'own/.openchatml.json': '{"rules": {"E-PARSE-HEADER": "hint"}}',
    'own/a.ocm': bad,
  })
  assert.deepEqual(await problems(['.'], cwd), {
    found: ['own/a.ocm hint repeated-channel'],
    stderr: '',
    status: 0,
  })
  assert.deepEqual((await problems(['../a.ocm'], `${cwd}/own`)).found, [])
  assert.deepEqual((await problems(['-'], `${cwd}/own`, bad)).found, ['<stdin> hint repeated-channel'])
  assert.deepEqual((await problems(['-', '--no-config'], cwd, bad)).status, 1)
})

test('a named file holds for all', async (t) => {
  const cwd = folder(t, {
    '.openchatml.yaml': 'rules: {repeated-channel: hint}',
    'strict.yaml': off,
    'a.ocm': bad,
  })
  assert.deepEqual((await problems(['--config', 'strict.yaml', '.'], cwd)).found, [])
  const { status, stderr, stdout } = await ocm(['check', '--config', 'missing.yaml', '.'], { cwd })
  assert.deepEqual([status, stdout], [2, ''])
  assert.match(stderr, /missing\.yaml: there is no such file/)
})

test('overrides hold for paths relative to the file, and the header counts most', async (t) => {
  const cwd = folder(t, {
    '.openchatml.yaml': 'overrides:\n  - files: broken/**\n    rules: {E-PARSE-HEADER: off}\n',
    'broken/a.ocm': bad,
    'broken/b.ocm': bad.replace('version: 2.2', 'version: 2.2\nlint: {repeated-channel: warning}'),
    'c.ocm': bad,
  })
  const expected = ['b.ocm warning repeated-channel']
  assert.deepEqual((await problems(['.'], `${cwd}/broken`)).found, expected)
  assert.deepEqual((await problems(['.'], cwd)).found, [
    'broken/b.ocm warning repeated-channel',
    'c.ocm error repeated-channel',
  ])
})

test('templates are known, unless the file says otherwise', async (t) => {
  const input = 'version: 2.2\n<|start|>{{ role }}<|message|>{{ text }}<|end|>\n'
  const cwd = folder(t, { '.openchatml.yaml': 'templates: false\n' })
  assert.equal((await problems(['-'], cwd, input)).status, 1)
  assert.deepEqual((await problems(['-', '--no-config'], cwd, input)).found, [])
})

test('rules that are off are not fixed', async (t) => {
  const cwd = folder(t, { '.openchatml.yaml': 'rules: {W-TOKEN-SPACE: off}', 'a.ocm': fixable })
  assert.equal((await ocm(['check', '--diff', '.'], { cwd })).stdout, '')
})

test('unknown rules are named, once, and nothing else happens', async (t) => {
  const cwd = folder(t, {
    '.openchatml.yaml': 'rules:\n  repeted-channel: off\n',
    'a.ocm': good,
    'b.ocm': good,
  })
  const { stderr, status } = await problems(['.'], cwd)
  assert.equal(status, 0)
  assert.match(
    stderr,
    /^ocm: .*\.openchatml\.yaml:2:3: Unknown rule or code `repeted-channel`; did you mean `repeated-channel`\?\n$/,
  )
})

test('a broken file is named, the rest is done, and the exit status is 2', async (t) => {
  const cwd = folder(t, { '.openchatml.yaml': 'rules:\n  unknown-role: loud\n', 'a.ocm': bad })
  const { found, stderr, status } = await problems(['.'], cwd)
  assert.match(found[0] ?? '', /\.openchatml\.yaml error unreadable-input$/)
  assert.deepEqual(found.slice(1), ['a.ocm error repeated-channel'])
  assert.equal(status, 2)
  assert.match(stderr, /\.openchatml\.yaml:2:17: Unknown severity `loud` for `unknown-role`/)
  for (const text of ['rules: {', '- 1', 'rules: 1', '{"rules": ]']) {
    const broken = folder(t, { '.openchatml.yaml': text, 'a.ocm': good })
    assert.equal((await problems(['.'], broken)).status, 2, text)
  }
  const directory = folder(t, { '.openchatml.yaml/x': '', 'a.ocm': good })
  assert.match((await problems(['.'], directory)).stderr, /\.openchatml\.yaml: is a directory/)
})

test('parse reads the same files', async (t) => {
  const cwd = folder(t, {
    '.openchatml.yaml': 'rules: {repeated-channel: hint}',
    'off.yaml': off,
    'a.ocm': bad,
  })
  const severities = async (...args: string[]) => {
    const { stdout } = await ocm(['parse', ...args, 'a.ocm'], { cwd })
    return JSON.parse(stdout).diagnostics.map(({ severity }: { severity: string }) => severity)
  }
  assert.deepEqual(await severities(), ['hint'])
  assert.deepEqual(await severities('--no-config'), ['error'])
  assert.deepEqual(await severities('--config', 'off.yaml'), [])
  const { status, stdout, stderr } = await ocm(['parse', '--config', 'missing.yaml', 'a.ocm'], { cwd })
  assert.deepEqual([status, stdout], [2, ''])
  assert.match(stderr, /missing\.yaml: there is no such file/)
})

for (const [name, put] of Object.entries(oddFiles)) {
  test(`${name} in the place of a configuration, an expectation and a snapshot`, {
    skip: process.platform === 'win32' && 'no pipes, devices and links as here',
  }, async (t) => {
    const root = folder(t, { 'secret.yaml': `${secret}: [\n`, 'work/a.ocm': good })
    const cwd = join(root, 'work')
    for (const [file, args] of [
      ['.openchatml.yaml', ['check', '.']],
      ['a.expected.yaml', ['check', '--expect', '.']],
      ['a.visible.txt', ['render', '--check', '.']],
    ] as const) {
      put(join(cwd, file), join(root, 'secret.yaml'))
      const { status, stdout, stderr } = await ocm(args, { cwd })
      assert.equal(status, 2, `${args}: ${stdout}${stderr}`)
      assert.match(stderr, new RegExp(`${file.replaceAll('.', '\\.')}: \\S`))
      assert.doesNotMatch(stdout + stderr, new RegExp(secret))
      rmSync(join(cwd, file), { recursive: true })
    }
  })
}

test('a configuration that the user names may be anywhere, but must be a file', {
  skip: process.platform === 'win32' && 'no links as here',
}, async (t) => {
  const root = folder(t, { 'shared.yaml': off, 'work/a.ocm': bad })
  const cwd = join(root, 'work')
  symlinkSync('../shared.yaml', join(cwd, 'linked.yaml'))
  assert.deepEqual((await problems(['--config', 'linked.yaml', '.'], cwd)).found, [])
  const device = await ocm(['check', '--config', '/dev/zero', '.'], { cwd })
  assert.equal(device.status, 2)
  assert.match(device.stderr, /\/dev\/zero: Not read: this is a device/)
})

test('a configuration extends others, and the command line reports what is wrong with that', async (t) => {
  const cwd = folder(t, {
    'base.openchatml.yaml':
      'rules: {repeated-channel: hint}\noverrides: [{files: "*.draft.ocm", rules: {E: off}}]\n',
    'a/.openchatml.yaml': 'extends: ../base.openchatml.yaml\n',
    'a/a.ocm': bad,
    'b/.openchatml.yaml': 'extends: [../base.openchatml.yaml, missing.openchatml.yaml]\n',
    'b/b.ocm': bad,
  })
  const { found, stderr, status } = await problems(['.'], cwd)
  assert.deepEqual(found.slice(0, 1), ['a/a.ocm hint repeated-channel'])
  assert.deepEqual(found.slice(2), ['b/b.ocm hint repeated-channel'])
  assert.equal(status, 2)
  assert.match(stderr, /b[\\/]\.openchatml\.yaml:1:36: There is no file `missing\.openchatml\.yaml`/)
  // The unknown name in the shared file is reported once, although two files extend it.
  assert.equal(stderr.match(/base\.openchatml\.yaml:2:/g)?.length, 1)
  const inside = await ocm(['config', 'show', 'a.ocm'], { cwd: join(cwd, 'a') })
  assert.equal(inside.status, 2)
  assert.match(inside.stderr, /`\.\.\/base\.openchatml\.yaml` is outside the project, so it is not read/)
})

test('an extended file is no link that leads out of the project', async (t) => {
  const cwd = folder(t, {
    'p/.openchatml.yaml': 'extends: base.openchatml.yaml\n',
    'p/good.ocm': good,
    'outside.openchatml.yaml': 'rules: {repeated-channel: off}\n',
  })
  symlinkSync('../outside.openchatml.yaml', join(cwd, 'p', 'base.openchatml.yaml'))
  const { stderr, status } = await problems(['.'], join(cwd, 'p'))
  assert.equal(status, 2)
  assert.match(stderr, /`base\.openchatml\.yaml`: is a link to a place outside the folder/)
})

test('`include` limits what a search of directories finds, and nothing that is named', async (t) => {
  const cwd = folder(t, {
    '.openchatml.yaml': 'include: [data/, "*.check.ocm"]\nexclude: data/old/\n',
    'a.ocm': bad,
    'b/c.check.ocm': bad,
    'data/d.ocm': bad,
    'data/old/e.ocm': bad,
    'list.json': '[{"messages": [{"role": "user", "content": "Hi"}]}]',
  })
  const paths = async (...args: string[]) =>
    (await problems(args, cwd)).found.map((it) => it.replace(/ .*/, ''))
  assert.deepEqual(await paths('.'), ['b/c.check.ocm', 'data/d.ocm'])
  assert.deepEqual(await paths('a.ocm', '.'), ['a.ocm', 'b/c.check.ocm', 'data/d.ocm'])
  assert.deepEqual((await paths('--no-ignore', '.')).length, 5)
  const { status, stderr } = await ocm(['format', '--check', 'b', 'data/old'], { cwd })
  assert.equal(status, 2)
  assert.match(stderr, /data\/old: no \*\.ocm file in this directory|data\/old: .*--no-ignore/)
})
