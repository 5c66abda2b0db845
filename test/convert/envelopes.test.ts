/** Envelopes around samples, and what is reported of samples of no known form. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkRead, read } from './reading.ts'

const messages = [{ role: 'user', content: 'Hi' }]
const message = { role: 'assistant', content: 'Hello' }

test('lines of a batch', () => {
  checkRead(
    { custom_id: 'a', method: 'POST', url: '/v1/chat/completions', body: { model: 'm', messages } },
    'messages',
    ['user: Hi'],
  )
  checkRead(
    {
      custom_id: 'a',
      params: {
        model: 'c',
        max_tokens: 1,
        messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'x' }] }],
      },
    },
    'anthropic',
    ['reply functions.unknown#t: x'],
    ['name'],
  )
  checkRead(
    {
      id: 'b',
      custom_id: 'a',
      response: {
        status_code: 200,
        body: { id: 'c', choices: [{ index: 0, message, finish_reason: 'stop' }] },
      },
    },
    'messages',
    ['assistant: Hello'],
  )
  checkRead(
    {
      custom_id: 'a',
      result: {
        type: 'succeeded',
        message: { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
      },
    },
    'anthropic',
    ['assistant: Hello'],
  )
})

test('question and answer', () => {
  const lines = ['user: Hi', 'assistant: Hello']
  checkRead({ request: { messages }, response: { choices: [{ message }] } }, 'messages', lines)
  checkRead({ messages, choices: [{ message }] }, 'messages', lines)
  checkRead({ messages: [...messages, message], response: { choices: [{ message }] } }, 'messages', lines)
  checkRead(
    {
      request: { contents: [{ parts: [{ text: 'Hi' }] }] },
      response: { candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] } }] },
    },
    'gemini',
    lines,
  )
})

test('several choices are branches', () => {
  const value = { choices: [{ message }, { message: { role: 'assistant', content: 'Hey' } }] }
  assert.deepEqual(read(value).branches, ['choices[0]', 'choices[1]'])
  assert.deepEqual(read(value, 'choices[1]').lines, ['assistant: Hey'])
})

test('a sample can have a thousand branches, and no more', () => {
  const answers = (count: number) => Array.from({ length: count }, (_, index) => ({ index, message }))
  const samples = (count: number) => [
    { choices: answers(count) },
    {
      contents: [],
      candidates: answers(count).map((it) => ({ content: { parts: [{ text: `a${it.index}` }] } })),
    },
    { prompt: 'Hi', completions: answers(count).map(({ index }) => `a${index}`) },
  ]
  for (const value of samples(1000)) {
    const { branches = [] } = read(value)
    assert.equal(branches.length, 1000)
    assert.match(read(value, branches[999]).lines.at(-1) ?? '', /^assistant: (?:a999|Hello)$/)
  }
  for (const value of samples(1001))
    assert.throws(() => read(value), { message: 'A sample can have at most 1000 branches' })
})

test('an envelope in an envelope, as JSON in a string', () => {
  checkRead({ data: { row: JSON.stringify({ messages }) } }, 'messages', ['user: Hi'])
})
