/** `ocm parse`: the shape of its JSON, and the tree. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseToJson } from '../../core/src/internal.ts'
import { folder, ocm } from './run-ocm.ts'

const text = `version: 2.2
<|start|>developer<|message|>Be brief.<|end|>
<|start|>user name=Ann<|message|>Weather in <<|end|>?<|end|>
<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>{}<|call|>
<|start|>functions.f call_id=c1<|message|>{"ok":true}<|end|>
<|start|>assistant<|channel|>final<|message|>Sunny.<|return|>
`

test('conversations in JSON and datasets are refused, and not parsed as a header', async (t) => {
  const chat = '{"messages":[{"role":"user","content":"Hi"}]}\n'
  const cwd = folder(t, { 'chat.json': chat, 'data.jsonl': chat, 'other.ocm': '{"a":1}' })
  const refused = await Promise.all(['chat.json', 'data.jsonl'].map((it) => ocm(['parse', it], { cwd })))
  for (const { status, stdout } of refused) assert.deepEqual({ status, stdout }, { status: 2, stdout: '' })
  assert.match(refused[0]?.stderr ?? '', /chat\.json: is JSON; `ocm convert` makes a transcript/)
  assert.match(refused[1]?.stderr ?? '', /data\.jsonl: is a dataset; `ocm parse` works on transcripts/)
  assert.equal((await ocm(['parse', 'other.ocm'], { cwd })).status, 0)
})

test('the shape of the JSON', async () => {
  const { status, stdout, stderr } = await ocm(['parse', '-'], { input: text })
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' })
  const json = JSON.parse(stdout)
  assert.deepEqual(Object.keys(json), ['dialect', 'header', 'messages', 'diagnostics', 'visible'])
  assert.equal(json.dialect, '2.2')
  assert.deepEqual(json.header, { version: 2.2 })
  assert.deepEqual(json.visible, ['Weather in <|end|>?', 'Sunny.'])
  assert.deepEqual(json.messages[2], {
    role: 'assistant',
    name: null,
    channel: 'commentary',
    to: 'functions.f',
    call_id: 'c1',
    intent: null,
    content_type: null,
    constrain: 'json',
    terminator: '<|call|>',
    body: '{}',
    visible: false,
    range: { start: { line: 3, character: 0 }, end: { line: 3, character: 103 } },
  })
  assert.equal(json.messages[3].role, 'tool')
  assert.equal(json.messages[3].name, 'functions.f')
  assert.deepEqual(
    (await ocm(['parse', '--json', '-'], { input: text })).stdout,
    stdout,
    'JSON is the default',
  )
})

test('the program prints what the library gives', async () => {
  const odd = `${text}\u0000\u009b\u2028\u{e0041}<|start|>assistant<|channel|>`
  for (const dialect of ['auto', '2.0', 'harmony', '1.x'] as const) {
    const { stdout } = await ocm(['parse', '--dialect', dialect, '-'], { input: odd })
    assert.deepEqual(JSON.parse(stdout), JSON.parse(JSON.stringify(parseToJson(odd, { dialect }))))
  }
})

test('0.1 in addition has tasks and files', async () => {
  const parse = async (sample: string) => JSON.parse((await ocm(['parse', `samples/${sample}`])).stdout)
  const task = await parse('13-fill-in-the-middle.ocm')
  assert.equal(task.dialect, '1.x')
  assert.deepEqual(Object.keys(task.fim), ['prefix', 'middle', 'suffix'])
  assert.equal((await parse('14-multi-file.ocm')).files.length, 3)
})

test('the tree tiles the text', async () => {
  const { stdout } = await ocm(['parse', '--tree', '-'], { input: text })
  let end = 0
  for (const line of stdout.trimEnd().split('\n')) {
    const [, from, to] = / (\d+)-(\d+)/.exec(line) ?? []
    if (line.startsWith('  ')) {
      assert.equal(Number(from), end, line)
      end = Number(to)
    }
  }
  assert.equal(end, text.length)
  assert.match(stdout, /^ {2}role \d+-\d+ "developer"$/m)
})
