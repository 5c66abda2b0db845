/** Diagnostics kept from one keystroke to the next: the same as made anew, and made again only where they changed. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
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
/** A call id for the second time: the problem points to the message that has it, too. */
const pointing =
  '<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>\n<|start|>tool name=functions.f call_id=c1<|message|>1<|end|>\n'
const large = `version: 2.2\n${(flagged + sound).repeat(200)}`

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

  it('are made again for the message that is edited, and for no other', () => {
    const document = open(large)
    const report = reportOf(document)
    const before = report.current()
    const { made } = report
    assert.equal(made, before.items.length)
    const at = large.indexOf(flagged, large.length / 2) + flagged.indexOf('Hi')
    type(document, at, at, 'x')
    const after = report.current()
    assert.equal(after.resultId, before.resultId)
    assert.ok(report.made - made <= before.items.length / 200)
  })

  it('are not made again before the place where a message with many of them is edited', () => {
    const text = `<|start|>user<|message|>${'<|channel|>'.repeat(300)} x ${'<|channel|>'.repeat(10)}<|end|>\n`
    const document = open(text)
    const report = reportOf(document)
    assert.equal(report.current().items.length, 310)
    const { made } = report
    for (let typed = 0; typed < 5; typed++) {
      const at = text.indexOf(' x ') + 1 + typed
      type(document, at, at, 'y')
      assert.deepEqual(report.current().items, reportOf(document).current().items)
    }
    assert.equal(report.made - made, 50)
  })

  it('are not made again where an edit only moves them by lines', () => {
    for (const text of [large, `version: 2.2\n${pointing.repeat(200)}`]) {
      const document = open(text)
      const report = reportOf(document)
      const before = report.current()
      const { made } = report
      assert.ok(made >= 199, `${made}`)
      for (let typed = 1; typed <= 3; typed++) {
        type(document, 0, 0, '\n')
        const { items } = report.current()
        const [first, moved] = [before.items.at(-1), items.at(-1)]
        assert.equal(moved?.range.start.line, (first?.range.start.line ?? 0) + typed)
      }
      assert.ok(report.made - made <= 3, `${report.made - made}`)
    }
  })
})

describe('many changes in one notification', () => {
  const text = `<|start|>user<|message|>${'hello there\r\n'.repeat(100)}<|end|>\n`
  const changes = Array.from({ length: 1200 }, (_, nth) => ({
    range: {
      start: { line: (nth * 7) % 100, character: nth % 5 },
      end: { line: ((nth * 7) % 100) + (nth % 3 === 0 ? 1 : 0), character: 2 },
    },
    text: nth % 2 ? '\n' : '<|bogus|>',
  }))

  it('give the same text as each of them by itself', () => {
    for (const whole of [-1, 0, 700]) {
      const [many, single] = [open(text), open(text)]
      const all = changes.map((it, nth) => (nth === whole ? { range: undefined, text } : it))
      many.change(all, 2)
      for (const [nth, change] of all.entries()) single.change([change], nth + 2)
      assert.equal(many.transcript.text(), single.transcript.text())
      assert.deepEqual(many.checker.problems(), single.checker.problems())
    }
  })

  it('are read once', () => {
    const document = open(text)
    document.change(changes, 2)
    assert.equal(document.transcript.version, 1)
  })
})
