/** The lines of a stretch, as samples: none is lost or changed, however long they are and whatever stands beside them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Sample, samplesIn } from '../../cli/src/dataset/samples.ts'
import { StretchCutter } from '../../core/src/internal.ts'
import { codePoint } from '../helpers/arbitraries.ts'

type Line =
  | { readonly kind: 'sample' | 'marked' | 'broken'; readonly words: string }
  | { readonly kind: 'blank' }

/** Longer than the pieces that lines are read in, if need be. */
const words = fc
  .tuple(fc.string({ unit: codePoint, maxLength: 20 }), fc.constantFrom(0, 1, 200, 2000))
  .map(([text, times]) => (text || 'ü').repeat(times))

const line: fc.Arbitrary<Line> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('sample', 'marked'), words }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('broken' as const), words }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'blank' as const }) },
)

test('every line is read as it stands, at its number, whatever the others are', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), fc.boolean(), (lines, endsWithBreak) => {
      const bytes = Buffer.concat(
        lines.flatMap((it, index) => [...(index > 0 ? [lineBreak] : []), bytesOf(it)]),
      )
      const ended = endsWithBreak ? Buffer.concat([bytes, lineBreak]) : bytes
      const read = samplesOf(ended).map((it) =>
        'problem' in it
          ? [it.number, it.problem.message, it.problem.offset]
          : [it.number, it.sample.read().conversation.messages[0]?.content[0]?.text ?? ''],
      )
      const expected = lines.flatMap((it, index) => {
        if (it.kind === 'blank') return []
        if (it.kind === 'broken') return [[index + 1, 'is not UTF-8', jsonOf(it.words).length]]
        return [[index + 1, it.words]]
      })
      assert.deepEqual(read, expected)
    }),
    { numRuns: 200 },
  )
})

const lineBreak = Buffer.from('\n')

function samplesOf(bytes: Uint8Array): readonly Sample[] {
  const cutter = new StretchCutter('lines', { stretch: 1e6, sample: 1e6 })
  cutter.push(bytes)
  cutter.end()
  return cutter.hasSamples ? [...samplesIn(cutter.take(), {})] : []
}

function bytesOf(line: Line): Buffer {
  if (line.kind === 'blank') return Buffer.from('  ')
  const json = Buffer.from(jsonOf(line.words))
  if (line.kind === 'broken') return Buffer.concat([json, Buffer.from([0xc3, 0x28])])
  return line.kind === 'marked' ? Buffer.concat([Buffer.from('\ufeff'), json]) : json
}

function jsonOf(words: string): string {
  return JSON.stringify({ messages: [{ role: 'user', content: words }] })
}
