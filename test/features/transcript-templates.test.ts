/** The templates of new transcripts: nobody begins with a mistake. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyze, Checker, formatEdits, Transcript, transcriptTemplates } from '../../core/src/index.ts'

for (const { name, text } of transcriptTemplates) {
  test(`the template ${name} has no problems and is formatted`, () => {
    const analysis = analyze(Transcript.parse(text))
    const checker = new Checker(analysis)
    checker.advance()
    assert.deepEqual(checker.problems().problems, [])
    const range = { start: 0, end: text.length }
    assert.deepEqual([...formatEdits(analysis, range, { blankLines: false })], [])
    assert.equal(analysis.dialect, '2.2')
  })
}
