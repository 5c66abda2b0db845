/** `ocm convert`, `ocm tokens`, the prompt of `ocm render`, and datasets. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { convertCommand } from '../../cli/src/commands/convert-command.ts'
import { tokensCommand } from '../../cli/src/commands/tokens-command.ts'
import { sourceForms, targetForms } from '../../core/src/internal.ts'
import { nightly } from '../helpers/nightly.ts'
import { folder, ocm } from './run-ocm.ts'

const chat = {
  messages: [
    { role: 'user', content: 'Say <|end|>' },
    { role: 'assistant', content: 'No' },
  ],
}

test('the forms are those of the library', () => {
  assert.deepEqual(convertCommand.options.from.values, ['auto', ...sourceForms])
  assert.deepEqual(convertCommand.options.to.values, targetForms)
  assert.deepEqual(tokensCommand.options.from.values, ['auto', ...sourceForms])
})

test('the form is recognised, and control tokens in strings are text', async () => {
  const { stdout, status, stderr } = await ocm(['convert', '-'], { input: JSON.stringify(chat) })
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' })
  assert.equal(
    stdout,
    'version: 2.2\n\n<|start|>user<|message|>Say <<|end|><|end|>\n<|start|>assistant<|channel|>final<|message|>No<|end|>\n',
  )
  assert.deepEqual(
    JSON.parse((await ocm(['convert', '--to', 'messages', '-'], { input: stdout })).stdout),
    chat,
  )
})

test('losses are told on standard error, and fail with --strict', async () => {
  const args = ['convert', '--to', 'harmony', 'samples/02-weather-tool.ocm']
  const run = await ocm(args)
  assert.equal(run.status, 0)
  assert.match(run.stderr, /^ocm: samples\/02-weather-tool\.ocm:23:1: lost: Harmony has no call IDs$/m)
  assert.equal((await ocm([...args, '--strict'])).status, 1)
  const json = await ocm(['convert', '--to', 'json', '--strict', 'samples/02-weather-tool.ocm'])
  assert.deepEqual({ status: json.status, stderr: json.stderr }, { status: 0, stderr: '' })
})

test('a transcript becomes a sample, or history without spent reasoning', async () => {
  const convert = async (...options: string[]) => {
    const run = await ocm(['convert', ...options, 'samples/02-weather-tool.ocm'])
    assert.equal(run.status, 0, run.stderr)
    return run.stdout
  }
  const sample = await convert('--for', 'training')
  assert.match(sample, /^profiles:\n {2}intent: training$/m)
  assert.match(sample, /<\|return\|>\n$/)
  assert.match(sample, /<\|channel\|>analysis/)
  const history = await convert('--for', 'history', '--drop-reasoning')
  assert.match(history, /<\|end\|>\n$/)
  assert.doesNotMatch(history, /<\|channel\|>analysis|<\|return\|>/)
  assert.match(await convert('--for', 'completion'), /<\|end\|>\n<\|start\|>assistant$/)
  assert.match(
    await convert('--headers', 'harmony'),
    /<\|channel\|>commentary to=functions\.\S+ <\|constrain\|>json/,
  )
})

test('a refused conversion prints nothing and says where', async () => {
  const harmony = await ocm(['convert', '--to', 'harmony', '-'], { input: JSON.stringify(chat) })
  assert.deepEqual({ status: harmony.status, stdout: harmony.stdout }, { status: 2, stdout: '' })
  assert.match(harmony.stderr, /A body contains `<\|end\|>`/)
  const broken = await ocm(['convert', '-'], { input: '{"messages":\n [{"role" "user"}]}' })
  assert.equal(broken.status, 2)
  assert.match(broken.stderr, /^ocm: <stdin>:2:\d+: /)
})

test('the next prompt', async () => {
  const text =
    'version: 2.2\n<|start|>user<|message|>2+2?<|end|>\n<|start|>assistant<|channel|>analysis<|message|>Easy.<|end|>\n<|start|>assistant<|channel|>final<|message|>4<|return|>\n'
  const prompt = async (...args: string[]) =>
    (await ocm(['render', '--as', 'next-prompt', ...args, '-'], { input: text })).stdout
  const history = '<|start|>user<|message|>2+2?<|end|><|start|>assistant<|channel|>final<|message|>4'
  assert.equal(await prompt(), `${history}<|end|><|start|>assistant`)
  assert.equal(await prompt('--for', 'history'), `${history}<|end|>`)
  assert.equal(await prompt('--for', 'training'), `${history}<|return|>`)
})

test('tokens of a file', async () => {
  const input = 'version: 2.2\n<|start|>user<|message|>Hi<|end|>\n'
  const { stdout } = await ocm(['tokens', '--format', 'json', '-'], { input })
  assert.deepEqual(JSON.parse(stdout), {
    path: '<stdin>',
    total: 5,
    roles: { user: 5 },
    channels: { none: 5 },
    messages: [{ role: 'user', channel: null, tokens: 5, body: 1 }],
  })
  assert.equal((await ocm(['tokens', '--ids', '-'], { input })).stdout, '[200006,1428,200008,12194,200007]\n')
  assert.match((await ocm(['tokens', '-'], { input })).stdout, /^ {5}5 {2}total$/m)
})

const dataset = [
  JSON.stringify(chat),
  '{broken',
  '',
  JSON.stringify({ text: '<|im_start|>user\nHi<|im_end|>\n', source: 'x' }),
  JSON.stringify({
    messages: [{ role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{' } }] }],
  }),
].join('\n')

test('half a character has no tokens, which is reported where it is', async (t) => {
  const broken = '{"messages":[{"role":"user","content":"a\\ud83d"}]}'
  const cwd = folder(t, { 'a.json': broken, 'a.jsonl': `${broken}\n${broken.replace('\\ud83d', '')}\n` })
  const message = 'lost: Half a character (a lone surrogate) cannot be written as UTF-8\n'
  for (const args of [['tokens'], ['tokens', '--ids'], ['tokens', '--format', 'json']]) {
    const { status, stderr } = await ocm([...args, 'a.json', 'a.jsonl'], { cwd })
    assert.equal(stderr, `ocm: a.json:1:41: ${message}ocm: a.jsonl:1:41: ${message}`)
    assert.equal(status, 0)
  }
  // The sample is looked at again to find the place, and counted once.
  const { stdout } = await ocm(['tokens', 'a.jsonl'], { cwd })
  assert.match(
    stdout,
    /^(a\.jsonl:1: (\d+) tokens\na\.jsonl:2: (\d+) tokens\n)(\d+) tokens in 2 conversations\n$/,
  )
  const [first = 0, second = 0, sum] = [...stdout.matchAll(/(\d+) tokens/g)].map(([, count]) => Number(count))
  assert.equal(sum, first + second)
})

test('a dataset keeps its order, and bad lines are named', async (t) => {
  const cwd = folder(t, { 'data.jsonl': dataset })
  const run = await ocm(['convert', '--to', 'messages', 'data.jsonl'], { cwd })
  assert.equal(run.status, 2)
  assert.match(run.stderr, /^ocm: data\.jsonl:2:2: /m)
  const lines = run.stdout
    .trimEnd()
    .split('\n')
    .map((it) => JSON.parse(it))
  assert.equal(lines.length, 3)
  assert.deepEqual(lines[0], chat)
  assert.deepEqual(lines[1], { source: 'x', messages: [{ role: 'user', content: 'Hi' }] })
  assert.equal((await ocm(['convert', '--bad-lines', 'skip', 'data.jsonl'], { cwd })).status, 0)
  const stopped = await ocm(['convert', '--bad-lines', 'stop', 'data.jsonl'], { cwd })
  assert.deepEqual([stopped.status, stopped.stdout.split('\n').length], [2, 2])
  assert.equal(readFileSync(join(cwd, 'data.jsonl'), 'utf8'), dataset, 'the source is never written')
})

test('a dataset from standard input', async () => {
  const run = await ocm(['convert', '--jsonl', '--bad-lines', 'skip', '-'], { input: dataset })
  assert.equal(run.stdout.trimEnd().split('\n').length, 3)
})

test('check and tokens read datasets', async (t) => {
  const cwd = folder(t, { 'data.jsonl': dataset })
  const check = await ocm(['check', '--bad-lines', 'skip', 'data.jsonl'], { cwd })
  assert.equal(check.status, 1)
  assert.match(check.stdout, /^data\.jsonl:5:14: error: .*E-BODY-CONSTRAINT-VIOLATION/m)
  const tokens = await ocm(['tokens', '--format', 'json', '--bad-lines', 'skip', 'data.jsonl'], { cwd })
  assert.deepEqual(
    tokens.stdout
      .trimEnd()
      .split('\n')
      .map((it) => JSON.parse(it).line),
    [1, 4, 5],
  )
})

nightly('a large dataset takes little memory', async () => {
  const line = `${JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(10_000) }] })}\n`
  const { stdout, status } = await ocm(['convert', '--jsonl', '--to', 'messages', '-'], {
    input: line.repeat(4000),
    env: { NODE_OPTIONS: '--max-old-space-size=40' },
  })
  assert.equal(status, 0)
  assert.equal(stdout.length, line.length * 4000)
})
