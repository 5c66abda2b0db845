/** Prompts and completions. */
import { test } from 'node:test'
import { checkRead } from './reading.ts'

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

test('KTO: a label beside a prompt and its completion', () => {
  checkRead({ prompt: 'P', completion: 'C', label: true }, 'prompt-completion', ['user: P', 'assistant: C'])
})
