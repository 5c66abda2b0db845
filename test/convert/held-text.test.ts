/** A conversation that JSON holds as a text in a field: read as the sample of a dataset is, with places in the JSON. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConversionError, convert, looksLikeConversation, readConversation } from '../../core/src/internal.ts'

const turns = '<|start|>user<|message|>"Hi"<|end|>\n<|start|>assistant<|channel|>final<|message|>Yo<|end|>\n'

test('the text is read, and messages, losses, and mistakes have their places in the JSON', () => {
  for (const mark of ['', '\ufeff', ' ']) {
    const json = `${mark}${JSON.stringify({ id: 7, text: turns, tags: [] })}`
    const { conversation, losses, from } = readConversation(json)
    assert.equal(from, 'ocm')
    assert.deepEqual(
      conversation.messages.map(({ range }) => range && json.slice(range.start, range.end)),
      ['<|start|>user<|message|>\\"Hi\\"<|end|>', '<|start|>assistant<|channel|>final<|message|>Yo<|end|>'],
    )
    assert.deepEqual(
      losses.map(({ message, range }) => [message, range && json.slice(range.start, range.end)]),
      [['The sample: a transcript cannot contain `id`', '7']],
    )
    const converted = convert(json, { to: 'messages', isCompact: true })
    assert.equal(
      converted.text,
      '{"messages":[{"role":"user","content":"\\"Hi\\""},{"role":"assistant","content":"Yo"}]}',
    )
    assert.deepEqual(converted.losses, losses)
  }
  const json = JSON.stringify({ text: '<|start|>user<|message|>"a"<|end|><|start|><|message|>b<|end|>' })
  assert.throws(
    () => readConversation(json, { isStrict: true }),
    (error) => error instanceof ConversionError && error.offset === json.lastIndexOf('<|message|>'),
  )
})

test('what looks like a conversation', () => {
  for (const text of [turns, '<|im_start|>user\nHi<|im_end|>', '[INST] Hi [/INST] Yo'])
    assert.ok(looksLikeConversation(JSON.stringify({ text })), text)
  assert.ok(
    looksLikeConversation(JSON.stringify({ segments: [turns.slice(0, 9), { text: turns.slice(9) }] })),
  )
  for (const value of [
    { text: 'Hello' },
    { text: 'a <| b' },
    { text: '{"a": 1}' },
    { text: '' },
    { text: 3 },
  ])
    assert.ok(!looksLikeConversation(JSON.stringify(value)), JSON.stringify(value))
})
