/** Preferences, with a prompt of their own and without. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { convert, readConversation, type TargetForm } from '../../core/src/internal.ts'
import { checkRead, read } from './reading.ts'

const user = { role: 'user', content: 'U' }
const good = { role: 'assistant', content: 'Good' }
const bad = { role: 'assistant', content: 'Bad' }

function checkBranches(
  value: unknown,
  names: readonly string[],
  lines: readonly (readonly string[])[],
  told: readonly string[] = [],
): void {
  for (const [index, name] of names.entries()) {
    const actual = read(value, name)
    assert.deepEqual(actual.branches, names)
    assert.deepEqual(actual.lines, lines[index])
    assert.deepEqual(actual.told, told)
  }
  assert.deepEqual(read(value).lines, lines[0])
}

test('a prompt, chosen and rejected', () => {
  const lines = [
    ['user: U', 'assistant: Good'],
    ['user: U', 'assistant: Bad'],
  ]
  checkBranches({ prompt: 'U', chosen: 'Good', rejected: 'Bad' }, ['chosen', 'rejected'], lines)
  checkBranches({ prompt: [user], chosen: [good], rejected: [bad] }, ['chosen', 'rejected'], lines)
  checkBranches({ question: 'U', chosen: 'Good', rejected: 'Bad', system: '' }, ['chosen', 'rejected'], lines)
  checkBranches({ messages: [user], chosen: good, rejected: bad }, ['chosen', 'rejected'], lines)
  checkBranches(
    {
      conversations: [{ from: 'human', value: 'U' }],
      chosen: { from: 'gpt', value: 'Good' },
      rejected: { from: 'gpt', value: 'Bad' },
    },
    ['chosen', 'rejected'],
    lines,
  )
  checkBranches(
    { prompt: 'U', chosen_response: 'Good', rejected_response: 'Bad' },
    ['chosen_response', 'rejected_response'],
    lines,
  )
  checkBranches(
    { instruction: 'U', input: '', chosen: 'Good', rejected: 'Bad' },
    ['chosen', 'rejected'],
    lines,
  )
})

test('an implicit prompt, with or without a copy of it', () => {
  const lines = [
    ['user: U', 'assistant: Good'],
    ['user: U', 'assistant: Bad'],
  ]
  checkBranches({ chosen: [user, good], rejected: [user, bad] }, ['chosen', 'rejected'], lines)
  checkBranches({ prompt: 'U', chosen: [user, good], rejected: [user, bad] }, ['chosen', 'rejected'], lines)
  checkBranches({ prompt: 'V', chosen: [user, good], rejected: [user, bad] }, ['chosen', 'rejected'], lines, [
    'unread',
  ])
})

test('a rejected answer beside a conversation', () => {
  const lines = [
    ['user: U', 'assistant: Good'],
    ['user: U', 'assistant: Bad'],
  ]
  checkBranches(
    { messages: [user, good], rejected_response: 'Bad' },
    ['messages', 'rejected_response'],
    lines,
  )
  checkBranches(
    { messages: [user, good], rejected_messages: [user, bad] },
    ['messages', 'rejected_messages'],
    lines,
  )
})

test('several completions', () => {
  checkBranches(
    { prompt: 'U', completions: ['A', 'B', 'C'] },
    ['completions[0]', 'completions[1]', 'completions[2]'],
    [
      ['user: U', 'assistant: A'],
      ['user: U', 'assistant: B'],
      ['user: U', 'assistant: C'],
    ],
  )
})

test('a branch that is empty is one', () => {
  checkBranches(
    { prompt: 'U', chosen: 'Good', rejected: '' },
    ['chosen', 'rejected'],
    [
      ['user: U', 'assistant: Good'],
      ['user: U', 'assistant: '],
    ],
  )
})

test('OpenAI preference', () => {
  const value = {
    input: { messages: [user], tools: [] },
    preferred_output: [good],
    non_preferred_output: [bad],
  }
  checkBranches(
    value,
    ['preferred_output', 'non_preferred_output'],
    [
      ['user: U', 'assistant: Good'],
      ['user: U', 'assistant: Bad'],
    ],
  )
  assert.equal(read(value).form, 'openai-dpo')
})

test('stepwise supervision, and labels that are too few', () => {
  const value = { prompt: 'P', completions: ['One.', 'Two.'], labels: [true, false] }
  checkRead(value, 'stepwise', ['user: P', 'assistant: One.', 'assistant: Two.'])
  checkRead(
    { ...value, labels: [true] },
    'stepwise',
    ['user: P', 'assistant: One.', 'assistant: Two.'],
    ['unread'],
  )
  const { text, losses } = convert(JSON.stringify(value), { to: 'messages' })
  assert.deepEqual([JSON.parse(text).labels, losses], [value.labels, []])
})

test('the only answer is rejected if it is undesired', () => {
  for (const [label, chosen, rejected] of [
    [true, 'A', ''],
    [false, '', 'A'],
  ] as const) {
    const sample = JSON.stringify({ prompt: 'U', completion: 'A', label })
    const { text, losses } = convert(sample, { to: 'preference' })
    assert.deepEqual(JSON.parse(text), { label, prompt: 'U', chosen, rejected })
    assert.deepEqual(
      losses.map(({ kind }) => kind),
      ['branch'],
    )
    const outputs = JSON.parse(convert(sample, { to: 'openai-dpo' }).text)
    const answers = [outputs.preferred_output, outputs.non_preferred_output].map(([it]) => it.content)
    assert.deepEqual(answers, [chosen, rejected])
  }
})

test('lists and texts that were not read are left out, so that the result is not read as them', () => {
  const sample = {
    conversation: [{ input: 'X', output: 'Y' }],
    instruction: 'Not read',
    history: [['Old', 'Older']],
    chosen: [user, good],
    rejected: [user, bad],
    source: 'web',
  }
  for (const [to, left] of [
    ['preference', ['conversation', 'instruction', 'history']],
    ['prompt-completion', ['conversation', 'instruction', 'history']],
    ['alpaca', ['conversation', 'history']],
    ['xlam', ['conversation', 'instruction', 'history']],
  ] as const satisfies readonly (readonly [TargetForm, readonly string[]])[]) {
    const { text, losses } = convert(JSON.stringify(sample), { to })
    const told = losses.filter(({ kind }) => kind === 'field').map(({ message }) => message)
    assert.deepEqual(
      told,
      left.map((key) => `The conversation replaces the field \`${key}\` next to it`),
      to,
    )
    const again = readConversation(text)
    // Without calls, there is nothing but the query.
    assert.equal(again.from, to === 'xlam' ? 'prompt-completion' : to)
    assert.equal(again.conversation.messages[0]?.content[0]?.text, 'U')
    assert.equal(JSON.parse(text).source, 'web')
  }
  const { text } = convert(JSON.stringify(sample), { to: 'preference' })
  assert.deepEqual(read(JSON.parse(text)), {
    form: 'preference',
    lines: ['user: U', 'assistant: Good'],
    told: [],
    branches: ['chosen', 'rejected'],
  })
})

test('columns that are lists of messages stay lists, and texts stay texts', () => {
  const samples = [
    { prompt: [user], chosen: [good], rejected: [bad] },
    { prompt: [{ role: 'system', content: 'S' }, user], chosen: [good], rejected: [bad] },
    { prompt: [user], completion: [good] },
    { prompt: 'U', chosen: 'Good', rejected: 'Bad' },
    { prompt: 'U', completion: 'Good' },
  ]
  for (const sample of samples) {
    const to = 'completion' in sample ? 'prompt-completion' : 'preference'
    const { text, losses } = convert(JSON.stringify(sample), { to })
    assert.deepEqual([JSON.parse(text), losses], [sample, []])
  }
  const implicit = convert(JSON.stringify({ chosen: [user, good], rejected: [user, bad] }), {
    to: 'preference',
  })
  assert.deepEqual(JSON.parse(implicit.text), samples[0])
})

test('answers are messages if their prompt is', () => {
  const messages = [{ role: 'system', content: 'S' }, user]
  const sample = { messages, chosen: 'Good', rejected: 'Bad' }
  const { text } = convert(JSON.stringify(sample), { to: 'preference' })
  assert.deepEqual(JSON.parse(text), { prompt: messages, chosen: [good], rejected: [bad] })
})

test('answers without a prompt are read as answers again', () => {
  const sample = { chosen: [good], rejected: [bad] }
  const { text, losses } = convert(JSON.stringify(sample), { to: 'preference' })
  assert.deepEqual([JSON.parse(text), losses], [sample, []])
  checkBranches(JSON.parse(text), ['chosen', 'rejected'], [['assistant: Good'], ['assistant: Bad']])
})
