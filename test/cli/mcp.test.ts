/** `ocm mcp`, spoken to by the client of the protocol's own library. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { environment, fixable, fixed, folder, program } from './run-ocm.ts'

const canary = 'kanarienvogel'
/** A transcript with hidden text in every place, and problems there whose messages quote it. */
const secretive = `version: 2.2
note: ${canary}
intent: ${canary}
<|start|>system<|message|>${canary}<|end|>
<|start|>user<|message|>Weather in Oslo?<|end|>
<|start|>assistant<|channel|>analysis<|message|>${canary} <|start_think|>${canary}<|end|>
<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"a":"${canary}","${canary}":1,"${canary}":2<|call|>
<|start|>assistant<|channel|>final<|message|>Sunny.<|return|>
`
const sample = (text: string) =>
  JSON.stringify({
    messages: [
      { role: 'system', content: canary },
      { role: 'user', content: text },
      { role: 'assistant', content: `About ${text}`, reasoning_content: canary },
    ],
    [canary]: canary,
  })

function lines(stdout: string) {
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

async function connected(t: TestContext, cwd: string, args: readonly string[] = []) {
  const client = new Client({ name: 'test', version: '1' })
  const env = environment() as Record<string, string>
  const command = { command: process.execPath, args: [program, 'mcp', ...args], cwd, env }
  await client.connect(new StdioClientTransport({ ...command, stderr: 'ignore' }))
  t.after(() => client.close())
  const call = async (name: string, input: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: input })
    const texts = (content as { type: string; text: string }[]).map(({ text }) => text)
    return { isError: isError === true, text: texts.join('\n') }
  }
  return { client, call }
}

test('relative paths are looked up in each folder, and in the current directory', async (t) => {
  const cwd = folder(t, {
    'a/one.ocm': fixable,
    'b/two.ocm': fixable,
    'b/data.jsonl': `${sample('x')}\n`,
    'three.ocm': fixable,
  })
  const { call } = await connected(t, cwd, ['a', 'b'])
  for (const path of ['one.ocm', 'a/one.ocm', 'two.ocm', 'b/two.ocm', join(cwd, 'b/two.ocm')])
    assert.match((await call('check', { path })).text, /"rule"/, path)
  const missing = 'The file does not exist in `a` or `b`; paths are relative to these folders'
  assert.deepEqual(await call('check', { path: 'three.ocm' }), { isError: true, text: missing })
  assert.match((await call('check', { path: '../three.ocm' })).text, /^The file is outside of the folders/)
  await call('fix', { path: 'b/two.ocm' })
  assert.equal(readFileSync(join(cwd, 'b/two.ocm'), 'utf8'), fixed)
  const onlyTranscripts = 'Only transcripts are fixed; use `ocm check --fix` for datasets'
  assert.deepEqual(await call('fix', { path: 'data.jsonl' }), { isError: true, text: onlyTranscripts })
})

test('a session of an agent', { timeout: 180_000 }, async (t) => {
  const files = {
    'secret.ocm': secretive,
    'fix.ocm': fixable,
    'data.jsonl': `${sample('rain')}\n${sample('snow')}\n`,
  }
  const outer = folder(t, { 'outside.ocm': secretive, 'inside/sub/.keep': '' })
  const cwd = join(outer, 'inside')
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
  symlinkSync(join(outer, 'outside.ocm'), join(cwd, 'link.ocm'))
  symlinkSync(outer, join(cwd, 'up'))
  const { client, call } = await connected(t, cwd)
  const { tools } = await client.listTools()

  await t.test('lists the tools, and those that write say so', () => {
    assert.deepEqual(
      tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]),
      [
        ['check', true],
        ['explain_rule', true],
        ['fix', false],
        ['render', true],
        ['convert', true],
        ['convert_with_hidden_text', true],
        ['find_samples', true],
        ['read_with_hidden_text', true],
      ],
    )
  })

  await t.test('returns hidden text only from tools whose name says so', async () => {
    const inputs = [
      { path: 'secret.ocm' },
      { path: 'data.jsonl', sample: 1 },
      { path: 'data.jsonl' },
      { path: 'data.jsonl', query: canary },
      { path: 'secret.ocm', to: 'messages' },
      { path: 'secret.ocm', to: 'markdown' },
      { path: 'data.jsonl', sample: 2, to: 'sharegpt' },
      { rule: 'unknown-role' },
    ]
    for (const { name } of tools) {
      const results = await Promise.all(inputs.map((input) => call(name, input)))
      const hasHidden = results.some(({ text }) => text.includes(canary))
      assert.equal(
        hasHidden,
        name.includes('hidden_text'),
        `${name}: ${results.map((it) => it.text).join('\n')}`,
      )
      assert.ok(
        results.some(({ isError }) => !isError),
        name,
      )
    }
  })

  await t.test('refuses every way out of the folders', async () => {
    const paths = [
      ...[
        '../outside.ocm',
        join(outer, 'outside.ocm'),
        'link.ocm',
        'up/outside.ocm',
        'sub/../../outside.ocm',
      ],
      ...['/etc/passwd', '/dev/zero', 'sub', 'nothing.ocm', ''],
    ]
    for (const name of ['read_with_hidden_text', 'fix', 'check', 'render']) {
      for (const path of paths) {
        const { isError, text } = await call(name, { path })
        assert.ok(isError, `${name} ${path}: ${text}`)
        assert.ok(!text.includes(canary))
      }
    }
    assert.equal(readFileSync(join(outer, 'outside.ocm'), 'utf8'), secretive)
  })

  await t.test('checks, explains, fixes, renders, converts, and finds', async () => {
    const problems = JSON.parse((await call('check', { text: fixable })).text)
    assert.equal(problems.length, 1)
    const { text: page } = await call('explain_rule', { rule: problems[0].rule })
    assert.match(page, new RegExp(`# ${problems[0].rule} `))
    const repaired = JSON.parse((await call('fix', { path: 'fix.ocm' })).text)
    assert.deepEqual(repaired, { fixed: 1, left: [] })
    assert.equal(readFileSync(join(cwd, 'fix.ocm'), 'utf8'), fixed)
    assert.match((await call('render', { path: 'secret.ocm' })).text, /Weather in Oslo\?[\s\S]*Sunny\./)
    const seen = JSON.parse((await call('convert', { path: 'data.jsonl', sample: 2, to: 'messages' })).text)
    assert.deepEqual(
      seen.messages.map(({ role, content }: { role: string; content: string }) => [role, content]),
      [
        ['user', 'snow'],
        ['assistant', 'About snow'],
      ],
    )
    const found = JSON.parse((await call('find_samples', { path: 'data.jsonl', query: 'user:snow' })).text)
    assert.deepEqual(
      found.map((it: { sample: number; visible: string }) => [it.sample, it.visible]),
      [[2, 'snow']],
    )
  })

  await t.test(
    'compares samples for a query about duplicates, and answers no query that it cannot',
    async () => {
      const line = (text: string) => `${JSON.stringify({ messages: [{ role: 'user', content: text }] })}\n`
      writeFileSync(join(cwd, 'twice.jsonl'), [line('Hi'), line('Hello'), line('Hi')].join(''))
      const find = (query: string) => call('find_samples', { path: 'twice.jsonl', query })
      const { text } = await find('problem:W-DATA-DUPLICATE')
      assert.deepEqual(
        JSON.parse(text).map((it: { sample: number; problems: string[] }) => [it.sample, it.problems]),
        [[3, ['W-DATA-NO-ANSWER', 'W-DATA-DUPLICATE']]],
      )
      for (const [query, message] of [
        ['tokens>1', 'Queries about tokens are not supported here; use `ocm filter`'],
        ['trained>1', 'Queries about tokens are not supported here; use `ocm filter`'],
        ['decision:keep', 'Queries about reviews are not supported here; use `ocm filter`'],
        ['is:undecided', 'Queries about reviews are not supported here; use `ocm filter`'],
        ['has:note', 'Queries about reviews are not supported here; use `ocm filter`'],
        ['sourc:web', 'Unknown field `sourc`. To search for it as text, put it in quotation marks'],
      ] as const) {
        const { isError, text } = await find(query)
        assert.deepEqual([isError, text], [true, message], query)
      }
      assert.equal(JSON.parse((await find('-has:calls')).text).length, 3)
    },
  )

  await t.test('lists no roles but the known ones', async () => {
    const odd = {
      messages: [
        { role: 'user', content: 'Hi' },
        { role: `I think ${canary}`, content: 'x' },
      ],
    }
    writeFileSync(join(cwd, 'odd.jsonl'), `${JSON.stringify(odd)}\n`)
    const [found] = JSON.parse((await call('find_samples', { path: 'odd.jsonl' })).text)
    assert.deepEqual(found.roles, ['user', '?'])
  })

  await t.test('says what is wrong with an input', async () => {
    for (const [name, input, message] of [
      ['check', {}, 'Give either `path` or `text`'],
      ['check', { path: 'data.jsonl' }, /name one of its samples/],
      ['check', { pat: 'x' }, 'Unknown input; expected path, text, sample'],
      ['check', { path: 'data.jsonl', sample: 9 }, 'The dataset has no sample 9'],
      ['check', { path: 7 }, '`path` must be a string'],
      ['convert', { path: 'secret.ocm' }, '`to` is missing'],
      ['explain_rule', { rule: 'none' }, 'Unknown rule or code'],
      ['find_samples', { path: 'data.jsonl', limit: 1000 }, '`limit` must be from 1 to 200'],
      ['fix', { path: 'data.jsonl', sample: 1 }, /^Unknown input/],
      ['find_samples', { path: 'secret.ocm' }, 'A transcript is not a dataset; `check` and `render` read it'],
      ['none', {}, 'Unknown tool'],
    ] as const) {
      const { isError, text } = await call(name, input)
      assert.ok(isError, name)
      if (typeof message === 'string') assert.equal(text, message)
      else assert.match(text, message)
    }
  })
})

test('nothing is judged or fixed by a configuration with errors', { timeout: 60_000 }, async (t) => {
  const cwd = folder(t, { 'a.ocm': fixable, '.openchatml.yaml': 'rules: [' })
  const { call } = await connected(t, cwd)
  for (const name of ['check', 'fix']) {
    const { isError, text } = await call(name, { path: 'a.ocm' })
    assert.ok(isError && text.includes('configuration of the file has errors'), text)
  }
  assert.equal(readFileSync(join(cwd, 'a.ocm'), 'utf8'), fixable)
})

test('with --read-only, no tool changes files', { timeout: 60_000 }, async (t) => {
  const { client, call } = await connected(t, folder(t, { 'a.ocm': fixable }), ['--read-only'])
  const { tools } = await client.listTools()
  assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint))
  assert.ok((await call('fix', { path: 'a.ocm' })).isError)
})

test('lines that are not JSON, or not requests, are answered with an error', { timeout: 60_000 }, (t) => {
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  const { stdout, status } = spawnSync(process.execPath, [program, 'mcp'], {
    cwd: folder(t, {}),
    env: environment(),
    input: `${canary}\n{"id": 2}\n${ping}\n`,
    encoding: 'utf8',
  })
  assert.deepEqual(lines(stdout), [
    { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } },
    { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid Request' } },
    { jsonrpc: '2.0', id: 1, result: {} },
  ])
  assert.equal(status, 0)
})

test('a line that is too long is answered with an error, and does not end the session', {
  timeout: 60_000,
}, (t) => {
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  const { stdout, stderr, status } = spawnSync(process.execPath, [program, 'mcp'], {
    cwd: folder(t, {}),
    env: environment(),
    input: `{"id":"${'x'.repeat(11 * 2 ** 20)}"}\n${ping}\n`,
    encoding: 'utf8',
  })
  assert.deepEqual(lines(stdout), [
    { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } },
    { jsonrpc: '2.0', id: 1, result: {} },
  ])
  assert.equal(stderr, 'ocm: a request is longer than 10 MB, and is not read\n')
  assert.equal(status, 0)
})

test('calls run one after the other, and not if they are canceled before', { timeout: 60_000 }, (t) => {
  const cwd = folder(t, { 'a.ocm': fixable, 'data.jsonl': `${sample('x')}\n`.repeat(2000) })
  const call = (id: number, name: string, input: object) => ({
    id,
    method: 'tools/call',
    params: { name, arguments: input },
  })
  const requests = [
    call(1, 'find_samples', { path: 'data.jsonl', query: 'nothing' }),
    call(2, 'fix', { path: 'a.ocm' }),
    call(3, 'explain_rule', { rule: 'unknown-role' }),
    { method: 'notifications/cancelled', params: { requestId: 2 } },
  ]
  const { stdout, status } = spawnSync(process.execPath, [program, 'mcp'], {
    cwd,
    env: environment(),
    input: requests.map((it) => `${JSON.stringify({ jsonrpc: '2.0', ...it })}\n`).join(''),
    encoding: 'utf8',
  })
  assert.deepEqual(
    lines(stdout).map(({ id }) => id),
    [1, 3],
  )
  assert.equal(readFileSync(join(cwd, 'a.ocm'), 'utf8'), fixable)
  assert.equal(status, 0)
})

test('calls that are under way when the input ends are answered', { timeout: 60_000 }, (t) => {
  const cwd = folder(t, { 'a.ocm': fixable })
  const clientInfo = { name: 'test', version: '1' }
  const requests = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'check', arguments: { path: 'a.ocm' } } },
    { id: 3, method: 'tools/call', params: { name: 'render', arguments: { path: 'a.ocm' } } },
  ]
  const input = requests.map((it) => `${JSON.stringify({ jsonrpc: '2.0', ...it })}\n`).join('')
  const { stdout, status } = spawnSync(process.execPath, [program, 'mcp'], {
    cwd,
    env: environment(),
    input,
    encoding: 'utf8',
  })
  const answers = lines(stdout)
  assert.deepEqual(answers.map(({ id }) => id).sort(), [1, 2, 3])
  assert.ok(answers.every(({ error, result }) => error === undefined && result.isError !== true))
  assert.equal(status, 0)
})
