/** Prompts and completions. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { convert } from '../../core/src/internal.ts'
import { checkRead, read } from './reading.ts'

test('texts', () => {
  checkRead({ prompt: 'The sky is', completion: ' blue.' }, 'prompt-completion', [
    'user: The sky is',
    'assistant:  blue.',
  ])
  checkRead({ question: '2+2?', answer: '4' }, 'prompt-completion', ['user: 2+2?', 'assistant: 4'])
  checkRead({ input: 'a', output: 'b' }, 'prompt-completion', ['user: a', 'assistant: b'])
  checkRead({ problem: 'P', solution: 'S', answer: '4' }, 'prompt-completion', ['user: P', 'assistant: S'])
})

test('messages, also as JSON in a string', () => {
  checkRead(
    {
      prompt: [
        { role: 'system', content: 'S' },
        { role: 'user', content: 'U' },
      ],
      completion: [{ role: 'assistant', content: 'A' }],
    },
    'prompt-completion',
    ['system: S', 'user: U', 'assistant: A'],
  )
  checkRead({ prompt: '[{"role": "user", "content": "U"}]', response: 'A' }, 'prompt-completion', [
    'user: U',
    'assistant: A',
  ])
})

test('a response that holds all messages makes the prompt a copy', () => {
  checkRead(
    {
      prompt: 'U',
      response: [
        { role: 'user', content: 'U' },
        { role: 'assistant', content: 'A' },
      ],
    },
    'prompt-completion',
    ['user: U', 'assistant: A'],
  )
})

test('the answer of a prompt with a solution is a reference', () => {
  checkRead({ prompt: 'P', answer: '4', solution: 'S' }, 'prompt-completion', ['user: P'])
})

test('a conversation without an answer comes back without one', () => {
  const source = { prompt: [{ role: 'user', content: 'Q' }], completion: [] }
  checkRead(source, 'prompt-completion', ['user: Q'])
  const { text, losses } = convert(JSON.stringify({ messages: source.prompt }), { to: 'prompt-completion' })
  assert.deepEqual(JSON.parse(text), source)
  assert.deepEqual(losses, [])
})

test('an empty prompt next to a completion', () => {
  const answer = { role: 'assistant', content: 'A' }
  for (const sample of [
    { prompt: '', completion: 'A' },
    { prompt: [], completion: [answer] },
  ]) {
    checkRead(sample, 'prompt-completion', ['assistant: A'])
    const { text, losses } = convert(JSON.stringify(sample), { to: 'prompt-completion' })
    assert.deepEqual([JSON.parse(text), losses], [sample, []])
  }
  checkRead({ prompt: [], completion: [{ role: 'user', content: 'U' }, answer] }, 'prompt-completion', [
    'user: U',
    'assistant: A',
  ])
  checkRead({ prompt: '', completions: ['A', 'B', 'C'] }, 'preference', ['assistant: A'])
})

test('an empty prompt alone is not a conversation', () => {
  for (const sample of [{ prompt: [] }, { prompt: '', completion: '' }, { prompt: {}, completion: 'A' }])
    assert.throws(() => read(sample), /has no `messages`/)
})

test('an empty answer without a prompt is reported, because it is not read again', () => {
  const messages = [{ role: 'assistant', content: '' }]
  const { losses } = convert(JSON.stringify({ messages }), { to: 'prompt-completion' })
  assert.deepEqual(
    losses.map(({ message }) => message),
    ['There is no prompt, although this form requires one'],
  )
})

test('KTO: a label beside a prompt and its completion', () => {
  checkRead({ prompt: 'P', completion: 'C', label: true }, 'prompt-completion', ['user: P', 'assistant: C'])
})
