/** Alpaca. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkRead, read } from './reading.ts'

test('instruction, input and output', () => {
  checkRead({ instruction: 'Sum', input: '1 2', output: '3' }, 'alpaca', ['user: Sum\n1 2', 'assistant: 3'])
  checkRead({ instruction: 'Sing', input: '', output: 'La' }, 'alpaca', ['user: Sing', 'assistant: La'])
  checkRead({ instruction: 'Sing', input: '', output: '' }, 'alpaca', ['user: Sing', 'assistant: '])
})

test('system, history, and a text column that repeats all of it', () => {
  checkRead(
    {
      system: 'Brief.',
      instruction: 'And then?',
      output: 'Rest.',
      history: [['What first?', 'Work.']],
      text: 'Below is an instruction …',
    },
    'alpaca',
    ['system: Brief.', 'user: What first?', 'assistant: Work.', 'user: And then?', 'assistant: Rest.'],
  )
})

test('reasoning in tags is hidden', () => {
  checkRead({ instruction: 'Hi', output: '<think>Greet.</think>Hello' }, 'alpaca', [
    'user: Hi',
    'assistant/analysis: Greet.',
    'assistant: Hello',
  ])
})

test('another answer beside the output is reported', () => {
  assert.deepEqual(read({ instruction: 'Hi', output: 'Hello', response: 'Hey' }).told, ['unread'])
  assert.deepEqual(read({ instruction: 'Hi', output: 'Hello', response: 'Hello' }).told, [])
})
