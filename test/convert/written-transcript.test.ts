/** Words that a transcript can't hold are changed when a conversation is written as one, and that is told. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { convert } from '../../core/src/internal.ts'

describe('words that no header can hold', () => {
  const message = (parts: object) =>
    JSON.stringify({ messages: [{ role: 'assistant', ...parts, content: 'x' }] })
  const rows: readonly (readonly [string, string, string])[] = [
    ['an attribute as channel', message({ channel: 'a=b' }), '<|channel|>a_b<|message|>'],
    ['an attribute as constraint', message({ constrain: 'a-1=b=c' }), '<|constrain|>a-1_b_c<|message|>'],
    ['what becomes one', message({ constrain: '<|=' }), '<|constrain|>__<|message|>'],
    ['words', message({ constrain: 'a  b' }), '<|constrain|>a_b<|message|>'],
    ['nothing', message({ constrain: '' }), '<|constrain|>unknown<|message|>'],
  ]
  for (const [name, json, expected] of rows) {
    test(`${name}: changed, and told`, () => {
      const { text, losses } = convert(json, { from: 'json', to: 'ocm' })
      assert.ok(text.includes(expected), text)
      assert.ok(losses.some(({ kind }) => kind === 'header-value'))
      assert.deepEqual(convert(text, { to: 'ocm' }), { from: 'ocm', text, losses: [] })
    })
  }

  test('others stay', () => {
    const { text, losses } = convert(message({ constrain: '^a=b$' }), { from: 'json', to: 'ocm' })
    assert.ok(text.includes('<|constrain|>^a=b$<|message|>'))
    assert.deepEqual(losses, [])
  })
})
