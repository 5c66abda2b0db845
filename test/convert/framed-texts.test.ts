/** Texts in the frames of other models. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shownTextOf } from '../../core/src/conversation/message-visibility.ts'
import {
  ConversionError,
  editableSample,
  editedSample,
  readConversation,
  readSample,
} from '../../core/src/internal.ts'
import { checkRead, read } from './reading.ts'

/** What `text` is read as. */
function shown(text: string): readonly string[] {
  const { conversation, from } = readConversation(text)
  assert.equal(from, 'text')
  return conversation.messages.map(
    ({ role, channel, content }) =>
      `${role}${channel === undefined || channel === 'final' ? '' : `/${channel}`}: ${content.map((it) => it.text).join('')}`,
  )
}

test('Llama 3', () => {
  const text =
    '<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nS<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nU<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n<think>T</think>A<|eot_id|>'
  assert.deepEqual(shown(text), ['system: S', 'user: U', 'assistant/analysis: T', 'assistant: A'])
})

test('Gemma, with a generation prompt', () => {
  assert.deepEqual(shown('<bos><start_of_turn>user\nU<end_of_turn>\n<start_of_turn>model\n'), ['user: U'])
})

test('Llama 2 and Mistral', () => {
  assert.deepEqual(shown('<s>[INST] <<SYS>>\nS\n<</SYS>>\n\nU [/INST] A </s><s>[INST] V [/INST]'), [
    'system: S',
    'user: U',
    'assistant: A',
    'user: V',
  ])
})

test('Human and Assistant, in a pair without a prompt', () => {
  assert.deepEqual(shown('\n\nHuman: U\n\nAssistant: A'), ['user: U', 'assistant: A'])
  const value = { chosen: '\n\nHuman: U\n\nAssistant: A', rejected: '\n\nHuman: U\n\nAssistant: B' }
  assert.deepEqual(read(value).branches, ['chosen', 'rejected'])
  assert.deepEqual(read(value, 'rejected').lines, ['user: U', 'assistant: B'])
  checkRead({ prompt: 'Human: U\n\nAssistant:', completion: ' A' }, 'prompt-completion', [
    'user: U',
    'assistant: A',
  ])
})

test('ChatML in a sample, with reasoning that only the beginning of a message shows', () => {
  for (const answer of [
    '<think>T</think>A',
    'analysisT.assistantfinalA',
    "Here's my thought process:\nT\nHere's my response:\nA",
    '<analysis>T</analysis>A',
    '&lt;think&gt;T&lt;/think&gt;A',
    '<|im_start|>think\nT\n<|im_start|>answer\nA',
  ]) {
    const text = `<|im_start|>user\nU<|im_end|>\n<|im_start|>assistant\n${answer}<|im_end|>\n`
    const sample = readSample(new TextEncoder().encode(JSON.stringify({ text })), { rest: 'source' })
    if (sample.kind === 'bad') assert.fail(sample.message)
    const shown = sample.read().conversation.messages.map((it) => shownTextOf(it) ?? '')
    assert.deepEqual(shown, ['U', '', 'A'], answer)
    assert.equal(sample.text, undefined, answer)
  }
})

test('a transcript that quotes frames is a transcript', () => {
  const text = '<|start|>user<|message|>[INST] a [/INST]\n\nHuman: b<|end|>\n'
  assert.equal(readConversation(text).from, 'ocm')
})

test('a text without a frame is hidden, and reported; both are read only', () => {
  for (const text of ['Once upon a time', '\n\nHuman: U\n\nAssistant: A']) {
    const sample = editableSample(
      readSample(new TextEncoder().encode(JSON.stringify({ text })), { rest: 'source' }),
    )
    assert.equal(sample.kind, 'good')
    if (sample.kind !== 'good') continue
    const isFramed = text.includes('Human')
    assert.match(sample.text, isFramed ? /user<\|message\|>U/ : /analysis<\|message\|>Once/)
    assert.equal(sample.losses.length, isFramed ? 0 : 1)
    assert.throws(
      () => editedSample(sample, sample.text.replace('U<', 'V<').replace('Once', 'Twice')),
      ConversionError,
    )
  }
})
