/** A sample that is open as a transcript, in another form. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  convertedSample,
  type EditableSample,
  editableSample,
  readSample,
  type TargetForm,
} from '../../core/src/internal.ts'

function opened(value: unknown): EditableSample {
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  const sample = editableSample(readSample(bytes, { rest: 'source' }))
  assert.equal(sample.kind, 'good')
  return sample as EditableSample // which is one
}

function converted(value: unknown, to: TargetForm, edit = (text: string) => text) {
  const sample = opened(value)
  const { text, losses } = convertedSample(sample, edit(sample.text), { to })
  return { value: JSON.parse(text), told: losses.map(({ message }) => message) }
}

const sharegpt = {
  id: 7,
  conversations: [
    { from: 'human', value: 'Q' },
    { from: 'gpt', value: 'A', weight: 0 },
  ],
}

test('what only the sample says comes along, and so does an edit that is not saved', () => {
  const { value, told } = converted(sharegpt, 'messages', (text) => text.replace('Q<', 'Why?<'))
  assert.deepEqual(value, {
    id: 7,
    messages: [
      { role: 'user', content: 'Why?' },
      { role: 'assistant', content: 'A', weight: 0 },
    ],
  })
  assert.deepEqual(told, [])
})

test('both branches of a pair come along', () => {
  const pair = { prompt: 'Q', chosen: 'A', rejected: 'B', score: 1 }
  assert.deepEqual(converted(pair, 'preference').value, pair)
})

test('a field that the form has no place for is reported', () => {
  const { told } = converted(sharegpt, 'gemini')
  assert.deepEqual(told, ['The field `weight` of a message cannot be represented'])
})

test('fields next to a text are reported', () => {
  const { told } = converted({ text: 'Human: Q\n\nAssistant: A', source: 'web' }, 'messages')
  assert.deepEqual(told, ['The sample: a transcript cannot contain `source`'])
})

test('an edit that cannot be saved is converted, and what the sample says besides is reported', () => {
  const { value, told } = converted(sharegpt, 'messages', (text) =>
    text.replace('<|channel|>final', ' intent=x<|channel|>final'),
  )
  assert.equal(value.messages[1].content, 'A')
  assert.equal(value.id, undefined)
  assert.ok(
    told.includes("Fields that only the sample has are left out, because the edit can't be saved in it"),
  )
})
