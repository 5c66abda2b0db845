/** Messages that are read without a closer look: they are what a closer look gives. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LossList } from '../../core/src/conversation/loss.ts'
import { messagesIn, plainMessageIn } from '../../core/src/conversation/read-transcript.ts'
import { type DialectName, Transcript } from '../../core/src/internal.ts'
import { headerOf, settingsOf } from '../../core/src/semantics/document-settings.ts'
import { propertyRuns, transcriptText } from '../helpers/arbitraries.ts'

test('a plain message is the only one that its segment is read as, and nothing of it is lost', () => {
  const dialects: readonly (DialectName | 'auto')[] = ['auto', 'harmony', '2.0', '1.x']
  let nPlain = 0
  fc.assert(
    fc.property(transcriptText, fc.constantFrom(...dialects), (text, dialect) => {
      const transcript = Transcript.parse(text, { dialect })
      const preamble = transcript.segment(0).segment
      const lastSegment = transcript.segment(transcript.segmentCount - 1).segment
      const context = { preamble, header: headerOf(preamble), settings: settingsOf(preamble), lastSegment }
      for (const { segment, start } of transcript.segments()) {
        const plain = plainMessageIn(segment, start)
        if (!plain) continue
        nPlain++
        const losses = new LossList()
        assert.deepEqual(messagesIn(segment, start, context, losses), [plain])
        assert.deepEqual(losses.all, [])
      }
    }),
    { numRuns: 2 * propertyRuns },
  )
  assert.ok(nPlain > propertyRuns, `${nPlain} plain messages`)
})
