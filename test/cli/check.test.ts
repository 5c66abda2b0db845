/** `ocm check`: exit statuses and the shape of its JSON. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bad, folder, good, ocm } from './run-ocm.ts'

/** A warning and nothing else: the header is missing. */
const warned = '<|start|>user<|channel|>final<|message|>Hello<|end|>\n'

test('exit statuses', async (t) => {
  const cwd = folder(t, { 'good.ocm': good, 'bad.ocm': bad, 'warned.ocm': warned })
  const status = async (...args: string[]) => (await ocm(['check', ...args], { cwd })).status
  assert.equal(await status('good.ocm'), 0)
  assert.equal(await status('bad.ocm'), 1)
  assert.equal(await status('good.ocm', 'bad.ocm'), 1)
  assert.equal(await status('--fail-on', 'error', 'bad.ocm'), 1)
  assert.equal(await status('--fail-on=hint', 'good.ocm'), 0)
  assert.equal(await status('bad.ocm', 'missing.ocm'), 2)
  assert.equal(await status('--nonsense'), 2)
})

test('warnings count with --fail-on warning', async (t) => {
  const cwd = folder(t, { 'warned.ocm': warned })
  const run = async (...args: string[]) => ocm(['check', ...args, 'warned.ocm'], { cwd })
  assert.match((await run()).stdout, /^1 warning in 1 file$/m)
  assert.equal((await run()).status, 0)
  assert.equal((await run('--fail-on', 'warning')).status, 1)
  assert.equal((await run('--fail-on', 'hint')).status, 1)
})

test('the shape of the JSON', async (t) => {
  const cwd = folder(t, { 'a.ocm': bad, 'b.ocm': good })
  const { stdout, status } = await ocm(['check', '--format', 'json', '.'], { cwd })
  assert.equal(status, 1)
  assert.deepEqual(JSON.parse(stdout), {
    files: [
      {
        path: 'a.ocm',
        dialect: '2.2',
        diagnostics: [
          {
            code: 'E-PARSE-HEADER',
            rule: 'repeated-channel',
            severity: 'error',
            message: '`<|channel|>commentary` is a second channel; the message is already on `analysis`',
            range: { start: { line: 1, character: 37 }, end: { line: 1, character: 58 } },
          },
        ],
      },
      { path: 'b.ocm', dialect: '2.2', diagnostics: [] },
    ],
    errors: 1,
    warnings: 0,
  })
})

test('JSON without files', async (t) => {
  const { stdout, status } = await ocm(['check', '--format', 'json', 'missing'], { cwd: folder(t) })
  assert.deepEqual(JSON.parse(stdout), { files: [], errors: 0, warnings: 0 })
  assert.equal(status, 2)
})

test('check and parse agree', async () => {
  const check = JSON.parse((await ocm(['check', '--format', 'json', 'samples/15-mistakes.ocm'])).stdout)
  const parse = JSON.parse((await ocm(['parse', 'samples/15-mistakes.ocm'])).stdout)
  assert.deepEqual(check.files[0].diagnostics, parse.diagnostics)
  assert.equal(check.files[0].dialect, parse.dialect)
})

test('a forced dialect', async () => {
  const dialect = async (name: string) => {
    const { stdout } = await ocm(['check', '--format', 'json', '--dialect', name, '-'], { input: good })
    return JSON.parse(stdout).files[0].dialect
  }
  assert.equal(await dialect('auto'), '2.2')
  for (const name of ['2.2', '2.0', '1.x', 'harmony']) assert.equal(await dialect(name), name)
})
