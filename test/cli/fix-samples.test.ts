/** `ocm check --fix` for samples of datasets: into a new file, and in place. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { stretchLimits } from '../../cli/src/dataset/stretch.ts'
import { nightly } from '../helpers/nightly.ts'
import { fixable, folder, good, ocm } from './run-ocm.ts'

const big = '12345678901234567890'

function line(text: string): string {
  return `{"id": ${big},  "text": ${JSON.stringify(text)}, "score": 0.50}`
}

const unfixed = `${line(good)}\r\n${line(fixable)}\n{"messages": [}\n\n${line(fixable)}`
const fixed = unfixed.replaceAll('|> final', '|>final')
const broken = '{"messages": [}\n'

function read(cwd: string, name: string): string {
  return readFileSync(join(cwd, name), 'utf8')
}

test('--output writes a new file with only the fixed words changed, and no source', async (t) => {
  const cwd = folder(t, { 'a.jsonl': unfixed })
  const before = statSync(join(cwd, 'a.jsonl')).mtimeMs
  const args = ['check', '--fix', '--output', 'b.jsonl', 'a.jsonl']
  const { status, stdout, stderr } = await ocm(args, { cwd })
  assert.match(stderr, / a\.jsonl:3:15: /m)
  assert.equal(status, 2, 'a line that is no JSON is reported')
  assert.match(stdout, /^2 problems fixed$/m)
  assert.equal(read(cwd, 'b.jsonl'), fixed)
  assert.equal(read(cwd, 'a.jsonl'), unfixed)
  assert.equal(statSync(join(cwd, 'a.jsonl')).mtimeMs, before)
  assert.deepEqual(readdirSync(cwd).sort(), ['a.jsonl', 'b.jsonl'])
  const again = await ocm(['check', '--fix', '--output', 'c.jsonl', 'b.jsonl'], { cwd })
  assert.doesNotMatch(again.stdout, /fixed/)
  assert.equal(read(cwd, 'c.jsonl'), fixed)
})

test('--in-place swaps the file; lists, single files and transcripts as well', async (t) => {
  const list = `\ufeff[\n  ${line(good)},\n  ${line(fixable)}\n]\n`
  const one = `{"text": ${JSON.stringify(fixable)}}\n`
  const cwd = folder(t, { 'a.jsonl': line(fixable), 'b.json': list, 'c.json': one, 'd.ocm': fixable })
  const temporary = folder(t, {})
  const args = ['check', '--fix', '--in-place', 'a.jsonl', 'b.json', 'c.json', 'd.ocm']
  const env = { TMPDIR: temporary, TEMP: temporary }
  const { status, stdout, stderr } = await ocm(args, { cwd, env })
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' })
  assert.match(stdout, /^4 problems fixed$/m)
  assert.equal(read(cwd, 'a.jsonl'), line(fixable).replace('|> final', '|>final'))
  assert.equal(read(cwd, 'b.json'), list.replace('|> final', '|>final'))
  assert.equal(read(cwd, 'c.json'), one.replace('|> final', '|>final'))
  assert.equal(read(cwd, 'd.ocm'), fixable.replace('|> final', '|>final'))
  assert.deepEqual(readdirSync(temporary), [], 'nothing stays among temporary files')
})

test('what is already good is not written', async (t) => {
  const cwd = folder(t, { 'a.jsonl': line(good) })
  const before = statSync(join(cwd, 'a.jsonl'))
  assert.equal((await ocm(['check', '--fix', '--in-place', '.'], { cwd })).status, 0)
  const after = statSync(join(cwd, 'a.jsonl'))
  assert.deepEqual([after.ino, after.mtimeMs], [before.ino, before.mtimeMs])
})

nightly('the result is the same with one thread and with many, of many stretches', async (t) => {
  const long = good.replace('Hello', 'Hello '.repeat(1500))
  const many = `${line(fixable)}\n${line(long)}\n`.repeat(150)
  assert.ok(many.length > 2 * stretchLimits.stretch)
  const cwd = folder(t, { 'a.jsonl': many })
  for (const jobs of ['1', '3']) {
    const output = `${jobs}.jsonl`
    const args = ['check', '--fix', '--max-problems', '3', '--jobs', jobs, '--output', output, 'a.jsonl']
    const { stdout } = await ocm(args, { cwd })
    assert.match(stdout, /^150 problems fixed$/m)
    assert.equal(read(cwd, output), many.replaceAll('|> final', '|>final'))
  }
})

test('several datasets become one file, each on lines of its own', async (t) => {
  const cwd = folder(t, { 'a.jsonl': line(fixable), 'b.jsonl': `${line(good)}\n` })
  await ocm(['check', '--fix', '--output', 'c.jsonl', 'a.jsonl', 'b.jsonl'], { cwd })
  assert.equal(read(cwd, 'c.jsonl'), `${line(fixable).replace('|> final', '|>final')}\n${line(good)}\n`)
})

test('places are those in the file as it is written', async (t) => {
  const text = `${fixable}<|start|>assistant<|channel|>finl<|message|>Hi<|return|>\n`
  const cwd = folder(t, { 'a.jsonl': line(text) })
  const { stdout } = await ocm(['check', '--fix', '--in-place', '--format', 'github', 'a.jsonl'], { cwd })
  const column = read(cwd, 'a.jsonl').indexOf('finl') + 1
  assert.match(stdout, new RegExp(`line=1,.*col=${column},`))
})

test('nothing is written where something is missing or in the way', async (t) => {
  const cwd = folder(t, {
    'a.jsonl': line(fixable),
    'b.json': `[${line(fixable)}, {"messages"`,
    'c.ocm': fixable,
    'e.json': `[${line(fixable)}]`,
  })
  const refused = async (args: readonly string[], pattern: RegExp) => {
    const before = readdirSync(cwd).map((it) => [it, read(cwd, it)])
    const { status, stdout, stderr } = await ocm(['check', ...args], { cwd })
    assert.match(stderr, pattern)
    assert.equal(status, 2)
    assert.doesNotMatch(stdout, /problems? fixed/)
    assert.deepEqual(
      readdirSync(cwd).map((it) => [it, read(cwd, it)]),
      before,
    )
  }
  await refused(['--fix', 'a.jsonl'], /a\.jsonl: for samples, `--fix` needs `--output FILE`/)
  await refused(['--diff', 'a.jsonl'], /a\.jsonl: `--diff` works on transcripts only/)
  await refused(['--fix', '--output', 'c.ocm', 'a.jsonl'], /`c\.ocm` already exists/)
  await refused(['--output', 'd.jsonl', 'a.jsonl'], /`--output` requires `--fix`/)
  await refused(['--unsafe-fixes', '--in-place', 'a.jsonl'], /`--unsafe-fixes` requires `--fix` or `--diff`/)
  await refused(['--in-place', 'a.jsonl'], /`--in-place` requires `--fix`/)
  await refused(['--fix', '--in-place', '--output', 'd.jsonl', 'a.jsonl'], /cannot be used together/)
  await refused(['--fix', '--diff', '--in-place', 'a.jsonl'], /`--diff` writes nothing/)
  await refused(['--fix', '--in-place', '-'], /cannot write to standard input/)
  await refused(['--fix', '--in-place', 'b.json'], /cut off/)
  await refused(['--fix', '--output', 'd.jsonl', 'a.jsonl', 'b.json'], /d\.jsonl: is not written/)
  await refused(['--fix', '--output', 'd.jsonl', 'a.jsonl', 'e.json'], /e\.json is not JSONL/)
  await refused(['--fix', '--output', 'd.jsonl', 'a.jsonl', 'c.ocm'], /c\.ocm: is a transcript/)
  await refused(['--fix', '--output', 'd.jsonl', 'a.jsonl', 'none.jsonl'], /d\.jsonl: is not written/)
})

test('reading that stops at a bad line writes nothing', async (t) => {
  const text = `${line(fixable)}\n${broken}${line(good)}\n`
  const cwd = folder(t, { 'a.jsonl': text })
  for (const target of [['--in-place'], ['--output', 'b.jsonl']]) {
    const args = ['check', '--fix', ...target, '--bad-lines', 'stop', 'a.jsonl']
    assert.equal((await ocm(args, { cwd })).status, 2)
    assert.equal(read(cwd, 'a.jsonl'), text)
    assert.ok(!existsSync(join(cwd, 'b.jsonl')))
  }
})

const key = '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'
const message = (role: string, content: string) => ({ role, content })

test('--unsafe-fixes redacts secrets wherever a sample has text, and leaves its other fields alone', async (t) => {
  const call = { id: 'c1', type: 'function', function: { name: 'login', arguments: `{"key": "${key}"}` } }
  const parameters = { type: 'object', properties: { key: { type: 'string', default: key } } }
  const tools = [
    { type: 'function', function: { name: 'login', description: `With ${key}`, parameters }, strict: false },
  ]
  const samples = [
    { prompt: 'My key?', chosen: 'No.', rejected: `It is ${key}`, note: key },
    // The same problem in both branches, of which the second is not that of the prompt.
    {
      prompt: [message('user', 'Key?')],
      chosen: [message('assistant', key)],
      rejected: [message('assistant', `It is ${key}`)],
    },
    {
      messages: [
        message('system', `Use ${key}`),
        message('user', 'Log in'),
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c1', content: `{"token":"${key}"}` },
        { role: 'assistant', reasoning_content: key, content: 'Done.' },
      ],
      tools,
      meta: { [key]: 1 },
    },
    { messages: [message('user', 'Log in'), message('assistant', 'Done.')], tools: JSON.stringify(tools) },
    { instruction: key, input: key, output: key, system: key },
    {
      conversations: [
        { from: 'human', value: 'Key?' },
        { from: 'gpt', value: `<think>${key}</think>${key}` },
      ],
    },
  ]
  const lines = samples.map((it) => JSON.stringify(it))
  const cwd = folder(t, { 'a.jsonl': `${lines.join('\n')}\n` })
  const args = ['check', '--select', 'W-DATA-SECRET', '--fix', 'a.jsonl']
  const safe = await ocm([...args, '--output', 'safe.jsonl'], { cwd })
  assert.match(safe.stdout, /^17 warnings in 6 samples$/m)
  assert.match(safe.stdout, /Branch `rejected`: The message contains a secret[\s\S]*?fix: Redact it$/m)
  assert.equal(read(cwd, 'safe.jsonl'), read(cwd, 'a.jsonl'))
  const { status, stdout, stderr } = await ocm([...args, '--unsafe-fixes', '--in-place'], { cwd })
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' })
  assert.match(stdout, /^No problems in 6 samples$/m)
  assert.match(stdout, /^17 problems fixed$/m)
  const kept = (line: string) =>
    line
      .replaceAll(key, '[REDACTED]')
      .replace('"note":"[REDACTED]"', `"note":"${key}"`)
      .replace('{"[REDACTED]"', `{"${key}"`)
  assert.equal(read(cwd, 'a.jsonl'), `${lines.map(kept).join('\n')}\n`)
})

test('a fix that cannot be written does not hold up the others', async (t) => {
  const thinking = { type: 'thinking', thinking: `Not ${key}`, signature: 'c2lnbmVk' }
  const text = JSON.stringify({
    messages: [
      message('user', `Is it ${key}?`),
      { role: 'assistant', content: [thinking, { type: 'text', text: `Not ${key}.` }] },
    ],
  })
  const cwd = folder(t, { 'a.jsonl': text })
  const args = ['check', '--select', 'W-DATA-SECRET', '--fix', '--unsafe-fixes', '--in-place', 'a.jsonl']
  const { stdout, stderr } = await ocm(args, { cwd })
  assert.match(stderr, /a\.jsonl:1: some of its fixes can't be written without changing other parts/)
  assert.match(stdout, /^2 problems fixed$/m)
  assert.match(stdout, /^1 warning in 1 sample$/m)
  const [head, ...rest] = text.split('{"type":"thinking"')
  const redacted = (it = '') => it.replace(key, '[REDACTED]')
  const [thought = '', answer] = rest.join('').split('{"type":"text"')
  assert.equal(
    read(cwd, 'a.jsonl'),
    `${redacted(head)}{"type":"thinking"${thought}{"type":"text"${redacted(answer)}`,
  )
  const again = await ocm(args, { cwd })
  assert.match(again.stderr, /a\.jsonl:1: its fixes can't be written without changing other parts/)
})
