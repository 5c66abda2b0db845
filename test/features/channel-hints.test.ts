/** Hints at channels that are not written. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { analyze, channelHints, Transcript } from '../../core/src/internal.ts'
import { propertyRuns, transcriptText } from '../helpers/arbitraries.ts'

/** The text with each hint in brackets where it is shown. */
function shown(text: string): string {
  let result = ''
  let from = 0
  for (const { offset, label } of channelHints(analyze(Transcript.parse(text)), {
    start: 0,
    end: text.length,
  })) {
    result += `${text.slice(from, offset)}[${label}]`
    from = offset
  }
  return result + text.slice(from)
}

test('assistant messages without a channel are final', () => {
  assert.equal(
    shown('version: 2.2\n<|start|>user<|message|>a<|end|>\n<|start|>assistant<|message|>b<|end|>\n'),
    'version: 2.2\n<|start|>user<|message|>a<|end|>\n<|start|>assistant[final]<|message|>b<|end|>\n',
  )
})

for (const [what, text] of [
  ['messages with a channel', 'version: 2.2\n<|start|>assistant<|channel|>final<|message|>b<|end|>\n'],
  ['malformed headers', 'version: 2.2\n<|start|>assistant to= <|message|>b<|end|>\n'],
  ['generation prompts', 'version: 2.2\n<|start|>assistant'],
  ['ChatML', '<|im_start|>assistant\nb<|im_end|>\n'],
] as const) {
  test(`${what} have no hint`, () => assert.equal(shown(text), text))
}

test('hints lie in the document, in order, and those of a range are among those of the whole', () => {
  fc.assert(
    fc.property(transcriptText, fc.nat(1000), (text, at) => {
      const analysis = analyze(Transcript.parse(text))
      const all = [...channelHints(analysis, { start: 0, end: text.length })]
      all.reduce((before, { offset }) => {
        assert.ok(before < offset && offset <= text.length)
        return offset
      }, -1)
      const place = Math.round((at / 1000) * text.length)
      for (const hint of channelHints(analysis, { start: place, end: place })) {
        assert.ok(all.some(({ offset }) => offset === hint.offset))
      }
    }),
    { numRuns: Math.ceil(propertyRuns / 3) },
  )
})
