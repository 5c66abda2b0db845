/** Forms of training data on the command line. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { samplesOf, textOfSample, wordsOf } from '../convert/sample-arbitraries.ts'
import { isNight } from '../helpers/nightly.ts'
import { folder, ocm } from './run-ocm.ts'

const mapped = '{"q": "Question", "a": "Answer"}\n'
const lines = (...values: readonly object[]) => values.map((it) => `${JSON.stringify(it)}\n`).join('')

test('both branches of a pair are checked', async (t) => {
  const cwd = folder(t, {
    'pairs.jsonl': lines({ prompt: 'P', chosen: 'C', rejected: 'x <|start_reason|> y' }),
  })
  const { stdout, status } = await ocm(['check', 'pairs.jsonl'], { cwd })
  assert.match(stdout, /error: Branch `rejected`: .* \[E-PERM-VISIBILITY visible-thought\]/)
  assert.equal(status, 1)
})

test('what is not read is a warning that can be set, and an unknown form names its keys', async (t) => {
  const files = {
    'a.jsonl': lines({ messages: [{ role: 'user', content: 'a' }], response: 'b' }),
    'b.jsonl': lines({ notes: [{ who: 'x' }] }),
    'set/.openchatml.yaml': 'rules: {W-DATA-UNREAD: error}\n',
    'set/a.jsonl': lines({ messages: [{ role: 'user', content: 'a' }], response: 'b' }),
  }
  const cwd = folder(t, files)
  const unread = await ocm(['check', 'a.jsonl'], { cwd })
  assert.match(unread.stdout, /warning: `response` looks like .* \[W-DATA-UNREAD unread-column\]/)
  assert.equal(unread.status, 0)
  assert.equal((await ocm(['check', 'set/a.jsonl'], { cwd })).status, 1)
  const unknown = await ocm(['check', 'b.jsonl'], { cwd })
  assert.match(unknown.stderr, /Unknown form: the sample has `notes`/)
})

test('well-formed samples of each form are checked without a report', async (t) => {
  const [count, step] = isNight ? [60, 3] : [20, 9] // steps, so that numbers of one, two, and three digits are among them
  const shapes = Array.from({ length: count }, (_, nth) => samplesOf(wordsOf(step * nth)))
  const files: Record<string, string> = {}
  const paths = (shapes[0] ?? []).map(([form], shape) => {
    const samples = shapes.map((it) => it[shape]?.[1] ?? '')
    const isText = form === 'ocm'
    // A transcript and a session are files of their own.
    if (isText || samples.every((it) => Array.isArray(it))) {
      for (const [nth, it] of samples.entries())
        files[`${form}/${nth}.${isText ? 'ocm' : 'jsonl'}`] = isText
          ? textOfSample(it)
          : lines(...(it as readonly object[]))
      return form
    }
    const path = `${form}-${shape}.jsonl`
    files[path] = lines(...samples.map((it) => (typeof it === 'string' ? { text: it } : it)))
    return path
  })
  const cwd = folder(t, files)
  // One after the other: the forms say the same, and would be duplicates.
  for (const path of paths) {
    const { stdout, stderr, status } = await ocm(['check', path], { cwd })
    assert.deepEqual({ stderr, status }, { stderr: '', status: 0 }, path)
    assert.match(stdout, new RegExp(`^No problems in ${count} (?:files|samples)\n`), path)
  }
})

test('sessions in a folder are checked, and skipped where datasets are read', async (t) => {
  const session = '{"type":"session","id":"s"}\n{"type":"message","message":{"role":"user"}}\n'
  const files = { 'a/s.jsonl': session, 'a/d.jsonl': '{"prompt": "Question", "completion": "Answer"}\n' }
  const cwd = folder(t, files)
  assert.match((await ocm(['check', 'a'], { cwd })).stdout, /s\.jsonl:1:1: warning/)
  const { stdout, stderr, status } = await ocm(['filter', 'question', 'a'], { cwd })
  assert.equal(stdout, files['a/d.jsonl'])
  assert.match(stderr, /s\.jsonl: is one conversation, not a dataset, so it is skipped/)
  assert.equal(status, 0)
})

test('columns are mapped in the configuration, and in a dataset_info.json next to the data', async (t) => {
  const cwd = folder(t, {
    'own/.openchatml.yaml': 'datasets: [{file_name: "*.jsonl", columns: {prompt: q, response: a}}]\n',
    'own/m.jsonl': mapped,
    'info/dataset_info.json': '{"m": {"file_name": "m.jsonl", "columns": {"prompt": "q", "response": "a"}}}',
    'info/m.jsonl': mapped,
    'none/m.jsonl': mapped,
  })
  for (const [path, status] of [
    ['own/m.jsonl', 0],
    ['info/m.jsonl', 0],
    ['none/m.jsonl', 2],
  ] as const)
    assert.equal((await ocm(['check', path], { cwd })).status, status, path)
})

test('a broken dataset_info.json is reported as a broken configuration is', async (t) => {
  const entry = '"mine": {"file_name": "./m.jsonl", "columns": {"prompt": "q", "response": "a"}}'
  const cwd = folder(t, {
    'comma/dataset_info.json': `{${entry},}`,
    'comma/m.jsonl': mapped,
    'number/dataset_info.json': '{"mine": {"file_name": 5}}',
    'number/m.jsonl': mapped,
    'marked/dataset_info.json': `\ufeff{${entry}}`,
    'marked/m.jsonl': mapped,
  })
  for (const [path, place] of [
    ['comma/m.jsonl', /comma\/dataset_info\.json:1:\d+: A `,` before `}` is not allowed in JSON/],
    ['number/m.jsonl', /number\/dataset_info\.json:1:24: `file_name` must be a string/],
  ] as const)
    for (const args of [['convert', '--to', 'messages'], ['filter', ''], ['stats']]) {
      const { stderr, status } = await ocm([...args, path], { cwd })
      assert.match(stderr, place, args.join(' '))
      assert.equal(status, 2, args.join(' '))
    }
  assert.match(
    (await ocm(['check', 'comma/m.jsonl'], { cwd })).stdout,
    /dataset_info\.json:1:\d+: error: A `,`/,
  )
  const marked = await ocm(['convert', '--to', 'sharegpt', 'marked/m.jsonl'], { cwd })
  assert.equal(marked.stderr, '')
  assert.match(marked.stdout, /Question/)
})

test('every command that reads datasets maps columns, also in folders', async (t) => {
  const files = {
    '.openchatml.yaml':
      'datasets: [{file_name: "data/m.jsonl", columns: {prompt: q, response: a}}, {file_name: "data/f.jsonl", formatting: sharegpt, columns: {messages: talk}}]\n',
    'data/m.jsonl': mapped,
    'data/f.jsonl': '{"talk": [{"from": "human", "value": "Question"}]}\n',
  }
  const cwd = folder(t, files)
  for (const args of [
    ['convert', '--to', 'messages'],
    ['render'],
    ['render', '--as', 'next-prompt'],
    ['render', '--as', 'training'],
    ['filter', 'user:Question'],
  ]) {
    const { stdout, stderr, status } = await ocm([...args, 'data'], { cwd })
    assert.equal(stderr, '', args.join(' '))
    assert.equal(stdout.match(/Question/g)?.length, 2, args.join(' '))
    assert.equal(status, 0, args.join(' '))
  }
  const tokens = await ocm(['tokens', '--format', 'json', 'data/m.jsonl'], { cwd })
  assert.deepEqual(Object.keys(JSON.parse(tokens.stdout).roles), ['user', 'assistant'])
  const stats = await ocm(['stats', '--columns', 'form', '--format', 'json', 'data'], { cwd })
  assert.match(stats.stdout, /"alpaca".*"sharegpt"|"sharegpt".*"alpaca"/s)
  const off = await ocm(['convert', '--no-config', '--to', 'messages', 'data/m.jsonl'], { cwd })
  assert.match(off.stderr, /Unknown form/)
})

test('lists in a folder are found, other JSON is not reported, and mixed forms are summed up', async (t) => {
  const turns = (answer: string) => [
    { role: 'user', content: 'Question' },
    { role: 'assistant', content: answer },
  ]
  const cwd = folder(t, {
    'a.jsonl': lines({ messages: turns('Yes') }, { messages: turns('No, it never was.') }),
    'b.json': JSON.stringify([{ instruction: 'Question', output: 'Nobody has asked before' }], undefined, 2),
    'own/.openchatml.yaml': 'datasets: [{file_name: own.json, columns: {prompt: q, response: a}}]\n',
    'own/own.json': JSON.stringify([{ q: 'Question', a: 'The fourth answer' }]),
    'package.json': '{"name": "x", "files": ["a"]}',
    'turns.json': JSON.stringify(turns('Yes')),
    'list.json': '["a", "b"]',
    'empty.json': '',
  })
  const check = await ocm(['check', '.'], { cwd })
  assert.equal(
    check.stdout,
    'No problems in 4 samples\nThe samples have 2 forms: alpaca 2 (b.json), messages 2 (a.jsonl)\n',
  )
  assert.equal(check.stderr, '')
  assert.equal(check.status, 0)
  const filter = await ocm(['filter', 'user:Question', '.', '--count'], { cwd })
  assert.equal(filter.stdout, '4\n')
  const named = await ocm(['convert', '--to', 'messages', 'own/own.json'], { cwd })
  assert.match(named.stdout, /^\{"messages":\[\{"role":"user","content":"Question"\}/)
  assert.match((await ocm(['tokens', '.'], { cwd })).stdout, /in 4 conversations/)
})

test('a broken configuration of a folder is reported by every command', async (t) => {
  const one = JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }] })
  const cwd = folder(t, {
    'd/.openchatml.yaml': 'datasets: [{}]\n',
    'd/a.jsonl': '{"text": "x"}\n',
    'one/.openchatml.yaml': 'datasets: [{}]\n',
    'one/a.json': one,
  })
  for (const command of [
    ...['convert d', 'stats d', 'check d', 'convert one/a.json', 'render one/a.json'],
    ...['render --check one/a.json', 'match one/a.json one/a.json', 'tokens one/a.json'],
  ]) {
    const { stderr, status } = await ocm(command.split(' '), { cwd })
    assert.match(stderr, /An entry of `datasets`/, command)
    assert.equal(status, 2, command)
  }
})

test('an intent asks no form without terminators for them', async (t) => {
  const cwd = folder(t, {
    '.openchatml.yaml': 'intent: training\n',
    'a.jsonl': lines({
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
      ],
    }),
  })
  assert.equal((await ocm(['check', 'a.jsonl'], { cwd })).stdout, 'No problems in 1 sample\n')
})

test('a session in a file of lines is one conversation', async (t) => {
  const cwd = folder(t, {
    's.jsonl': lines(
      { type: 'session', id: 's' },
      { type: 'message', id: '1', parentId: null, message: { role: 'user', content: 'Hi' } },
      { type: 'message', id: '2', parentId: '1', message: { role: 'assistant', content: 'Hello' } },
    ),
  })
  const { stdout, status } = await ocm(['convert', '--to', 'sharegpt', 's.jsonl'], { cwd })
  assert.equal(status, 0)
  assert.deepEqual(JSON.parse(stdout).conversations, [
    { from: 'human', value: 'Hi' },
    { from: 'gpt', value: 'Hello' },
  ])
  assert.match((await ocm(['check', 's.jsonl'], { cwd })).stdout, /No problems/)
})

test('a mapping holds for a file with a single conversation, and for both sides of a comparison', async (t) => {
  const cwd = folder(t, {
    '.openchatml.yaml': 'datasets: [{file_name: "*.json", columns: {prompt: q, response: a}}]\n',
    'one.json': '{"q": "Q", "a": "A"}',
    'info/dataset_info.json':
      '{"mine": {"file_name": "two.json", "columns": {"prompt": "frage", "response": "antwort"}}}',
    'info/.openchatml.yaml': 'intent: training\n',
    'info/two.json': '{"frage": "Q", "antwort": "A"}',
    'text.ocm': '<|start|>user<|message|>Q<|end|>\n<|start|>assistant<|channel|>final<|message|>A<|end|>\n',
  })
  for (const path of ['one.json', 'info/two.json']) {
    const converted = await ocm(['convert', '--to', 'sharegpt', path], { cwd })
    assert.equal(converted.status, 0, converted.stderr)
    assert.deepEqual(JSON.parse(converted.stdout).conversations, [
      { from: 'human', value: 'Q' },
      { from: 'gpt', value: 'A' },
    ])
    assert.match((await ocm(['render', path], { cwd })).stdout, /user\n\s+Q\n\nassistant\n\s+A\n/)
    assert.match((await ocm(['render', '--as', 'next-prompt', path], { cwd })).stdout, /<\|message\|>Q/)
    assert.equal((await ocm(['tokens', '--format', 'json', path], { cwd })).status, 0)
    assert.equal((await ocm(['match', path, 'text.ocm'], { cwd })).status, 0)
    await ocm(['render', '--update', path], { cwd })
    assert.equal(readFileSync(join(cwd, `${path}.visible.txt`), 'utf8'), 'user\n  Q\n\nassistant\n  A\n')
    assert.equal((await ocm(['match', 'text.ocm', path], { cwd })).status, 0)
    const off = await ocm(['match', '--no-config', path, 'text.ocm'], { cwd })
    assert.equal(off.status, 2)
    assert.match(off.stderr, /has no `messages`/)
  }
})
