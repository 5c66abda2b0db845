/** Diagnostics kept from one keystroke to the next: the same as made anew, and made again only where they changed. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Diagnostic } from 'vscode-languageserver'
import { DocumentReport } from '../../server/src/document-report.ts'
import { OpenDocument } from '../../server/src/open-document.ts'
import { defaultSettings } from '../../server/src/settings.ts'
import { placeEdit, plausible, propertyRuns, relativeEdit, transcriptText } from '../helpers/arbitraries.ts'

function open(text: string, maxProblems = defaultSettings.maxProblems): OpenDocument {
  const settings = { ...defaultSettings, maxProblems }
  const onError = (where: string, error: unknown) => assert.fail(`${where}: ${error}`)
  const document = new OpenDocument({ uri: 'file:///a.ocm', version: 1, text, settings, onError })
  document.checker.advance()
  return document
}

function reportOf(document: OpenDocument): DocumentReport {
  let ids = 0
  return new DocumentReport(document, undefined, () => `${++ids}`)
}

/** Replaces the text from `start` to `end` and checks what follows from it. */
function type(document: OpenDocument, start: number, end: number, text: string): void {
  const { transcript } = document
  const range = { start: transcript.positionAt(start), end: transcript.positionAt(end) }
  document.change([{ range, text }], document.version + 1)
  document.checker.advance()
}

const edit = fc.record({ edit: relativeEdit, isAsked: fc.boolean() })

describe('the diagnostics of an edited document', () => {
  it('are those that are made anew, and keep their id exactly as long as they stay', () => {
    fc.assert(
      fc.property(
        fc.oneof(transcriptText, plausible),
        fc.array(edit, { minLength: 1, maxLength: 8 }),
        fc.constantFrom(1, 3, 1000),
        (text, edits, limit) => {
          const document = open(text, limit)
          const report = reportOf(document)
          let before = report.current()
          for (const { edit, isAsked } of edits) {
            const { start, end, text: typed } = placeEdit(edit, document.transcript.text())
            type(document, start, end, typed)
            if (!isAsked) continue
            const now = report.current()
            const moved = document.takeMovedLines()
            assert.equal(moved, undefined)
            assert.deepEqual(now.items, reportOf(document).current().items)
            const isSame = JSON.stringify(now.items) === JSON.stringify(before.items)
            assert.equal(now.resultId === before.resultId, isSame)
            before = now
          }
        },
      ),
      { numRuns: propertyRuns },
    )
  })
})

const flagged = '<|start|>assistant<|channel|>final<|channel|>final<|message|>Hi<|end|>\n'
const sound = '<|start|>user<|message|>Hi<|end|>\n'
const large = `version: 2.2\n${(flagged + sound).repeat(200)}`

/** How many of `items` are not among `before`. */
function nMade(items: readonly Diagnostic[], before: readonly Diagnostic[]): number {
  const known = new Set(before)
  return items.filter((it) => !known.has(it)).length
}

describe('the diagnostics of a large document', () => {
  it('are not looked at where a message without problems is edited', () => {
    const document = open(large)
    const report = reportOf(document)
    const before = report.current()
    assert.ok(before.items.length >= 200)
    for (let typed = 0; typed < 10; typed++) {
      const at = large.indexOf(sound, large.length / 2) + sound.indexOf('Hi') + typed
      type(document, at, at, 'x')
      assert.equal(report.current(), before)
    }
  })

  it('are made again for the message that is edited', () => {
    const document = open(large)
    const report = reportOf(document)
    const before = report.current()
    const at = large.indexOf(flagged, large.length / 2) + flagged.indexOf('Hi')
    type(document, at, at, 'x')
    const after = report.current()
    assert.equal(after.resultId, before.resultId)
    assert.ok(nMade(after.items, before.items) <= before.items.length / 200)
  })

  it('are made again below an edit that inserts a line', () => {
    const document = open(large)
    const report = reportOf(document)
    const before = report.current()
    const at = large.lastIndexOf(flagged) + flagged.indexOf('Hi')
    type(document, at, at, '\n')
    const after = report.current()
    assert.ok(nMade(after.items, before.items) <= before.items.length / 200)
    type(document, 0, 0, '\n')
    assert.equal(nMade(report.current().items, after.items), after.items.length)
  })
})
