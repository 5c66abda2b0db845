/** A body without its escapes and markers, and the way from its offsets to the text and back. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { factsOf, renderedBody, Transcript } from '../../core/src/internal.ts'
import { bodyText } from '../../core/src/semantics/body-text.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'

const piece = fc.constantFrom(
  'a',
  'Some words, ',
  '\u{1f600}',
  '<<|end|>',
  '<<|start|>user',
  '<|literal|>',
  '<|endliteral|>',
  '<|channel|>',
  '<|',
  '\r\n',
)

function bodyOf(text: string) {
  const { segment } = Transcript.parse(`version: 2.2\n<|start|>user<|message|>${text}<|end|>\n`).segment(1)
  const facts = factsOf(segment)
  const body = facts && bodyText(segment, facts)
  return body && { body, segment }
}

describe('the text of a body', () => {
  it('has each of its characters where it says, and the same place from there', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const found = bodyOf(pieces.join(''))
        if (!found) return
        const { body, segment } = found
        assert.equal(body.text, renderedBody(segment))
        for (let at = 0; at < body.text.length; at++) {
          const { from, to } = body.spanOf({ start: at, end: at + 1 })
          assert.equal(segment.text.slice(from, to), body.text[at])
          assert.equal(body.offsetOf(from), at)
        }
      }),
      { numRuns: propertyRuns },
    )
  })

  it('takes a place in what it leaves out for the place behind the text before', () => {
    const found = bodyOf('ab<|literal|>cd<|endliteral|>ef')
    assert.ok(found)
    const { body, segment } = found
    assert.equal(body.text, 'abcdef')
    const marker = segment.text.indexOf('<|literal|>')
    assert.deepEqual(
      [0, 1, 5, 10, 11].map((it) => body.offsetOf(marker + it)),
      [2, 2, 2, 2, 2],
    )
    assert.equal(body.offsetOf(segment.text.indexOf('<|message|>')), undefined)
    assert.deepEqual(body.spanOf({ start: 1, end: 3 }), { from: marker - 1, to: marker + 12 })
    assert.deepEqual(body.spanOf({ start: 2, end: 2 }), { from: marker + 11, to: marker + 11 })
  })
})
