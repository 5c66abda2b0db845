/** A document: one edit keeps its meaning, its problems and its counts together. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { analyze, Checker, Document, fixSafely, Transcript } from '../../core/src/internal.ts'
import { placeEdit, propertyRuns, relativeEdit, transcriptText } from '../helpers/arbitraries.ts'

const broken = 'version: 2.2\n<|start|>assistant<|channel|>finl<|message|>Hi<|return|>\n'

describe('problems', () => {
  it('are complete before anything was checked', () => {
    const { problems, total } = new Checker(analyze(Transcript.parse(broken))).problems()
    assert.deepEqual([problems.length, total], [1, 1])
    assert.equal(new Document(broken).problems().total, 1)
  })

  it('are those found so far for whoever checks in slices', () => {
    const { checker } = new Document(broken)
    assert.equal(checker.problemsSoFar().total, 0)
    checker.advance()
    assert.equal(checker.problemsSoFar().total, 1)
  })

  it('follow the options', () => {
    const document = new Document(broken)
    const [problem] = document.problems().problems
    document.configure({ settings: [new Map([[problem?.rule ?? '', 'off']])] })
    assert.equal(document.problems().total, 0)
  })
})

describe('an edit', () => {
  it('leaves what a fresh document has, whatever was asked for before', () => {
    const step = fc.record({ edits: fc.array(relativeEdit, { maxLength: 3 }), asks: fc.nat({ max: 3 }) })
    fc.assert(
      fc.property(transcriptText, fc.array(step, { minLength: 1, maxLength: 5 }), (text, steps) => {
        const document = new Document(text)
        for (const { edits, asks } of steps) {
          if (asks & 1) document.problems(1)
          if (asks & 2) assert.ok(document.visibleMessages <= document.messages)
          let current = document.transcript.text()
          const placed = edits.map((relative) => {
            const edit = placeEdit(relative, current)
            current = current.slice(0, edit.start) + edit.text + current.slice(edit.end)
            return edit
          })
          document.edit(placed)
        }
        const fresh = new Document(document.transcript.text())
        const all = ({ dialect, messages, visibleMessages }: Document) => [dialect, messages, visibleMessages]
        assert.deepEqual(all(document), all(fresh))
        assert.deepEqual(document.problems(), fresh.problems())
      }),
      { numRuns: propertyRuns },
    )
  })

  it('that reaches outside changes nothing, and neither do those before it', () => {
    const document = new Document(broken)
    const start = broken.indexOf('finl')
    const edits = [
      { start, end: start + 4, text: 'final' },
      { start: 0, end: broken.length + 2, text: '' },
    ]
    assert.throws(() => document.edit(edits), RangeError)
    assert.equal(document.transcript.text(), broken)
    assert.equal(document.problems().total, 1)
    document.edit(edits.slice(0, 1))
    assert.equal(document.problems().total, 0)
  })
})

describe('safe fixes', () => {
  it('are applied until none is left', () => {
    const text = 'version: 2.2\n<|start|>assistant<|channel|> final<|message|>Hi<|return|>\n'
    const { text: fixed, nFixed, document } = fixSafely(text)
    assert.equal(fixed, 'version: 2.2\n<|start|>assistant<|channel|>final<|message|>Hi<|return|>\n')
    assert.ok(nFixed > 0)
    assert.equal(document.transcript.text(), fixed)
    assert.equal(fixSafely(fixed).text, fixed)
  })
})
