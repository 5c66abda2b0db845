/** What is shown of a sample besides its conversation. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  datasetMappingIn,
  editableSample,
  readSample,
  type SampleMetadata,
  sampleMetadata,
} from '../../core/src/internal.ts'

function metadataOf(value: object, entry?: object): SampleMetadata {
  const mapping = entry && datasetMappingIn({ file_name: '*', ...entry })
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  const sample = editableSample(readSample(bytes, { rest: 'source', mapping }))
  assert.equal(sample.kind, 'good')
  if (sample.kind !== 'good') throw new TypeError()
  return sampleMetadata(sample)
}

const messages = [
  { role: 'system', content: 'S' },
  { role: 'user', content: 'U' },
  { role: 'assistant', content: 'A' },
]

test('side fields are shown, also one level down, and nothing that may be text of a conversation', () => {
  const hidden = 'The secret.'
  const { fields } = metadataOf({
    id: 'a-1',
    messages,
    source: 'web',
    score: 0.5,
    ok: true,
    meta: { lang: 'de', deep: { x: 1 }, thinking: hidden },
    reasoning: hidden,
    cot: hidden,
    scratchpad: hidden,
    answer_text: hidden,
    long: 'x'.repeat(81),
    lines: 'a\nb',
    nothing: null,
    list: ['a'],
  })
  assert.deepEqual(
    fields.map(({ name, value }) => `${name}=${value}`),
    ['id=a-1', 'source=web', 'score=0.5', 'ok=true', 'meta.lang=de'],
  )
})

test('a field is not shown if its name says that it is reasoning or instructions, and others are', () => {
  for (const name of [
    'Complex_CoT',
    'GoldCoT',
    'cot_0',
    'deliberation',
    'self_reflection',
    'hidden',
    'private notes',
    'commentary',
    'tool_output',
    'systemPrompt',
    'instructions',
    '思考',
    'Gedankengang',
    'model_output',
    'modelOutput',
    'full_outputs',
    'completion_raw',
    'agentTrajectory',
    'steps',
    'documents',
  ])
    assert.deepEqual(metadataOf({ messages, [name]: 'x', meta: { [name]: 'x' } }).fields, [], name)
  for (const name of [
    'apricot',
    'scottish',
    'winner',
    'source',
    'title',
    'split',
    'output_tokens',
    'numSteps',
  ])
    assert.deepEqual(metadataOf({ messages, [name]: 'x' }).fields, [{ name, value: 'x' }], name)
})

test('labels of samples are shown, and mapped columns are not', () => {
  const stepwise = { prompt: 'P', completions: ['A', 'B'], labels: [true, false] }
  assert.deepEqual(metadataOf(stepwise).fields, [{ name: 'labels', value: 'true, false' }])
  const columns = { prompt: 'q', response: 'a', kto_tag: 'good' }
  assert.deepEqual(metadataOf({ q: 'Q', a: 'A', good: true, source: 'web' }, { columns }).fields, [
    { name: 'good', value: 'true' },
    { name: 'source', value: 'web' },
  ])
})

test('training flags belong to the messages of their item that users see', () => {
  const { flags } = metadataOf({
    messages: [
      messages[0],
      { ...messages[1], train: false },
      { ...messages[2], reasoning_content: 'R', weight: 1, loss: 'hidden words' },
      { role: 'user', content: 'V' },
      {
        role: 'assistant',
        content: 'B',
        weight: 0,
        train_detail: [{ begin_offset: 0, end_offset: 0, train: true }],
      },
    ],
  })
  assert.deepEqual(flags, [['train: false'], ['weight: 1'], [], ['weight: 0', 'train_detail']])
  assert.deepEqual(metadataOf({ messages }).flags, [])
})

test('flags are read in every form with a list of messages', () => {
  const sharegpt = [
    { from: 'human', value: 'U' },
    { from: 'gpt', value: 'A', weight: 0 },
  ]
  assert.deepEqual(metadataOf({ conversations: sharegpt }).flags, [[], ['weight: 0']])
  const parts = [
    {
      role: 'assistant',
      weight: 0,
      content: [
        { type: 'thinking', thinking: 'R' },
        { type: 'text', text: 'A' },
      ],
    },
  ]
  assert.deepEqual(metadataOf({ messages: parts }).flags, [['weight: 0']])
  assert.deepEqual(metadataOf({ text: '<|start|>user<|message|>Hi<|end|>', id: 1 }), {
    fields: [{ name: 'id', value: '1' }],
    flags: [],
    allFlags: [],
  })
})

test('a field is not shown if its value was a part of a conversation, whatever its name is', () => {
  for (const value of [
    '<think>The user lies.</think>ok',
    '<|channel|>analysis<|message|>A plan<|end|>',
    'A plan<|im_end|>',
    'analysisWe need to add.assistantfinalFour.',
  ])
    assert.deepEqual(metadataOf({ messages, raw: value, meta: { raw: value } }).fields, [], value)
  for (const value of ['analysis', 'a < b', '<b>bold</b>', 'commentary on law', '[THIS]'])
    assert.deepEqual(metadataOf({ messages, raw: value }).fields, [{ name: 'raw', value }], value)
})
