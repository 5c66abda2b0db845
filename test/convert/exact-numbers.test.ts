/** Numbers of a request as the reference writes them, and token ids of what it encodes piece by piece. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { o200k } from '../../core/src/convert/o200k-encoder.ts'
import { convert, readConversation, tokenIds } from '../../core/src/internal.ts'

/** How the developer message of a request shows the default `spelling`. */
function shownDefault(spelling: string): string | undefined {
  const parameters = `{"type":"object","properties":{"n":{"type":"number","default":${spelling}}}}`
  const tools = `{"functions":{"name":"functions","tools":[{"name":"f","description":"","parameters":${parameters}}]}}`
  const content = `[{"type":"developer_content","tools":${tools}}]`
  const source = `\ufeff{"messages":[{"role":"developer","content":${content}}]}`
  const { text } = convert(source, { from: 'harmony-json', to: 'harmony' })
  return /\/\/ default: (.*)/.exec(text)?.[1]
}

/** What `serde_json`, which the reference is built on, writes for a number that it has read. */
const spellings: readonly (readonly [written: string, shown: string])[] = [
  ['1', '1'],
  ['-7', '-7'],
  ['1.0', '1.0'],
  ['-0', '-0.0'],
  ['0.0', '0.0'],
  ['1e21', '1e21'],
  ['1E+2', '100.0'],
  ['1e15', '1000000000000000.0'],
  ['1e16', '1e16'],
  ['1e-5', '0.00001'],
  ['1e-6', '1e-6'],
  ['-1.5e-7', '-1.5e-7'],
  ['0.1', '0.1'],
  ['12.50', '12.5'],
  ['9007199254740993', '9007199254740993'],
  ['18446744073709551615', '18446744073709551615'],
  ['18446744073709551616', '1.8446744073709552e19'],
  ['{"a":[1.0,{"b":2e3}],"c":"1.0"}', '{"a":[1.0,{"b":2000.0}],"c":"1.0"}'],
]

for (const [written, shown] of spellings)
  test(`a default ${written} is shown as ${shown}`, () => assert.equal(shownDefault(written), shown))

test('a message of several pieces has the ids of each of them', () => {
  const content = ['hel', 'lo', '', ' x'].map((text) => ({ type: 'text', text }))
  const source = JSON.stringify({ messages: [{ role: 'user', content }] })
  const { conversation } = readConversation(source, { from: 'harmony-json' })
  const body = content.flatMap(({ text }) => [...o200k.encode(text)])
  assert.deepEqual(tokenIds(conversation, o200k), [200006, 1428, 200008, ...body, 200007])
  assert.notDeepEqual(body, [...o200k.encode('hello x')])
})

test('its pieces come back, but for empty ones', () => {
  const source = { messages: [{ role: 'user', content: ['a', 'b'].map((text) => ({ type: 'text', text })) }] }
  const { text, losses } = convert(JSON.stringify(source), { from: 'harmony-json', to: 'harmony-json' })
  assert.deepEqual(JSON.parse(text), source)
  assert.deepEqual(losses, [])
})
