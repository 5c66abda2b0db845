/** Numbers of a JSON source that are too large to be read exactly are told where they stand. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  convert,
  type JsonObject,
  type JsonValue,
  readJsonConversation,
  roundedNumbers,
  type TargetForm,
} from '../../core/src/internal.ts'
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
    for (const it of ['18446744073709551616', '123456789012345678.5', '12345678901234567890e-1', '-1e400'])
      assert.deepEqual(toldOf(it), [it])
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
    '1e23',
    '10000000000000000000000.00',
    '1.50E+20',
    '-0',
    '0.1234567890123456789',
  ])
    assert.deepEqual(toldOf(json), [], json)
  fc.assert(
    fc.property(fc.jsonValue(), (value) => assert.deepEqual(toldOf(JSON.stringify(value)), [])),
    { numRuns: propertyRuns },
  )
})

describe('JSON in a string', () => {
  const inexact = '{"id": 12345678901234567890, "x": 1.10, "a": 1, "a": 2}'
  const asked = { role: 'user', content: 'Hi' }
  const called = (input: string): JsonObject => ({
    messages: [
      asked,
      {
        role: 'assistant',
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: input } }],
      },
    ],
  })
  const kindsOf = (sample: JsonObject, to: TargetForm) =>
    convert(JSON.stringify(sample), { to, rest: 'whole' }).losses.map(({ kind }) => kind)

  it('is reported where a form has a value instead', () => {
    for (const to of ['anthropic', 'gemini', 'otel', 'inspect', 'atif', 'xlam'] as const) {
      const found = kindsOf(called(inexact), to)
      assert.ok(found.includes('rounded-number') && found.includes('duplicate-key'), to)
      assert.deepEqual(kindsOf(called('{"id": 1}'), to), kindsOf(called('{}'), to))
    }
    const shell = { type: 'local_shell_call', call_id: 'c', action: { type: 'exec', command: [] } }
    const sample = { input: [asked, shell] }
    const { text } = convert(JSON.stringify(sample), { to: 'ocm' })
    const { losses } = convert(text.replace('"command":[]', '"timeout_ms":1e400,"command":[]'), {
      to: 'responses',
    })
    assert.deepEqual(
      losses.map(({ kind }) => kind),
      ['rounded-number'],
    )
  })

  it('stays as it is in text', () => {
    const { text, losses } = convert(JSON.stringify(called(inexact)), { to: 'sharegpt' })
    const [, { value }] = JSON.parse(text).conversations
    assert.equal(value, `{"name":"f","arguments":${inexact}}`)
    assert.deepEqual(
      losses.map(({ kind }) => kind),
      ['call-id'],
    )
    const call = `{"name":"f","arguments":${inexact}}`
    const samples: readonly JsonObject[] = [
      JSON.parse(text),
      {
        conversations: [
          { from: 'human', value: 'Hi' },
          { from: 'gpt', value: `<tool_call>${call}</tool_call>` },
        ],
      },
      { query: 'Hi', answers: `[${call}]` },
      { messages: JSON.stringify(called('0').messages).replace('"0"', inexact) },
      { request: JSON.stringify(called('0')).replace('"0"', inexact) },
      { messages: [asked, { role: 'assistant', content: '', tool_calls: `[{"function":${call}}]` }] },
    ]
    for (const sample of samples) {
      for (const to of ['messages', 'responses'] as const) {
        const converted = convert(JSON.stringify(sample), { to })
        assert.ok(converted.text.includes(JSON.stringify(inexact).slice(1, -1)), converted.text)
      }
      assert.ok(convert(JSON.stringify(sample), { to: 'ocm' }).text.includes(inexact), JSON.stringify(sample))
    }
  })
})

it('reports a field of a message in a list that is a string', () => {
  const list =
    '[{"from":"human","value":"Hi","id":12345678901234567890,"n":2},{"from":"gpt","value":"Hello"}]'
  for (const to of ['ocm', 'messages', 'sharegpt'] as const) {
    const { losses } = convert(JSON.stringify({ conversations: list }), { to })
    assert.deepEqual(
      losses.map(({ kind, message }) => [kind, message]),
      [
        [
          'rounded-number',
          '`12345678901234567890` is too large to be read exactly; it becomes `12345678901234567000`',
        ],
      ],
    )
  }
})
