/** What is written into a body comes out of it, whatever it says (D8). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { escapeBody, writtenBody } from '../../core/src/conversation/escape-body.ts'
import { parseToJson } from '../../core/src/internal.ts'
import { anyString, propertyRuns, soup } from '../helpers/arbitraries.ts'

function bodyOf(written: string): string {
  const { messages } = parseToJson(`version: 2.2\n<|start|>user<|message|>${written}<|end|>\n`)
  assert.equal(messages.length, 1)
  assert.equal(messages[0]?.terminator, '<|end|>')
  return messages[0]?.body ?? ''
}

const angles = fc
  .array(fc.constantFrom('<', '<|', '|>', '<|end|>', '<|start|>', '<|literal|>', '<|endliteral|>', 'a', '\n'))
  .map((it) => it.join(''))
const text = fc.oneof(angles, soup, anyString)

test('reading undoes writing, for every text', () => {
  fc.assert(
    fc.property(text, (it) => assert.equal(bodyOf(escapeBody(it)), it)),
    { numRuns: propertyRuns },
  )
})

test('also for bodies of several pieces', () => {
  const part = fc.record({ kind: fc.constantFrom('text', 'literal'), text }) as fc.Arbitrary<{
    kind: 'text' | 'literal'
    text: string
  }>
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
      assert.equal(bodyOf(writtenBody(parts)), parts.map((it) => it.text).join(''))
    }),
    { numRuns: propertyRuns },
  )
})

test('the exact spelling', () => {
  assert.equal(escapeBody('<|end|>'), '<<|end|>')
  assert.equal(escapeBody('<<|end|>'), '<<<|end|>')
  assert.equal(escapeBody('a <'), 'a <|literal|><<|endliteral|>')
  assert.equal(escapeBody('<|foo|>'), '<|foo|>')
})
