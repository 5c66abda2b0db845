/** The place of a reader in a preview: the window that a page holds, and where cursor and scrolling lead. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { visibleView } from '../../client/src/preview/page-view.ts'
import { defaultLimits, windowAround } from '../../client/src/preview/page-window.ts'
import { PreviewSession } from '../../client/src/preview/preview-session.ts'
import { ScrollOwner } from '../../client/src/preview/scroll-owner.ts'
import { parseVisible } from '../../client/src/preview/visible-source.ts'
import { DrivenPreview, many, weather } from './driven-preview.ts'

test('a page holds a bounded window, which moves with the reader', () => {
  const limits = { ...defaultLimits, messages: 10 }
  const preview = new DrivenPreview(many(1000), limits)
  assert.equal(preview.lastUpdate.total, 1000)
  assert.deepEqual([preview.first, preview.shown.length], [0, 10])
  preview.channel.receive({ kind: 'want', index: 8, isJump: false })
  assert.deepEqual([preview.first, preview.texts[0], preview.texts.at(-1)], [3, '3', '12'])
  assert.equal(preview.lastUpdate.changes.length, 6, 'three messages go and three come')
  preview.channel.receive({ kind: 'want', index: 700, isJump: true })
  assert.ok(preview.texts.includes('700'))
  const top = preview.lastUpdate.top
  assert.equal(preview.texts[preview.shown.findIndex(({ id }) => id === top?.id)], '700')
})

test('the window stays with its messages when others come above it', () => {
  const limits = { ...defaultLimits, messages: 10 }
  const preview = new DrivenPreview(many(100), limits)
  preview.channel.receive({ kind: 'want', index: 50, isJump: false })
  const before = preview.texts
  preview.replaceText(0, 0, many(3))
  preview.endTurn()
  assert.deepEqual(preview.texts, before)
  assert.equal(preview.lastUpdate.total, 103)
  assert.deepEqual(preview.lastUpdate.changes, [])
})

test('a long message is cut, and says how much', () => {
  const limits = { ...defaultLimits, messageText: 5 }
  const { shown } = new DrivenPreview('<|start|>user<|message|>abcd😀fg<|end|>', limits)
  assert.equal(shown[0]?.parts[0]?.text, 'abcd')
  assert.equal(shown[0]?.omitted, 3)
})

test('a window is bounded by its text too, but never empty', () => {
  const session = new PreviewSession(
    many(50),
    (it) => parseVisible(it),
    () => () => {},
  )
  const window = windowAround(visibleView, session.entries, 25, { messages: 100, text: 8, messageText: 100 })
  assert.deepEqual([window.first, window.messages.length], [23, 4])
  assert.equal(
    windowAround(visibleView, session.entries, 25, { messages: 100, text: 0, messageText: 100 }).messages
      .length,
    1,
  )
})

test('asking for messages is always answered', () => {
  const preview = new DrivenPreview(weather)
  const before = preview.sent.length
  preview.channel.receive({ kind: 'want', index: 0, isJump: false })
  assert.equal(preview.sent.length, before + 1)
})

test('a page that comes back gets everything again, at its place', () => {
  const preview = new DrivenPreview(weather)
  preview.channel.sleep()
  preview.type('Hot', 'ter')
  preview.endTurn()
  preview.channel.receive({ kind: 'ready', uri: 'file:///a.ocm', index: 2, line: 1 })
  assert.equal(preview.texts.length, 3)
  assert.deepEqual(preview.lastUpdate.top, { id: preview.shown[2]?.id, line: 1 })
})

test('a page that comes back is at the message that it left, whatever came above it meanwhile', () => {
  const preview = new DrivenPreview(weather)
  const id = preview.shown[2]?.id
  preview.channel.sleep()
  preview.type('version: 2.2\n---\n', '<|start|>user<|message|>Before<|end|>\n')
  preview.endTurn()
  preview.channel.receive({ kind: 'ready', uri: 'file:///a.ocm', index: 2, line: 1 })
  assert.equal(preview.texts.length, 4)
  assert.deepEqual(preview.lastUpdate.top, { id, line: 1 })
})

test('a place in another document means nothing', () => {
  const preview = new DrivenPreview(weather)
  preview.channel.receive({ kind: 'ready', uri: 'file:///b.ocm', index: 2, line: 1 })
  assert.deepEqual(preview.lastUpdate.top, { id: preview.shown[0]?.id, line: 0 })
})

test('the text cursor marks the message that it is in', () => {
  const { session, text } = new DrivenPreview(weather)
  const idAt = (word: string) => session.entryAt(text.indexOf(word))?.id
  assert.equal(idAt('Hot?'), session.entries[0]?.id)
  assert.equal(idAt('name=Ada'), session.entries[0]?.id)
  assert.equal(idAt('Be brief'), undefined)
  assert.equal(idAt('"t":21'), undefined)
  assert.equal(idAt('Very.'), session.entries[2]?.id)
})

test('lines of the document and of the preview lead to one another', () => {
  const { session } = new DrivenPreview(weather)
  assert.deepEqual(session.placeOfLine(0), { index: 0, line: 0 })
  assert.deepEqual(session.placeOfLine(4), { index: 0, line: 0 })
  assert.deepEqual(session.placeOfLine(5), { index: 1, line: 0 })
  assert.deepEqual(session.placeOfLine(9), { index: 2, line: 1 })
  assert.equal(session.lineOfPlace(session.entries[2]!, 1), 9)
  assert.equal(session.lineOfPlace(session.entries[0]!, 0), 4)
})

test('the side that scrolls leads until it rests', () => {
  let now = 0
  const owner = new ScrollOwner(() => now)
  assert.equal(owner.lead('editor'), true)
  assert.equal(owner.lead('page'), false)
  now = 200
  assert.equal(owner.lead('editor'), true)
  now = 400
  assert.equal(owner.lead('page'), false)
  now = 500
  assert.equal(owner.lead('page'), true)
  assert.equal(owner.lead('editor'), false)
})

test('an editor that is late to scroll where the page asked it to does not lead', () => {
  const owner = new ScrollOwner(() => 0)
  assert.equal(owner.isAnswer(0, 40), false, 'the editor was not asked to scroll')
  owner.ask(500)
  owner.ask(0)
  assert.equal(owner.isAnswer(480, 520), true)
  assert.equal(owner.isAnswer(200, 240), false, 'the reader scrolls the editor meanwhile')
  assert.equal(owner.isAnswer(0, 40), true)
  assert.equal(owner.isAnswer(0, 40), false, 'only once')
  owner.ask(500)
  owner.ask(0)
  assert.equal(owner.isAnswer(0, 40), true)
  assert.equal(owner.isAnswer(480, 520), false, 'what was passed over is not waited for')
  for (let line = 110; line >= 100; line--) owner.ask(line)
  assert.equal(owner.isAnswer(100, 140), true)
  assert.equal(owner.isAnswer(100, 140), false, 'one answer to all')
})
