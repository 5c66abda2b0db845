/** Fields that no transcript has a place for, at messages, parts, and around conversations: they come along, or they are a loss (F1, F2). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { convert, detectForm, isObject, type JsonValue, type TargetForm } from '../../core/src/internal.ts'
import { read } from './reading.ts'

const asked = { role: 'user', content: 'Q' }
const answered = { role: 'assistant', content: 'A' }
const called = { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }] }
const replied = { role: 'tool', tool_call_id: 'c', content: 'R' }

const samples: Readonly<Record<string, JsonValue>> = {
  messages: { messages: [asked, called, replied, answered] },
  'messages with parts': { messages: [{ role: 'user', content: [{ type: 'text', text: 'Q' }] }, answered] },
  ShareGPT: {
    conversations: [
      { from: 'human', value: 'Q' },
      { from: 'gpt', value: '<think>T</think>A' },
    ],
  },
  'ShareGPT with calls': {
    conversations: [
      { from: 'human', value: 'Q' },
      { from: 'function_call', value: '{"name":"f","arguments":{}}' },
      { from: 'observation', value: 'R' },
      { from: 'gpt', value: 'A' },
    ],
  },
  'ShareGPT in pairs': { conversations: [{ human: 'Q', assistant: 'A' }] },
  Alpaca: { instruction: 'I', output: 'O' },
  Anthropic: {
    system: 'S',
    messages: [
      asked,
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'T' },
          { type: 'text', text: 'A' },
          { type: 'tool_use', id: 'c', name: 'f', input: {} },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'R' }] },
    ],
  },
  Gemini: {
    contents: [
      { role: 'user', parts: [{ text: 'Q' }] },
      { role: 'model', parts: [{ text: 'T', thought: true }, { functionCall: { name: 'f', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: {} } }] },
    ],
    candidates: [{ content: { parts: [{ text: 'A' }] } }],
  },
  OpenTelemetry: {
    attributes: {
      'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: 'Q' }] }],
      'gen_ai.output.messages': [{ role: 'assistant', parts: [{ type: 'text', content: 'A' }] }],
    },
  },
  Inspect: {
    messages: [
      asked,
      { role: 'assistant', content: 'A', tool_calls: [{ id: 'c', function: 'f', arguments: {} }] },
      { role: 'tool', tool_call_id: 'c', function: 'f', content: 'R' },
    ],
  },
  ATIF: {
    schema_version: 'ATIF-v1',
    steps: [
      { source: 'user', message: 'Q' },
      { source: 'agent', message: 'A' },
    ],
  },
  choices: { choices: [{ message: answered }] },
  'a request with its response': {
    request: { messages: [asked] },
    response: { choices: [{ message: answered }] },
  },
  'a line of a batch': {
    body: { messages: [asked] },
    response: { body: { choices: [{ message: answered }] } },
  },
  envelopes: { data: { row: { messages: [asked, answered] } } },
  'prompt and completion': { prompt: [asked], completion: [answered] },
}

/** Objects that are data of a call or a tool, and not fields of a conversation. */
const opaque: ReadonlySet<string> = new Set(['arguments', 'input', 'args', 'response', 'parameters'])

/** A field that was added, and the key under which its object is. */
interface AddedField {
  readonly name: string
  readonly under: string
}

/** `value` with a field of its own name and value in each object; `added` gets them. */
function marked(value: JsonValue, added: AddedField[], key = ''): JsonValue {
  if (Array.isArray(value)) return value.map((it) => marked(it, added, key))
  if (!isObject(value) || (opaque.has(key) && Object.keys(value).length === 0)) return value
  const name = `side${added.length}x`
  added.push({ name, under: key })
  const inner = (own: string) => (key === 'tool_calls' ? key : own)
  const entries = Object.entries(value).map(([own, it]) => [own, marked(it, added, inner(own))] as const)
  return { ...Object.fromEntries(entries), [name]: `value of ${name}` }
}

const targets: readonly TargetForm[] = [
  'ocm',
  'json',
  'messages',
  'sharegpt',
  'alpaca',
  'anthropic',
  'gemini',
  'inspect',
  'otel',
  'responses',
  'harmony',
]

for (const [form, sample] of Object.entries(samples))
  describe(form, () => {
    for (const to of targets)
      test(to, () => {
        const added: AddedField[] = []
        const source = JSON.stringify(marked(sample, added))
        const { text, losses } = convert(source, { to })
        // What the header keeps is told as its key, where a form has no place for it.
        const kept = convert(source, { to: 'ocm' }).text
        const told = losses.map(({ message }) => message).join('\n')
        const isTold = ({ name, under }: AddedField) =>
          told.includes(name) ||
          told.includes(`The original form of \`${under}\``) ||
          (under === 'tool_calls' && told.includes('is left out')) ||
          (told.includes('`chat_request`') && kept.includes(name)) ||
          (told.includes('`chat_messages`') && kept.includes(name))
        const silent = added.filter((it) => !text.includes(`value of ${it.name}`) && !isTold(it))
        assert.deepEqual(silent, [], `${text}\n${told}`)
      })
  })

test('training flags come along', () => {
  const sharegpt = {
    conversations: [
      { from: 'human', value: 'Q' },
      { from: 'gpt', value: 'A', weight: 0 },
      { from: 'human', value: 'Q', id: 'm3' },
      { from: 'gpt', value: 'B', train: true },
    ],
  }
  const messages = {
    messages: [
      { role: 'user', content: 'Q' },
      { role: 'assistant', content: 'A', weight: 0 },
      { role: 'user', content: 'Q', id: 'm3' },
      { role: 'assistant', content: 'B', train: true },
    ],
  }
  const there = convert(JSON.stringify(sharegpt), { to: 'messages' })
  assert.deepEqual(JSON.parse(there.text), messages)
  assert.deepEqual(there.losses, [])
  const back = convert(there.text, { to: 'sharegpt' })
  assert.deepEqual(JSON.parse(back.text), sharegpt)
  assert.deepEqual(back.losses, [])
  const transcript = convert(JSON.stringify(sharegpt), { to: 'ocm' })
  assert.deepEqual(transcript.losses, [])
  assert.deepEqual(JSON.parse(convert(transcript.text, { to: 'sharegpt' }).text), sharegpt)
})

test('a question and an answer that name different models: the second is reported', () => {
  const source = {
    request: { model: 'm', messages: [asked] },
    response: { model: 'm-1', choices: [{ message: answered }] },
  }
  const { text, losses } = convert(JSON.stringify(source), { to: 'messages' })
  assert.equal(JSON.parse(text).model, 'm')
  assert.deepEqual(
    losses.map(({ message }) => message),
    ['A second value of `model` is left out'],
  )
})

test('a form without a place for them says so', () => {
  const source = { messages: [asked, { ...answered, weight: 0 }] }
  const { losses } = convert(JSON.stringify(source), { to: 'gemini' })
  assert.deepEqual(
    losses.map(({ message }) => message),
    ['The field `weight` of a message cannot be represented'],
  )
})

describe('a field that makes a sample another form', () => {
  const lines = (text: string) => read(JSON.parse(text)).lines
  const keys = [
    ...'prompt completion completions response output question query problem instruction instructions'.split(
      ' ',
    ),
    ...'answer answers solution target conversations conversation turns items steps contents'.split(' '),
    ...'candidates systemInstruction system_instruction'.split(' '),
  ]
  const values: readonly JsonValue[] = [
    'SIDE',
    ['SIDE'],
    [{ role: 'user', content: 'SIDE' }],
    [{ source: 'user' }],
    { parts: 'SIDE' },
  ]
  const formsWithLists = [
    'responses',
    'xlam',
    'anthropic',
    'gemini',
    'sharegpt',
    'prompt-completion',
    'otel',
  ] as const
  for (const to of formsWithLists)
    test(`is left out and reported in ${to}`, () => {
      for (const messages of [
        [asked, answered],
        [asked, called],
      ]) {
        const expected = convert(JSON.stringify({ messages }), { to })
        for (const key of keys)
          for (const value of values) {
            const source = JSON.stringify({ messages, [key]: value })
            if (detectForm(source) !== 'messages' || lines(source).join().includes('SIDE')) continue
            const { text, losses } = convert(source, { to })
            assert.deepEqual(lines(text), lines(expected.text), `${source} ${text}`)
            const isKept = JSON.parse(text)[key] !== undefined
            assert.ok(isKept || losses.some((it) => it.message.includes(`\`${key}\``)), `${source} ${text}`)
          }
      }
    })

  test('also if the source has it as a copy or a reference', () => {
    const chosen = [{ role: 'user', content: '2+2?' }, answered]
    for (const sample of [
      { prompt: '2+2?', chosen, rejected: chosen },
      { problem: '2+2?', solution: 'REFERENCE', messages: chosen },
    ])
      for (const to of ['responses', 'xlam'] as const) {
        const { text, losses } = convert(JSON.stringify(sample), { to })
        assert.equal(detectForm(text), to === 'xlam' ? 'prompt-completion' : to)
        assert.doesNotMatch(lines(text).join(), /REFERENCE/)
        assert.ok(losses.some(({ kind }) => kind === 'field'))
      }
    const request = { input: [asked], prompt: { id: 'p' }, instructions: 'I' }
    assert.deepEqual(JSON.parse(convert(JSON.stringify(request), { to: 'responses' }).text), {
      ...request,
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Q' }] }],
    })
  })
})

test('a field of the same name as the words of a target does not replace them', () => {
  const source = { messages: [asked, { ...answered, value: 'SECRET', from: 'system' }] }
  const { text, losses } = convert(JSON.stringify(source), { to: 'sharegpt' })
  assert.deepEqual(JSON.parse(text).conversations[1], { from: 'gpt', value: 'A' })
  assert.equal(losses.length, 2)
})

test('reasoning in parts of another program does not come along as a field', () => {
  const parts = [
    { type: 'reasoning', text: 'SECRET' },
    { type: 'text', text: 'A' },
  ]
  const source = { messages: [asked, { role: 'assistant', parts }] }
  const { text } = convert(JSON.stringify(source), { to: 'sharegpt' })
  assert.deepEqual(JSON.parse(text).conversations[1], {
    from: 'gpt',
    value: '<think>\nSECRET\n</think>\n\nA',
  })
})
