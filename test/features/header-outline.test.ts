/** What the outline says of the YAML header: its keys, nested as they are written, and how much of their values. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyze, outlineBlocks, Transcript } from '../../core/src/internal.ts'
import { outline } from './outline.ts'

const message = '<|start|>user<|message|>a<|end|>\n'

/** One line per entry below the header, indented by depth: kind and name, value, and what is shown when it is chosen. */
function keysOf(text: string): readonly string[] {
  const entries = [...outline(analyze(Transcript.parse(text)))]
  assert.equal(entries[0]?.kind, 'header')
  const end = entries.findIndex(({ depth }, index) => index > 0 && depth === 0)
  return entries.slice(1, end).map(({ depth, kind, name, detail, range, selection }) => {
    assert.ok(range.start <= selection.start && selection.end <= range.end)
    const chosen = text.slice(selection.start, selection.end)
    return [`${'  '.repeat(depth - 1)}${kind} ${name}`, detail, chosen].join(' | ')
  })
}

test('keys and items are nested as they are written, with their types and short values', () => {
  const header = `---
version: 2.10
model: "gpt-oss-120b" # the larger one
generation_settings:
  temperature: 0.5
  stop:
    - one
    - { a: 1 }
  seed: null
  top_p:
lint: {}
roles: [user, assistant]
expect: []
note: |
  two
  lines
streaming: true
---
`
  assert.deepEqual(keysOf(header + message), [
    'number version | 2.10 | version',
    'string model | gpt-oss-120b | model',
    'object generation_settings |  | generation_settings',
    '  number temperature | 0.5 | temperature',
    '  array stop |  | stop',
    '    string 0 | one | o',
    '    object 1 |  | {',
    '      number a | 1 | a',
    '  value seed | null | seed',
    '  value top_p |  | top_p',
    'object lint | {} | lint',
    'array roles |  | roles',
    '  string 0 | user | u',
    '  string 1 | assistant | a',
    'array expect | [] | expect',
    'string note | two lines | note',
    'boolean streaming | true | streaming',
  ])
})

test('the whole of a key reaches to the end of its value', () => {
  const text = `generation_settings:\r\n  temperature: 1 # warm\r\n\r\nmodel: x\r\n${message}`
  const ranges = [...outline(analyze(Transcript.parse(text)))].map(({ range }) =>
    text.slice(range.start, range.end),
  )
  assert.deepEqual(ranges.slice(0, 4), [
    'generation_settings:\r\n  temperature: 1 # warm\r\n\r\nmodel: x',
    'generation_settings:\r\n  temperature: 1',
    'temperature: 1',
    'model: x',
  ])
})

test('headers of every version have keys, and files without a header none', () => {
  assert.deepEqual(keysOf(`version: 2.0\n${message}`), ['number version | 2.0 | version'])
  assert.deepEqual(keysOf(`version: "0.1"\n[BOS]<|im_start|>user\na<|im_end|>\n`).slice(0, 1), [
    'string version | 0.1 | version',
  ])
  assert.equal([...outline(analyze(Transcript.parse(message)))].at(0)?.kind, 'turn')
  assert.deepEqual(keysOf(`---\n---\n${message}`), [])
})

test('aliases and placeholders are shown as they are written', () => {
  const header = 'a: &b {c: 1}\nd: *b\ne: &f text\ng: *f\nh: *nowhere\nmodel: {{ model }}\n{{ key }}: 1\n'
  assert.deepEqual(keysOf(header + message), [
    'object a |  | a',
    '  number c | 1 | c',
    'object d | *b | d',
    'string e | text | e',
    'string g | *f | g',
    'value h | *nowhere | h',
    'string model | {{ model }} | model',
    'number {{ key }} | 1 | {{ key }}',
  ])
})

test('what conversions keep of messages and requests is named and not told: it may be hidden', () => {
  const kept = '{"3": {"count": 1, "fields": {"secret": "thought"}}, "4": "thought"}'
  const header = `chat_messages: ${kept}\nchat_request: "thought"\nchat: "told"\n`
  assert.deepEqual(keysOf(header + message), [
    'object chat_messages |  | chat_messages',
    '  object 3 |  | "3"',
    '  string 4 |  | "4"',
    'string chat_request |  | chat_request',
    'string chat | told | chat',
  ])
})

test('a header with mistakes shows what can be recognised', () => {
  assert.deepEqual(keysOf(`a: 1\nb: [1,\nc: {d: "x\ne: 2\n${message}`).slice(0, 1), ['number a | 1 | a'])
  assert.deepEqual(keysOf(`a: 1\na: 2\n${message}`), ['number a | 1 | a', 'number a | 2 | a'])
  for (const header of [
    '- 1\n- b: 2\n',
    'a\n',
    '"\n',
    '{\n',
    '? [a]\n: 1\n',
    ': 1\n',
    '&a *a\n',
    '%YAML 1.1\n',
  ])
    keysOf(`version: 2.2\n${header}${message}`)
})

test('a hostile header has a thousand entries on sixteen levels, and long words are cut', () => {
  const keys = Array.from({ length: 8000 }, (_, index) => `${index}:\n`)
  assert.equal(keysOf(keys.join('') + message).length, 1000)
  assert.equal(keysOf(`a: ${'[['.repeat(24)}1${']]'.repeat(24)}\n${message}`).length, 16)
  assert.deepEqual(keysOf(`a: ${'['.repeat(30_000)}\n${message}`), [])
  const word = 'x'.repeat(1000)
  const cut = `${'x'.repeat(60)}…`
  assert.deepEqual(keysOf(`? ${word}\n: ${word}\n${message}`), [`string ${cut} | ${cut} | ${word}`])
  const bomb = Array.from(
    { length: 20 },
    (_, index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]`,
  )
  assert.equal(keysOf(`a0: &a0 1\n${bomb.join('\n')}\n${message}`).length, 61)
})

test('what is known of a header is kept when a message is edited', () => {
  const text = `version: 2.2\n${message}`
  const analysis = analyze(Transcript.parse(text))
  const partsOf = () => [...outlineBlocks(analysis, 'turns')][0]?.parts()
  const before = partsOf()
  assert.equal(before?.length, 1)
  analysis.edit([{ start: text.length - 9, end: text.length - 9, text: 'x' }])
  assert.equal(partsOf(), before)
})
