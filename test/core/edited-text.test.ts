/** Text that takes many edits before it is read. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { applyEdits, EditedText, Transcript } from '../../core/src/internal.ts'
import { placeEdit, propertyRuns, relativeEdit } from '../helpers/arbitraries.ts'

const lines = fc
  .array(fc.constantFrom('a', '\r', '\n', '\r\n', 'long '.repeat(1000), '<|start|>user', '😀'), {
    maxLength: 40,
  })
  .map((it) => it.join(''))

describe('text that takes many edits', () => {
  it('has the text and the positions of a transcript after each of them', () => {
    fc.assert(
      fc.property(lines, fc.array(fc.tuple(relativeEdit, lines), { maxLength: 8 }), (text, edits) => {
        const edited = new EditedText(text)
        let expected = text
        for (const [relative, inserted] of edits) {
          const edit = { ...placeEdit(relative, expected), text: inserted }
          edited.edit(edit)
          expected = applyEdits(expected, [edit])
          assert.equal(edited.text(), expected)
          const transcript = Transcript.parse(expected)
          for (let line = 0; line <= transcript.lineCount; line++)
            for (const character of [0, 1, 5000, 1e9])
              assert.equal(
                edited.offsetAt({ line, character }),
                transcript.offsetAt({ line, character }),
                `${line}:${character}`,
              )
        }
      }),
      { numRuns: propertyRuns },
    )
  })

  it('copies a small piece for an edit, however long the text is', () => {
    const costs = [20_000, 200_000].map((nLines) => {
      const edited = new EditedText(`<|start|>user<|message|>${'hello there\n'.repeat(nLines)}<|end|>`)
      for (let nth = 0; nth < 1000; nth++) {
        const start = edited.offsetAt({ line: (nth * 7) % nLines, character: 3 })
        edited.edit({ start, end: start + 1, text: 'x' })
      }
      return edited.copied
    })
    for (const cost of costs) assert.ok(cost < 1000 * 20_000, `${cost} code units`)
  })
})
