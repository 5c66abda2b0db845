/** What the server runs before the first document comes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Document } from '../../core/src/internal.ts'
import { warmUp, warmUpSamples } from '../../server/src/warm-up.ts'

test('together the samples are a transcript without problems that has all that is slow the first time', () => {
  const document = new Document(warmUpSamples.join(''))
  assert.deepEqual(document.problems().problems, [])
  const { analysis } = document
  assert.equal(analysis.settings.version?.major, 2)
  assert.ok(analysis.messagesWithId > 0)
})

test('a mistake in the samples would be reported', () => {
  const text = warmUpSamples.join('').replace('<|channel|>analysis', '<|channel|>thoughts')
  assert.notDeepEqual(new Document(text).problems().problems, [])
})

test('warming up ends by itself, and at once when a document comes', async () => {
  await warmUp(() => true)
  let questions = 0
  await warmUp(() => {
    questions++
    return false
  })
  assert.equal(questions, 1)
})
