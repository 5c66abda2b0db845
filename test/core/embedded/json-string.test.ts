/** Places in strings of JSON, found in the text alone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { offsetInString, stringMember, unitEnd } from '../../../core/src/embedded/json-string.ts'
import { assertLinear } from './growth.ts'

const unit = fc.constantFrom(
  'a',
  '"',
  '\\',
  '\n',
  'ü',
  '\u2028',
  '\ud800',
  '😀',
  '\u0001',
  '/',
  ':',
  ',',
  '{',
  ']',
)
const text = fc.string({ unit, maxLength: 12 })

/** JSON of a string, with each unit escaped or not as `choices` say. */
function written(value: string, choices: readonly boolean[]): string {
  const units = [...Array(value.length).keys()].map((at) => {
    const plain = JSON.stringify(value.charAt(at)).slice(1, -1)
    return choices[at % choices.length] ? `\\u${value.charCodeAt(at).toString(16).padStart(4, '0')}` : plain
  })
  return `"${units.join('')}"`
}

test('each code unit of a string is found where it is written', () => {
  fc.assert(
    fc.property(text, fc.array(fc.boolean(), { minLength: 1 }), fc.nat(5), (value, choices, before) => {
      const json = ' '.repeat(before) + written(value, choices)
      assert.equal(JSON.parse(json), value)
      for (let index = 0; index < value.length; index++) {
        const at = offsetInString(json, before, index)
        assert.equal(JSON.parse(`"${json.slice(at, unitEnd(json, at))}"`), value.charAt(index))
      }
      assert.equal(offsetInString(json, before, value.length), json.length - 1)
    }),
  )
})

test('the last string under a key of the outermost object is found, however it is written', () => {
  const value = fc.oneof(text, fc.jsonValue(), fc.record({ text, a: fc.array(fc.record({ text })) }))
  const key = fc.oneof(fc.constantFrom('text', 'texts', 'a'), text)
  fc.assert(
    fc.property(
      fc.array(fc.tuple(key, fc.boolean(), value)),
      fc.constantFrom('', ' ', '\n'),
      (members, space) => {
        const parts = members.map(
          ([name, isEscaped, it]) => `${written(name, [isEscaped])}${space}:${space}${JSON.stringify(it)}`,
        )
        const json = `${space}{${space}${parts.join(`${space},${space}`)}${space}}`
        const last = members.findLast(([name, , it]) => name === 'text' && typeof it === 'string')
        const start = stringMember(json, 'text')
        assert.equal(start === undefined, last === undefined)
        if (start === undefined || !last) return
        const literal = JSON.stringify(last[2])
        assert.equal(json.slice(start, start + literal.length), literal)
      },
    ),
  )
})

test('what has none has none', () => {
  for (const json of [
    '"text"',
    '["text","x"]',
    '{}',
    '1',
    '{"a":{"text":"x"}}',
    '{"text":["x"]}',
    '{"text":{"a":"x"}}',
  ])
    assert.equal(stringMember(json, 'text'), undefined, json)
})

test('the time grows with the length', () => {
  const texts = {
    quotes: (size: number) => JSON.stringify({ text: '"'.repeat(size) }),
    backslashes: (size: number) => JSON.stringify({ text: '\\'.repeat(size) }),
    keys: (size: number) => `{${'"text":"",'.repeat(size / 10)}"a":1}`,
    brackets: (size: number) => `{"a":${'['.repeat(size)}${']'.repeat(size)}}`,
  }
  for (const [name, make] of Object.entries(texts)) {
    assertLinear(name, 100_000, make, (json) => {
      const start = stringMember(json, 'text')
      if (start !== undefined) offsetInString(json, start, json.length)
    })
  }
})
