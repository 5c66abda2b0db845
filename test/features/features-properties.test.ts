/**
 * What holds of every feature on any text: nothing throws, and ranges are in the document and ordered. The features are
 * listed by their files, so that a new one cannot be forgotten.
 */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type Analysis,
  allowEdit,
  analyze,
  bodyAt,
  bodyRange,
  bodyRewrites,
  Checker,
  channelHints,
  codeActions,
  completions,
  definition,
  documentHighlights,
  documentLinks,
  fixAll,
  folds,
  formatEdits,
  gapEdits,
  headerEdits,
  headerForms,
  headerPageAt,
  headerTypoAt,
  hiddenMessages,
  hierarchyItemAt,
  hover,
  incomingCalls,
  inlayHints,
  jsonFormatEdits,
  lineFolds,
  linkedRanges,
  literalEndAt,
  mayQuoteHidden,
  messageEdit,
  messageEnds,
  messageRange,
  nextMessage,
  outgoingCalls,
  outlineBlocks,
  outlineSizes,
  pasteTexts,
  previousMessage,
  type Range,
  references,
  rename,
  renameRange,
  selectionRanges,
  selfCheck,
  semanticTokens,
  Transcript,
  textOfMessageBefore,
  toolActions,
  toolLenses,
  transcriptTemplates,
  withoutQuotedWords,
  workspaceSymbols,
} from '../../core/src/internal.ts'
import { propertyRuns, transcriptText } from '../helpers/arbitraries.ts'
import { outline } from './outline.ts'

/** What a feature is asked. */
interface Feature {
  /** At a place. */
  readonly at?: (analysis: Analysis, offset: number, checker: Checker) => unknown
  /** Of a range. */
  readonly of?: (analysis: Analysis, range: Range, checker: Checker) => unknown
  /** Of the document. */
  readonly whole?: (analysis: Analysis, checker: Checker) => unknown
}

/** All features, by the names of their files in `core/src/features`. */
const features: Readonly<Record<string, Feature>> = {
  'allow-edit': { at: (analysis, offset) => allowEdit(analysis, offset, 'stray-text') },
  'body-rewrites': {
    at: (analysis, offset) => [
      pasteTexts(analysis, offset, '<|end|> x'),
      textOfMessageBefore(analysis, offset),
    ],
    of: (analysis, range) => bodyRewrites(analysis, range),
  },
  'call-hierarchy': {
    at: (analysis, offset) => {
      const item = hierarchyItemAt(analysis, offset)
      return item && [item, incomingCalls(analysis, item), outgoingCalls(analysis, item)]
    },
  },
  'channel-hints': { of: channelHints },
  'code-actions': {
    of: (analysis, range, checker) => codeActions(analysis, checker, range).actions,
    whole: (_, checker) => fixAll(checker),
  },
  completion: {
    at: (analysis, offset) => [
      completions(analysis, offset),
      ...['<', '|', '>', ' ', '=', '.', ':', '"'].map((trigger) =>
        completions(analysis, offset, { trigger }),
      ),
    ],
  },
  definition: { at: definition },
  'document-highlights': { at: documentHighlights },
  'document-links': { at: headerPageAt, whole: documentLinks },
  folding: { whole: folds },
  format: {
    of: (analysis, range) => formatEdits(analysis, range, { blankLines: true }),
    whole: (analysis) => gapEdits(analysis, { blankLines: false }),
  },
  'hidden-quotes': {
    whole: ({ transcript }, checker) =>
      checker
        .problems()
        .problems.map((it) => mayQuoteHidden(it, transcript) && withoutQuotedWords(it.message)),
  },
  'header-edits': { whole: (analysis) => headerForms.map((form) => headerEdits(analysis, form)) },
  'header-typos': { at: headerTypoAt },
  hover: { at: hover },
  'json-format': {
    of: (analysis, range) => jsonFormatEdits(analysis, range, { tabSize: 2, insertSpaces: true }),
  },
  'linked-ranges': { at: linkedRanges },
  'literal-end': { at: literalEndAt },
  'message-edits': {
    at: (analysis, offset) =>
      (['moveUp', 'moveDown', 'duplicate', 'delete', 'split', 'join'] as const).map((command) =>
        messageEdit(analysis, offset, command),
      ),
  },
  'message-ends': { of: messageEnds },
  'message-places': {
    at: (analysis, offset) => {
      for (const place of [nextMessage(analysis, offset), previousMessage(analysis, offset)]) {
        assert.ok(place === undefined || (0 <= place && place < analysis.transcript.length))
      }
      bodyAt(analysis, offset)
      return [messageRange(analysis, offset), bodyRange(analysis, offset)]
    },
    whole: hiddenMessages,
  },
  references: { at: (analysis, offset) => references(analysis, offset, { includeDeclaration: true }) },
  rename: { at: (analysis, offset) => [renameRange(analysis, offset), rename(analysis, offset, 'x')] },
  'selection-ranges': { at: selectionRanges },
  'self-check': { whole: (analysis, checker) => assert.equal(selfCheck(analysis, checker), undefined) },
  'semantic-tokens': { of: semanticTokens },
  symbols: {
    whole: (analysis) => {
      for (const scope of ['messages', 'visible', 'turns'] as const) {
        assert.equal([...outlineBlocks(analysis, scope)].length, outlineSizes(analysis)[scope])
      }
      return outline(analysis)
    },
  },
  'tool-actions': { of: toolActions },
  'tool-inlay-hints': { of: inlayHints },
  'tool-lenses': { whole: toolLenses },
  'transcript-templates': { whole: () => transcriptTemplates.map(({ name }) => name) },
  'workspace-symbols': { whole: (analysis) => workspaceSymbols(analysis, '') },
}

test('every feature is asked', () => {
  const files = readdirSync('core/src/features').map((name) => name.replace(/\.ts$/, ''))
  assert.deepEqual(Object.keys(features).sort(), files.sort())
})

test('every feature answers at any offset of any text, or has nothing to say, and its ranges lie in the document', () => {
  fc.assert(
    fc.property(transcriptText, (text) => {
      const analysis = analyze(Transcript.parse(text))
      const checker = new Checker(analysis)
      checker.advance()
      for (const { at, of, whole } of Object.values(features)) {
        for (const offset of offsetsOf(text)) {
          checkRanges(at?.(analysis, offset, checker), text)
          checkRanges(of?.(analysis, { start: offset, end: offset }, checker), text)
          const end = Math.min(text.length, offset + 30)
          checkRanges(of?.(analysis, { start: offset, end }, checker), text)
        }
        checkRanges(of?.(analysis, { start: 0, end: text.length }, checker), text)
        checkRanges(whole?.(analysis, checker), text)
      }
    }),
    { numRuns: Math.ceil(propertyRuns / 4) },
  )
})

/** Reads an answer to its end, and checks all that is a range in it. */
function checkRanges(answer: unknown, text: string): void {
  if (typeof answer !== 'object' || answer === null) return
  if ('start' in answer && 'end' in answer) {
    const { start, end } = answer as Range
    assert.ok(0 <= start && start <= end && end <= text.length, `${start}-${end} in ${text.length}`)
  }
  const members = Symbol.iterator in answer ? (answer as Iterable<unknown>) : Object.values(answer)
  for (const member of members) checkRanges(member, text)
}

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
        const isAround = ({ start, end }: Range) =>
          assert.ok(start <= offset && offset <= end, `${start}–${end} is beside ${offset}`)
        const found = hover(analysis, offset)
        if (found) isInside(found.range)
        if (found) isAround(found.range)
        for (const { range } of completions(analysis, offset)) {
          isInside(range)
          isAround(range)
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
        if (target) isAround(target.origin)
        for (const range of documentHighlights(analysis, offset)) isInside(range)
        for (const range of references(analysis, offset, { includeDeclaration: true })) isInside(range)
        const renamed = renameRange(analysis, offset)
        if (renamed) isAround(renamed)
        rename(analysis, offset, 'x')
        codeActions(analysis, checker, { start: offset, end: offset })
      }
      let last = 0
      for (const fold of folds(analysis)) {
        isInside(fold)
        assert.ok(fold.start >= last, 'folds are in order')
        last = fold.start
        assert.equal(fold.startLine, analysis.transcript.positionAt(fold.start).line)
        assert.ok(fold.startLine < fold.endLine)
        assert.ok(fold.endLine <= analysis.transcript.positionAt(fold.end).line)
      }
      let line = -1
      const around: number[] = []
      for (const { startLine, endLine } of lineFolds([...folds(analysis)], 5000)) {
        assert.ok(line < startLine && startLine < endLine, 'one fold in a line')
        line = startLine
        while ((around.at(-1) ?? startLine) < startLine) around.pop()
        assert.ok((around.at(-1) ?? endLine) >= endLine, 'folds are nested')
        around.push(endLine)
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
