/** What holds of every feature on any text: nothing throws, and ranges are in the document and ordered. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  analyze,
  Checker,
  codeActions,
  completions,
  definition,
  documentHighlights,
  fixAll,
  folds,
  hover,
  outline,
  type Range,
  references,
  rename,
  renameRange,
  selectionRanges,
  semanticTokens,
  Transcript,
} from '../../core/src/index.ts'
import { propertyRuns, transcriptText } from '../helpers/arbitraries.ts'

/** Every offset of a short text, and some of a long one. */
function offsetsOf(text: string): readonly number[] {
  const step = Math.max(1, Math.floor(text.length / 40))
  return Array.from({ length: Math.ceil((text.length + 1) / step) }, (_, index) => index * step)
}

test('no feature throws at any offset of any text, and all ranges lie in the document', () => {
  fc.assert(
    fc.property(transcriptText, (text) => {
      const analysis = analyze(Transcript.parse(text))
      const checker = new Checker(analysis)
      checker.advance()
      const isInside = ({ start, end }: Range) => assert.ok(0 <= start && start <= end && end <= text.length)
      for (const offset of offsetsOf(text)) {
        const found = hover(analysis, offset)
        if (found) isInside(found.range)
        for (const { range } of completions(analysis, offset)) {
          isInside(range)
          assert.ok(range.start <= offset && offset <= range.end)
          assert.ok(!/[\r\n]/.test(text.slice(range.start, range.end)))
        }
        for (const trigger of ['<', '>', ' ']) completions(analysis, offset, { trigger })
        selectionRanges(analysis, offset).reduce((inner, outer) => {
          isInside(outer)
          assert.ok(outer.start <= inner.start && inner.end <= outer.end)
          return outer
        })
        const target = definition(analysis, offset)
        if (target) for (const range of [target.origin, target.target, target.selection]) isInside(range)
        for (const range of documentHighlights(analysis, offset)) isInside(range)
        for (const range of references(analysis, offset, { includeDeclaration: true })) isInside(range)
        renameRange(analysis, offset)
        rename(analysis, offset, 'x')
        codeActions(analysis, checker, { start: offset, end: offset })
      }
      let last = 0
      for (const fold of folds(analysis)) {
        isInside(fold)
        assert.ok(fold.start >= last, 'folds are in order')
        last = fold.start
      }
      for (const { range, selection } of outline(analysis)) {
        isInside(range)
        assert.ok(range.start <= selection.start && selection.end <= range.end)
      }
      let end = 0
      for (const token of semanticTokens(analysis, { start: 0, end: text.length })) {
        isInside(token)
        assert.ok(token.start >= end, 'tokens do not overlap')
        end = token.end
      }
      fixAll(checker)
    }),
    { numRuns: Math.ceil(propertyRuns / 3) },
  )
})
