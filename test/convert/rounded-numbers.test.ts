/** Numbers of a JSON source that are too large to be read exactly are told where they stand. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { convert, type JsonValue, readJsonConversation, roundedNumbers } from '../../core/src/internal.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'

/** What is told of a request that has `json` among its fields: each number as it stands in the source. */
function toldOf(json: string): readonly string[] {
  const text = `{"messages":[{"role":"user","content":"1234567890123456789"}],"x":${json}}`
  const { losses } = convert(text, { from: 'messages', to: 'ocm' })
  const value = JSON.parse(text) as JsonValue
  for (const other of [readJsonConversation(value, { text }).losses, roundedNumbers(text, value)])
    assert.deepEqual(other, losses)
  return losses.map(({ kind, range }) => {
    assert.equal(kind, 'rounded-number')
    return text.slice(range?.start, range?.end)
  })
}

describe('a number that becomes another one', () => {
  it('is told, wherever it stands', () => {
    assert.deepEqual(toldOf('1234567890123456789'), ['1234567890123456789'])
    assert.deepEqual(toldOf('[{"a":[1, -9007199254740993 ]},9223372036854775807]'), [
      '-9007199254740993',
      '9223372036854775807',
    ])
    assert.deepEqual(toldOf('{"1234567890123456789":1e400}'), ['1e400'])
    assert.deepEqual(toldOf('9'.repeat(100_000)), ['9'.repeat(100_000)])
  })

  it('is told with what it becomes', () => {
    const { losses } = convert('{"messages":[],"seed":9223372036854775807,"t":-1e999}', { to: 'ocm' })
    assert.deepEqual(
      losses.map(({ message }) => message),
      [
        '`9223372036854775807` is too large to be read exactly; it becomes `9223372036854776000`',
        '`-1e999` is too large to be read exactly; it becomes `null`',
      ],
    )
  })

  it('is told a hundred times, and then by number', () => {
    const told = toldOf(`[${Array.from({ length: 103 }, () => '1234567890123456789').join()}]`)
    assert.equal(told.length, 101)
  })
})

it('nothing is told of numbers that stay what they are', () => {
  for (const json of [
    '9007199254740991',
    '9007199254740992',
    '1e22',
    '53265152248464970',
    '1e300',
    '-0',
    '0.1234567890123456789',
  ])
    assert.deepEqual(toldOf(json), [], json)
  fc.assert(
    fc.property(fc.jsonValue(), (value) => assert.deepEqual(toldOf(JSON.stringify(value)), [])),
    { numRuns: propertyRuns },
  )
})
