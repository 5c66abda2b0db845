/** Preview sessions: what crosses to a page, and how an edit gets there. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { propertyRuns } from '../helpers/arbitraries.ts'
import { DrivenPreview, many, weather } from './driven-preview.ts'
import { canary, edits, transcripts } from './transcripts.ts'

test('only visible messages cross, field by field', () => {
  const { shown } = new DrivenPreview(weather)
  assert.deepEqual(
    shown.map(({ id: _, ...rest }) => rest),
    [
      {
        role: 'user',
        name: 'Ada',
        isPreamble: false,
        isJson: false,
        parts: [{ kind: 'markdown', text: 'Hot?' }],
        isTruncated: false,
        omitted: 0,
      },
      {
        role: 'assistant',
        isPreamble: true,
        isJson: false,
        parts: [{ kind: 'markdown', text: 'I will look.' }],
        isTruncated: false,
        omitted: 0,
      },
      {
        role: 'assistant',
        isPreamble: false,
        isJson: false,
        parts: [
          { kind: 'markdown', text: 'Yes: ' },
          { kind: 'literal', text: '<|end|>' },
          { kind: 'markdown', text: '\nVery.' },
        ],
        isSourceOnly: true,
        isTruncated: true,
        omitted: 0,
      },
    ],
  )
})

test('no canary word of a hidden place is in any message to the page, whatever is edited', () => {
  fc.assert(
    fc.property(transcripts, fc.array(transcripts, { maxLength: 2 }), (text, later) => {
      const preview = new DrivenPreview(text)
      for (const inserted of later) {
        preview.replaceText(preview.text.length, preview.text.length, inserted)
        preview.endTurn()
        // Behind a truncated message, everything is that message.
        if (preview.shown.at(-1)?.isTruncated) return
      }
      assert.ok(!JSON.stringify(preview.sent).includes(canary))
    }),
  )
})

test('after any edits a page holds what a fresh page holds', () => {
  fc.assert(
    fc.property(
      transcripts,
      fc.array(edits, { maxLength: 8 }),
      fc.array(fc.boolean()),
      (text, changes, turns) => {
        const preview = new DrivenPreview(text)
        changes.forEach(({ from, to, text: inserted }, index) => {
          const places = [from, to]
            .map((part) => Math.floor(part * preview.text.length))
            .sort((one, other) => one - other)
          preview.replaceText(places[0]!, places[1]!, inserted)
          if (turns[index]) preview.endTurn()
        })
        preview.endPause()
        const fresh = new DrivenPreview(preview.text)
        const content = ({ shown }: DrivenPreview) => shown.map(({ id: _, ...rest }) => rest)
        assert.deepEqual(content(preview), content(fresh))
        assert.equal(new Set(preview.shown.map(({ id }) => id)).size, preview.shown.length)
        assert.deepEqual(
          preview.session.entries.map(({ ref }) => ref.offset),
          fresh.session.entries.map(({ ref }) => ref.offset),
        )
      },
    ),
    { numRuns: propertyRuns },
  )
})

test('an answer that is one JSON object or array is code, unless its header says otherwise', () => {
  const isJson = (body: string, header = 'assistant<|channel|>final') =>
    new DrivenPreview(`<|start|>${header}<|message|>${body}<|end|>`).shown[0]?.isJson
  assert.equal(isJson('\n{"a": [1]}\n'), true)
  assert.equal(isJson('[{"a": 1}]'), true)
  assert.equal(isJson('{"a": 1'), false)
  assert.equal(isJson('{"a": 1} and {"b": 2}'), false)
  assert.equal(isJson('21'), false, 'a number reads as text')
  assert.equal(isJson('[a](https://example.com)'), false)
  assert.equal(isJson('{}', 'assistant<|channel|>final content_type=text/markdown'), false)
  assert.equal(isJson('{}', 'user'), false)
  assert.equal(isJson(`[${'1,'.repeat(60_000)}1]`), false, 'as long as it may be formatted')
  assert.equal(isJson(`${'['.repeat(40_000)}1${']'.repeat(40_000)}`), isDeepJsonRead())
})

/** Whether the engine reads JSON that is nested this deep. */
function isDeepJsonRead(): boolean {
  try {
    JSON.parse(`${'['.repeat(40_000)}1${']'.repeat(40_000)}`)
    return true
  } catch {
    return false
  }
}

test('an answer that its header calls JSON is code, and the header stays hidden', () => {
  const answer = (type: string) =>
    new DrivenPreview(`<|start|>assistant<|channel|>final${type}<|message|>{}<|end|>`)
  const isJson = (type: string) => answer(type).shown.map((it) => it.isJson)
  assert.deepEqual(isJson('<|constrain|>json'), [true])
  assert.deepEqual(isJson(' content_type=json'), [true])
  assert.deepEqual(isJson('<|constrain|>yaml'), [false])
  assert.doesNotMatch(JSON.stringify(answer('<|constrain|>json').sent), /constrain|"json"/)
})

test('an edit re-renders one message', () => {
  const preview = new DrivenPreview(weather)
  const { id } = preview.shown[0]!
  preview.type('Hot', ' there')
  preview.endTurn()
  assert.deepEqual(
    preview.lastUpdate.changes.map((change) => (change.kind === 'replace' ? change.message.id : change.kind)),
    [id],
  )
  assert.equal(preview.texts[0], 'Hot there?')
})

test('an edit of hidden text says nothing to the page', () => {
  const preview = new DrivenPreview(weather)
  const before = preview.sent.length
  preview.type('Be brief', ' and kind')
  preview.endTurn()
  assert.equal(preview.sent.length, before)
})

test('many edits in one turn are one update', () => {
  const preview = new DrivenPreview(weather)
  const before = preview.sent.length
  for (const letter of 'er and hotter') preview.type('Hot', letter)
  assert.equal(preview.sent.length, before)
  preview.endTurn()
  assert.equal(preview.sent.length, before + 1)
})

test('a slow page gets one larger update instead of many', () => {
  const preview = new DrivenPreview(weather)
  preview.acknowledges = false
  preview.type('Hot', '1')
  preview.endTurn()
  const { sequence } = preview.lastUpdate
  for (const letter of '23') {
    preview.type('Hot', letter)
    preview.endTurn()
  }
  assert.equal(preview.lastUpdate.sequence, sequence)
  preview.channel.receive({ kind: 'applied', sequence })
  assert.equal(preview.texts[0], 'Hot321?')
})

test('what the beginning of a token does to messages is shown when the next character is there, or none comes', () => {
  const transcript = `${many(2)}<|start|>assistant<|channel|>final<|message|>x<|end|>\n`
  const before = ['0', '1', 'x']
  const preview = new DrivenPreview(transcript)
  preview.type('\n<|start|>user<|message|>1', '<')
  preview.endTurn()
  assert.deepEqual(preview.texts, before)
  preview.type('<|message|>1<', 'b')
  preview.endTurn()
  assert.deepEqual(preview.texts, ['0', '1<b', 'x'])
  preview.replaceText(0, 0, '<')
  preview.endTurn()
  assert.deepEqual(preview.texts, ['0', '1<b', 'x'])
  preview.endPause()
  assert.deepEqual(preview.texts, ['1<b', 'x'])
})

test('a document that cannot be read shows nothing', () => {
  const preview = new DrivenPreview(weather)
  preview.channel.open({ uri: 'file:///gone.ocm', session: undefined })
  assert.equal(preview.sent.at(-1)?.kind, 'unavailable')
})

test('a changed text of the same document keeps ids', () => {
  const preview = new DrivenPreview(weather)
  const before = preview.shown.map(({ id }) => id)
  preview.session.replace(weather.replace('Hot', 'Cold'))
  preview.endTurn()
  assert.deepEqual(
    preview.shown.map(({ id }) => id),
    before,
  )
  assert.equal(preview.lastUpdate.changes.length, 1)
})

test('a session that ended is silent', () => {
  const preview = new DrivenPreview(weather)
  const before = preview.sent.length
  preview.type('Hot', 'x')
  preview.session.dispose()
  preview.endTurn()
  assert.equal(preview.sent.length, before)
})
