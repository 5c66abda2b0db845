/** The templates of new transcripts: nobody begins with a mistake. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  analyze,
  Checker,
  formatEdits,
  Transcript,
  templateSnippet,
  transcriptTemplates,
} from '../../core/src/internal.ts'

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

test('a template as a snippet has a tab stop in each body', () => {
  assert.equal(
    templateSnippet({
      name: 'empty',
      text: 'a: $1\n<|start|>user<|message|>{x}<|end|>\n<|start|>user<|message|><|end|>\n',
    }),
    `a: \\$1\n<|start|>user<|message|>\${1:{x\\}}<|end|>\n<|start|>user<|message|>\${2:}<|end|>\n$0`,
  )
})
