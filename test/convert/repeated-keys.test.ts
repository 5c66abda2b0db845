/** Keys that stand twice in an object of a JSON source are told: the parser drops all values but the last one. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  convert,
  type JsonValue,
  readConversation,
  readJsonConversation,
  type SourceForm,
} from '../../core/src/internal.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'

/** Checks that the keys between `$` in `marked`, and no others, are told in every way of reading it. */
function checkRepeated(marked: string, from: SourceForm | 'auto' = 'auto'): void {
  const parts = marked.split('$')
  const text = parts.join('')
  const expected: (readonly [number, string])[] = []
  let at = 0
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 1) expected.push([at, part])
    at += part.length
  }
  const value = JSON.parse(text.replace(/^\ufeff/, '')) as JsonValue
  for (const { losses } of [
    convert(text, { from, to: 'ocm' }),
    readConversation(text, { from }),
    readJsonConversation(value, { from, text }),
    readJsonConversation(value, { from, text, hasPlaces: true }),
  ]) {
    const found = losses
      .filter(({ kind }) => kind === 'duplicate-key')
      .map(({ range }) => [range?.start, text.slice(range?.start, range?.end)])
    assert.deepEqual(found, expected)
  }
}

describe('a key that stands twice', () => {
  it('is told in every form, where it stands again', () => {
    checkRepeated('{"messages":[{"role":"user",$"role"$:"assistant","content":"Hi"}]}')
    checkRepeated('\ufeff{"messages": [], $"messages"$: [{"role": "user", "content": "x"}]}')
    checkRepeated('{"input":[{"role":"user","content":"a",$"content"$:"b"}]}')
    checkRepeated('{"messages":[{"role":"user","channel":"final",$"channel"$:"final"}]}', 'json')
    checkRepeated(
      '{"messages":[{"role":"user","recipient":"x",$"\\u0072ole"$:"user","content":""}]}',
      'harmony-json',
    )
  })

  it('is told as often as it stands there, `__proto__` too', () => {
    checkRepeated('{"messages":[{"role":"user","content":"a",$"content"$:"b",$"content"$ :"c"}]}')
    checkRepeated('{"messages":[{"role":"user","content":"a","__proto__":1,$"__proto__"$:2}]}')
  })

  it('is no matter of the import inside of a string', () => {
    checkRepeated(
      '{"messages":[{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\\"a\\":1,\\"a\\":2}"}}]}]}',
    )
  })

  it('is told a hundred times, and then by number', () => {
    const text = `{"messages":[{"role":"user","content":"x"${',"a":1'.repeat(1001)}}]}`
    const told = convert(text, { to: 'ocm' }).losses.filter(({ kind }) => kind === 'duplicate-key')
    assert.equal(told.length, 101)
    assert.equal(told[0]?.message, 'Duplicate key `a` in this object; the last one is used')
    assert.equal(told[100]?.message, '900 more keys appear twice in their objects')
  })
})

it('nothing is told of what `JSON.stringify` writes', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, space) => {
      const text = JSON.stringify({ messages: [], value }, undefined, space)
      const { losses } = readConversation(text, { from: 'messages' })
      assert.ok(losses.every(({ kind }) => kind !== 'duplicate-key'))
    }),
    { numRuns: propertyRuns },
  )
})
