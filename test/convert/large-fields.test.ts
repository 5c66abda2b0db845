/** Fields that a header of a transcript has no room for: JSON that becomes JSON keeps them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { convert, readSample, restFor, type TargetForm, writeConversation } from '../../core/src/internal.ts'

const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(60_000)}` } }
const messages = [
  { role: 'user', content: [{ type: 'text', text: 'U' }, image] },
  { role: 'assistant', content: 'A' },
]
const tools = Array.from({ length: 120 }, (_, index) => ({
  type: 'function',
  function: {
    name: `f${index}`,
    description: 'x'.repeat(400),
    parameters: { type: 'object', properties: {} },
  },
}))
const nested = Array.from({ length: 200 }).reduce((value) => [value], 'deep')

for (const [what, fields] of [
  ['text', { id: 'keep', doc: 'z'.repeat(33_000) }],
  ['tools', { id: 'keep', tools }],
  ['brackets', { id: 'keep', nested }],
] as const)
  test(`${what}, beside an inline image`, () => {
    const sample = { ...fields, messages }
    const { text, losses } = convert(JSON.stringify(sample), { to: 'messages' })
    assert.deepEqual([JSON.parse(text), losses], [sample, []])

    const bytes = new TextEncoder().encode(JSON.stringify(sample))
    const read = readSample(bytes, { rest: restFor({ to: 'messages' }) })
    assert.ok(read.kind === 'good')
    assert.deepEqual(JSON.parse(writeConversation(read.read(), { to: 'messages' }).text), sample)
  })

for (const to of ['sharegpt', 'responses', 'prompt-completion'] as const satisfies readonly TargetForm[])
  test(`other fields in ${to}`, () => {
    const sample = {
      id: 'keep',
      messages: [{ role: 'user', content: 'U' }, messages[1]],
      doc: 'z'.repeat(33_000),
    }
    const { text, losses } = convert(JSON.stringify(sample), { to })
    const { id, doc } = JSON.parse(text)
    assert.deepEqual([id, doc, losses], [sample.id, sample.doc, []])
  })

test('a transcript has no room for them, which is reported', () => {
  const sample = { id: 'keep', doc: 'z'.repeat(33_000), messages }
  const { losses } = convert(JSON.stringify(sample), { to: 'ocm' })
  assert.ok(losses.some(({ message }) => message.includes('too large for a header')))
})
