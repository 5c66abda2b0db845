/** Reading a sample whose source keeps what a transcript cannot say: nothing of that is in the header, and nothing is told as lost. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type JsonValue, readJsonConversation, writeConversation } from '../../core/src/internal.ts'

const messages = [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Hi' },
      { type: 'image_url', image_url: { url: 'x' } },
    ],
    weight: 1,
  },
  { role: 'assistant', content: 'Hello', reasoning: 'think', weight: 0, meta: { a: [1] } },
]
const sides = { id: 'sample-1', source: 'web', score: 0.5, metadata: { language: 'en', deep: [{ a: 1 }] } }
const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }]

function transcript(value: JsonValue): { readonly text: string; readonly losses: readonly unknown[] } {
  const text = JSON.stringify(value)
  const reading = readJsonConversation(value, { text, rest: 'source' })
  const written = writeConversation(reading, { to: 'ocm' })
  return { text: written.text, losses: [...reading.losses, ...written.losses] }
}

test('side fields, flags and parts change nothing in the transcript', () => {
  const plain = transcript([
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello', reasoning_content: 'think' },
  ])
  assert.deepEqual(transcript({ ...sides, messages }), plain)
  assert.deepEqual(plain.losses, [])
  assert.match(plain.text, /^version: 2\.2\n\n<\|start\|>user/)
})

test('tools are shown to the model as they are where the header keeps them', () => {
  const { text } = transcript({ ...sides, tools, messages })
  const kept = writeConversation(readJsonConversation({ ...sides, tools, messages }), { to: 'ocm' }).text
  const bodies = (it: string) => it.slice(it.indexOf('<|start|>'))
  assert.match(text, /^version: 2\.2\n\n<\|start\|>developer<\|message\|># Tools/)
  assert.equal(bodies(text), bodies(kept))
  const input = [{ role: 'user', content: 'Hi' }]
  assert.match(transcript({ input, model: 'm', temperature: 1 }).text, /^version: 2\.2\n\n<\|start\|>user/)
})

test('an unknown role is told still', () => {
  const { losses } = transcript({ messages: [{ role: 'narrator', content: 'x', weight: 1 }] })
  assert.deepEqual(
    losses.map((it) => (it as { kind: string }).kind),
    ['role'],
  )
})
