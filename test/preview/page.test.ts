/** The page inside the panel: keyed updates, what stays in place, and how it is used without a mouse. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { changesBetween } from '../../client/src/preview/keyed-list.ts'
import type { FoundTexts, SampleMetadata } from '../../core/src/internal.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'
import { applyChanges } from './apply-changes.ts'
import { assertSafe, pageMessage, TestPage, windowsMayGo } from './dom.ts'
import { DrivenPreview } from './driven-preview.ts'
import { canary, transcripts, visibleWord } from './transcripts.ts'
import { openVisible } from './visible-page.ts'

/** The page of a whole transcript, which may have shown others. */
function pageOf(text: string, page = new TestPage()): TestPage {
  const channel = openVisible(page, text)
  channel.receive({ kind: 'ready', uri: '', index: 0, line: 0 })
  return page
}

test('no canary word of a hidden place is on the page or in its state; what is visible is there', () => {
  const shared = new TestPage()
  fc.assert(
    fc.property(transcripts, (text) => {
      const page = pageOf(text, shared)
      const { outerHTML } = page.document.documentElement
      assert.ok(!outerHTML.includes(canary))
      assert.ok(!JSON.stringify([page.state, page.posted]).includes(canary))
      // In Markdown, a cell that a table has no column for is dropped.
      const hasTable = /(?<!<)\|(?!>)/.test(text)
      if (!hasTable) assert.equal(outerHTML.includes(visibleWord), text.includes(visibleWord))
      for (const content of page.document.querySelectorAll('.content')) assertSafe(content)
    }),
    { numRuns: Math.ceil(propertyRuns / 2) },
  )
})

test('the fields of a sample are above its conversation, and training flags at its messages, until they are others', () => {
  const page = new TestPage()
  const text = '<|start|>user<|message|>Hi<|end|>\n<|start|>assistant<|channel|>final<|message|>Yo<|end|>\n'
  const first: SampleMetadata = {
    fields: [{ name: 'source', value: '<b>web</b>' }],
    flags: [[], ['weight: 0']],
    allFlags: [],
  }
  let metadata: SampleMetadata | undefined = first
  const channel = openVisible(page, text, () => metadata)
  channel.receive({ kind: 'ready', uri: '', index: 0, line: 0 })
  const list = page.document.querySelector<HTMLElement>('dl.metadata')
  assert.equal(list?.hidden, false)
  assert.equal(list?.textContent, 'source<b>web</b>')
  const notes = () => page.articles.map((it) => it.querySelector('.notes .flags')?.textContent)
  assert.deepEqual(notes(), [undefined, 'For training: weight: 0'])
  metadata = { fields: [], flags: [[]], allFlags: [] } // of a sample that another program made shorter
  channel.receive({ kind: 'applied', sequence: 1 })
  channel.receive({ kind: 'want', index: 0, isJump: false })
  assert.equal(list?.hidden, true)
  assert.deepEqual(notes(), [undefined, undefined])
})

test('what a query found is marked across tags, F3 goes from match to match, and hidden matches are named', () => {
  const page = new TestPage()
  const text =
    '<|start|>user<|message|>A re**fund** for the refund\n\nno Refund<|end|>\n<|start|>assistant<|channel|>final<|message|>refund<|end|>\n'
  let found: FoundTexts = { texts: ['refund', 'fund'], hidden: ['reasoning', 'call'] }
  const channel = openVisible(page, text, undefined, () => found)
  channel.receive({ kind: 'ready', uri: '', index: 0, line: 0 })
  channel.tellFound()
  const said = () => page.document.querySelector<HTMLElement>('.found')
  const press = (shiftKey: boolean) =>
    page.document.dispatchEvent(new page.window.KeyboardEvent('keydown', { key: 'F3', shiftKey }))
  page.send({ kind: 'found', ...found })
  assert.equal(said()?.textContent, '4 matches, go to the next with F3 · in reasoning · in a tool call')
  press(false)
  assert.match(said()?.textContent ?? '', /^Match 1 of 4 ·/)
  press(true)
  assert.match(said()?.textContent ?? '', /^Match 4 of 4 ·/)
  press(false)
  assert.match(said()?.textContent ?? '', /^Match 1 of 4 ·/)
  const before = page.articles.map((it) => it.innerHTML)
  found = { texts: [], hidden: [] }
  channel.tellFound()
  assert.equal(said()?.hidden, true)
  assert.deepEqual(
    page.articles.map((it) => it.innerHTML),
    before,
  )
})

test('changing a page gives the page that a fresh one would be', async () => {
  const message = fc.record({
    id: fc.constantFrom(...'abcdef'),
    text: fc.constantFrom('one', 'two\n\n```\ncode\n```', '- a\n- b', ''),
    role: fc.constantFrom('user' as const, 'assistant' as const),
    isPreamble: fc.boolean(),
    isTruncated: fc.boolean(),
  })
  const list = fc
    .uniqueArray(message, { selector: ({ id }) => id, maxLength: 5 })
    .map((messages) => messages.sort((one, other) => (one.id < other.id ? -1 : 1)))
    .map((messages) => messages.map(({ id, text, ...more }) => pageMessage(id, text, more)))
  await fc.assert(
    fc.asyncProperty(fc.array(list, { minLength: 1, maxLength: 4 }), async (lists) => {
      await windowsMayGo()
      const page = new TestPage()
      page.show([])
      let shown: readonly ReturnType<typeof pageMessage>[] = []
      for (const next of lists) {
        const changes = changesBetween(shown, next)
        page.update(changes, next.length)
        shown = applyChanges(shown, changes)
      }
      const fresh = new TestPage()
      fresh.show(shown)
      // Which message is reached by the tab key is the reader's state, not the document's.
      const html = ({ document }: TestPage) => document.body.innerHTML.replaceAll(/tabindex="-?\d"/g, '')
      assert.equal(html(page), html(fresh))
    }),
    { numRuns: Math.ceil(propertyRuns / 2) },
  )
})

test('an edit keeps every element that it does not concern', () => {
  const page = new TestPage()
  page.show([pageMessage('1', 'first\n\nsecond\n\nthird'), pageMessage('2', 'other')])
  const [article, other] = page.articles
  const blocks = [...article!.querySelectorAll('p')].slice(0, 3)
  page.update([{ kind: 'replace', message: pageMessage('1', 'first\n\nsecond!\n\nmore\n\nthird') }], 2)
  const now = [...page.articles[0]!.querySelectorAll('.content > p')]
  assert.equal(page.articles[0], article)
  assert.equal(page.articles[1], other)
  assert.equal(now[0], blocks[0])
  assert.equal(now[3], blocks[2])
  assert.equal((now[3] as HTMLElement).dataset.line, '6', 'lines follow')
  assert.deepEqual(
    now.map((block) => block.textContent),
    ['first', 'second!', 'more', 'third'],
  )
})

test('a selection survives an edit elsewhere', () => {
  const page = new TestPage()
  page.show([pageMessage('1', 'first\n\nsecond'), pageMessage('2', 'other')])
  const selection = page.window.getSelection()
  selection?.selectAllChildren(page.articles[0]!.querySelector('p')!)
  page.update([{ kind: 'replace', message: pageMessage('1', 'first\n\nchanged') }], 2)
  page.update([{ kind: 'remove', id: '2' }], 1)
  assert.equal(String(selection), 'first')
})

test('a transcript of which a user would see nothing says so, and one without messages how to add one', () => {
  const said = (text: string) => pageOf(text).document.querySelector('.empty')?.textContent ?? ''
  const hidden = /^This transcript has no message that a user would see\..* choose Everything above\.$/
  const none = /^This transcript has no messages\.To add one, type <\| in the text editor/
  for (const text of ['', 'version: 2.2\n', 'Only text', 'version: 2.2\n<|start|>assistant'])
    assert.match(said(text), none, text)
  const reply = '<|start|>tool name=functions.w call_id=c<|message|>{}<|end|>'
  for (const text of [
    '<|start|>system<|message|>Hi<|end|>',
    reply,
    '<|start|>user<|end|>',
    '<|start|>narrator<|message|>Hi',
  ])
    assert.match(said(text), hidden, text)
  assert.equal(said('<|start|>user<|message|>Hi<|end|>'), '')
})

test('what an empty page says follows every edit', () => {
  const preview = new DrivenPreview('')
  const page = new TestPage()
  const said = () => {
    preview.endTurn()
    for (const message of preview.sent.splice(0)) page.send(message)
    return page.document.querySelector('.empty')?.textContent ?? ''
  }
  assert.match(said(), /no messages\./)
  preview.replaceText(0, 0, '<|start|>tool name=functions.w call_id=c<|message|>{}<|end|>\n')
  assert.match(said(), /no message that a user would see\./)
  preview.replaceText(0, 0, '<|start|>user<|message|>Hi<|end|>\n')
  assert.equal(said(), '')
  preview.replaceText(0, preview.text.indexOf('<|start|>tool'), '')
  assert.match(said(), /no message that a user would see\./)
  preview.replaceText(0, preview.text.length, 'version: 2.2\n')
  assert.match(said(), /no messages\./)
})

test('a document that cannot be read leaves nothing behind', () => {
  const page = new TestPage()
  page.show([pageMessage('1', 'Hi')])
  page.send({ kind: 'unavailable' })
  assert.equal(page.articles.length, 0)
  assert.match(page.document.body.textContent ?? '', /cannot be read/)
})

test('another document takes the place of the one before in one step', () => {
  const page = new TestPage()
  page.show([pageMessage('1', 'Hi')])
  page.send({ kind: 'open', uri: 'file:///b.ocm', isLocked: true, hasMath: true })
  assert.equal(page.articles.length, 1, 'no flicker')
  page.update([{ kind: 'insert', message: pageMessage('9', 'Hello') }], 1)
  assert.deepEqual(
    page.articles.map((article) => article.dataset.id),
    ['9'],
  )
  assert.deepEqual(page.state, { uri: 'file:///b.ocm', isLocked: true, index: 0, line: 0 })
})

test('a page comes back at its place', () => {
  const page = new TestPage({ uri: 'file:///a.ocm', isLocked: true, index: 7, line: 3.5 })
  assert.deepEqual(page.said('ready'), [{ kind: 'ready', uri: 'file:///a.ocm', index: 7, line: 3.5 }])
})

test('a place among hidden messages is kept beside that in the usual view, and ends with the view', () => {
  const state = { uri: 'file:///a.ocm', isLocked: false, index: 7, line: 3.5, hidden: { index: 20, line: 0 } }
  const page = new TestPage(state)
  const { isLocked: _, ...place } = state
  assert.deepEqual(page.said('ready'), [{ kind: 'ready', ...place }])
  page.send({ kind: 'open', uri: 'file:///a.ocm', isLocked: false, hasMath: true })
  assert.deepEqual(page.state, { uri: 'file:///a.ocm', isLocked: false, index: 7, line: 3.5 })
  page.send({ kind: 'open', uri: 'file:///b.ocm', isLocked: true, hasMath: true })
  assert.deepEqual(page.state, { uri: 'file:///b.ocm', isLocked: true, index: 0, line: 0 })
})

test('names, roles, preambles and streaming are said', () => {
  const page = new TestPage()
  page.show([
    pageMessage('1', 'Hi', { name: 'Ada' }),
    pageMessage('2', 'Looking', { role: 'assistant', isPreamble: true }),
    pageMessage('3', 'It', { role: 'assistant', isTruncated: true, omitted: 1200 }),
  ])
  const [ada, preamble, answer] = page.articles
  assert.match(ada?.querySelector('.byline')?.textContent ?? '', /AdaUser/)
  assert.equal(preamble?.querySelector<HTMLElement>('.chip')?.hidden, false)
  assert.equal(answer?.querySelector<HTMLElement>('.chip')?.hidden, true)
  assert.match(answer?.textContent ?? '', /1,200 more characters.*Cut off: it has no end token/)
  assert.ok(answer?.classList.contains('continued'))
  assert.deepEqual([answer?.getAttribute('aria-posinset'), answer?.getAttribute('aria-setsize')], ['3', '3'])
})

test('the message under the text cursor is marked, also after it changed', () => {
  const page = new TestPage()
  page.show([pageMessage('1', 'a'), pageMessage('2', 'b')])
  const marked = () =>
    page.articles.filter((article) => article.hasAttribute('aria-current')).map(({ dataset }) => dataset.id)
  page.send({ kind: 'mark', id: '2' })
  assert.deepEqual(marked(), ['2'])
  page.update([{ kind: 'replace', message: pageMessage('2', 'c') }], 2)
  assert.deepEqual(marked(), ['2'])
  page.send({ kind: 'mark' })
  assert.deepEqual(marked(), [])
})

test('a link asks the editor, and the page does not follow it', () => {
  const page = new TestPage()
  page.show([pageMessage('1', '[docs](https://e.org/x)')])
  const click = new page.window.MouseEvent('click', { bubbles: true, cancelable: true })
  let reached = false
  page.document.addEventListener('click', () => {
    reached = true
  })
  page.document.querySelector('.content a')?.dispatchEvent(click)
  assert.deepEqual(page.said('openLink'), [{ kind: 'openLink', href: 'https://e.org/x' }])
  assert.equal(click.defaultPrevented, true)
  assert.equal(reached, false)
})

test('an image is shown after a click', () => {
  const page = new TestPage()
  page.show([pageMessage('1', '![chart](data:image/png;base64,iVBORw0KGgo=)')])
  page.document.querySelector<HTMLElement>('button.image')?.click()
  const image = page.document.querySelector('img')
  assert.deepEqual([image?.alt, image?.getAttribute('src')], ['chart', 'data:image/png;base64,iVBORw0KGgo='])
})

test('code and messages are copied as they were written', () => {
  const page = new TestPage()
  const text = '**a**\n\n```js\nlet x\n```'
  page.show([pageMessage('1', text)])
  page.document.querySelector<HTMLElement>('[data-action=copy-code]')?.click()
  page.document.querySelector<HTMLElement>('[data-action=copy-message]')?.click()
  assert.deepEqual(
    page.said('copy').map((message) => message.text),
    ['let x\n', text],
  )
})

test('the button goes to the source', () => {
  const page = new TestPage()
  page.show([pageMessage('1', 'a')])
  page.articles[0]?.querySelector<HTMLElement>('[data-action=source]')?.click()
  assert.deepEqual(page.said('openSource'), [{ kind: 'openSource', id: '1', line: 0 }])
})

test('a double click and Enter edit the text in place, which Ctrl+Enter saves and Escape leaves', () => {
  const page = new TestPage()
  page.show([pageMessage('1', 'a\r\n\r\n**b**')])
  const article = page.articles[0]
  assert.ok(article)
  const field = () => article.querySelector('textarea')
  const press = (target: Element | null, key: string, ctrlKey = false) =>
    target?.dispatchEvent(new page.window.KeyboardEvent('keydown', { key, ctrlKey, bubbles: true }))
  article.querySelectorAll('p')[1]?.dispatchEvent(new page.window.MouseEvent('dblclick', { bubbles: true }))
  assert.equal(field()?.value, 'a\n\n**b**')
  assert.equal(article.querySelector('.editor + .content') !== null, true, 'what it looks like is hidden')
  press(field(), 'Enter', true)
  assert.equal(field(), null, 'nothing was changed, and nothing is saved')
  press(article, 'Enter')
  field()!.value = 'lost'
  press(field(), 'Escape')
  assert.equal(field(), null)
  assert.deepEqual(page.said('editMessage'), [])
  press(article, 'Enter')
  field()!.value = 'c'
  press(field(), 'Enter', true)
  const edit = { kind: 'editMessage', id: '1', before: 'a\r\n\r\n**b**', text: 'c' }
  assert.deepEqual(page.said('editMessage'), [edit])
  page.update([{ kind: 'replace', message: pageMessage('1', 'long', { omitted: 9 }) }], 1)
  press(article, 'Enter')
  assert.equal(page.said('openSource').length, 1, 'what is not all on the page is edited in its source')
  page.update([{ kind: 'replace', message: pageMessage('1', 'a b', { isSourceOnly: true }) }], 1)
  press(article, 'Enter')
  assert.equal(field(), null, 'nothing is typed that could not be saved')
  assert.equal(page.said('openSource').length, 2)
})

/** A page of two messages on which somebody has typed into the first. */
function editedPage(typed = 'typed') {
  const page = new TestPage()
  page.show([pageMessage('1', 'one'), pageMessage('2', 'two')])
  const [article, other] = page.articles
  assert.ok(article && other)
  const press = (target: Element | null, key: string, more: KeyboardEventInit = {}) =>
    target?.dispatchEvent(new page.window.KeyboardEvent('keydown', { key, bubbles: true, ...more }))
  const field = () => page.document.querySelector('textarea')
  press(article, 'Enter')
  assert.ok(field())
  field()!.value = typed
  const saved = () => page.said('editMessage').map(({ id, before, text }) => [id, before, text])
  return { page, article, other, press, field, saved }
}

test('what was typed is saved when the reader goes elsewhere on the page', () => {
  const { other, press, field, saved } = editedPage()
  other.focus()
  assert.equal(field(), null)
  press(other, 'Enter')
  assert.equal(field()?.value, 'two')
  press(field(), 'Escape')
  assert.deepEqual(saved(), [['1', 'one', 'typed']])
})

test('what is being typed is kept outside of the page until it is saved or given up', ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const { page, press, field } = editedPage()
  const kept = () => page.said('keepDraft').map(({ before, text }) => [before, text])
  const type = (text: string) => {
    field()!.value = text
    field()!.dispatchEvent(new page.window.Event('input', { bubbles: true }))
    mock.timers.tick(100)
  }
  type('typed')
  type('one')
  type('again')
  assert.deepEqual(kept(), [
    ['one', 'typed'],
    ['one', undefined],
    ['one', 'again'],
  ])
  press(field(), 'Escape')
  assert.deepEqual(kept().at(-1), ['one', undefined])
  press(page.articles[0] ?? null, 'Enter')
  type('mine')
  page.send({ kind: 'edit', id: '1', text: 'mine' }) // it could not be saved
  mock.timers.tick(100)
  assert.deepEqual(
    kept().at(-1),
    ['mine', 'mine'],
    'only the clipboard may get it: the message says something else',
  )
})

test('what was typed is saved when its message leaves the page', () => {
  const gone = editedPage()
  gone.page.update([{ kind: 'remove', id: '1' }], 2)
  assert.deepEqual(gone.saved(), [['1', 'one', 'typed']])
  const switched = editedPage()
  switched.page.send({ kind: 'everythingOpen', uri: 'file:///a.ocm', isLocked: false, hasMath: true })
  assert.deepEqual(switched.saved(), [['1', 'one', 'typed']])
})

test('what was typed is saved when the reader leaves the page, whose field stays; Escape takes that back', () => {
  const { page, press, field, saved } = editedPage()
  page.document.hasFocus = () => false
  field()?.dispatchEvent(new page.window.FocusEvent('focusout', { bubbles: true }))
  assert.equal(field()?.value, 'typed')
  press(field(), 'Escape')
  assert.equal(field(), null)
  assert.deepEqual(saved(), [
    ['1', 'one', 'typed'],
    ['1', 'typed', 'one'],
  ])
})

test('keys of an input method neither save nor cancel', () => {
  const { press, field, saved } = editedPage('にほ')
  press(field(), 'Escape', { isComposing: true })
  press(field(), 'Enter', { isComposing: true, ctrlKey: true })
  assert.equal(field()?.value, 'にほ')
  assert.deepEqual(saved(), [])
})

test('a text that could not be saved is in its field again, and can be saved over what the message says now', () => {
  const { page, press, field, saved } = editedPage()
  press(field(), 'Enter', { ctrlKey: true })
  page.update([{ kind: 'replace', message: pageMessage('1', 'changed') }], 2)
  page.send({ kind: 'edit', id: '1', text: 'typed' })
  assert.equal(field()?.value, 'typed')
  press(field(), 'Enter', { ctrlKey: true })
  assert.deepEqual(saved(), [
    ['1', 'one', 'typed'],
    ['1', 'changed', 'typed'],
  ])
})

test('a text that could not be saved waits for a decision, and replaces nothing before', () => {
  const refused = () => {
    const edited = editedPage()
    edited.press(edited.field(), 'Enter', { ctrlKey: true })
    edited.page.update([{ kind: 'replace', message: pageMessage('1', 'changed') }], 2)
    edited.page.send({ kind: 'edit', id: '1', text: 'typed' })
    return edited
  }
  const { page, other, press, field, saved } = refused()
  const first = [['1', 'one', 'typed']]
  other.focus()
  assert.equal(field()?.value, 'typed', 'the field stays when the focus goes to another message')
  press(other, 'Enter')
  assert.equal(page.document.activeElement, field(), 'no other message is edited before')
  page.document.hasFocus = () => false
  field()?.dispatchEvent(new page.window.FocusEvent('focusout', { bubbles: true }))
  assert.deepEqual(saved(), first)
  press(field(), 'Escape')
  assert.equal(field(), null)
  assert.deepEqual(saved(), first, 'Escape leaves what the message says now')
  const switched = refused()
  switched.page.send({ kind: 'everythingOpen', uri: 'file:///a.ocm', isLocked: false, hasMath: true })
  assert.deepEqual(switched.saved(), [...first, ['1', 'typed', 'typed']], 'refused again, and not lost')
  const decided = refused()
  decided.press(decided.field(), 'Enter', { ctrlKey: true })
  assert.deepEqual(decided.saved(), [...first, ['1', 'changed', 'typed']])
})

test('keys go from message to message, and one message is in the tab order', () => {
  const page = new TestPage()
  page.show(['1', '2', '3'].map((id) => pageMessage(id, id)))
  const reachable = () =>
    page.articles.filter((article) => article.tabIndex === 0).map(({ dataset }) => dataset.id)
  const press = (key: string, more: KeyboardEventInit = {}) =>
    page.document.activeElement?.dispatchEvent(
      new page.window.KeyboardEvent('keydown', { key, bubbles: true, ...more }),
    )
  assert.deepEqual(reachable(), ['1'])
  page.articles[0]?.focus()
  press('PageDown')
  press('ArrowDown', { altKey: true })
  assert.equal(page.document.activeElement, page.articles[2])
  assert.deepEqual(reachable(), ['3'])
  press('PageUp')
  assert.deepEqual(reachable(), ['2'])
})

test('the lock is a toggle', () => {
  const page = new TestPage()
  page.show([])
  const lock = page.document.querySelector<HTMLElement>('.lock')
  lock?.click()
  assert.deepEqual(page.said('setLocked'), [{ kind: 'setLocked', isLocked: true }])
  page.send({ kind: 'lock', isLocked: true })
  assert.equal(lock?.getAttribute('aria-pressed'), 'true')
  lock?.click()
  assert.deepEqual(page.said('setLocked').at(-1), { kind: 'setLocked', isLocked: false })
})

test('each update is acknowledged', () => {
  const page = new TestPage()
  page.show([pageMessage('1', 'a')])
  page.update([], 1)
  assert.deepEqual(
    page.said('applied').map(({ sequence }) => sequence),
    [1, 2],
  )
})

test('axe finds nothing to complain about', async () => {
  const page = new TestPage()
  page.show([
    pageMessage('1', 'Hi `code`', { name: 'Ada' }),
    pageMessage(
      '2',
      '| a |\n|---|\n| b |\n\n```ts\nlet x\n```\n\n- [x] done\n\n![i](data:image/png;base64,AA==)\n\n[l](https://e.org)',
      { role: 'assistant', isPreamble: true },
    ),
    pageMessage('3', [{ kind: 'literal', text: '<|end|>' }], { role: 'assistant', isTruncated: true }),
  ])
  page.window.eval(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
  const { axe } = page.window as unknown as { readonly axe: typeof import('axe-core') }
  const { violations, passes } = await axe.run(page.document, {
    // Colours need layout; they are checked where there is one.
    rules: { 'color-contrast': { enabled: false } },
  })
  assert.equal(JSON.stringify(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])), '[]')
  assert.ok(passes.length > 10)
})

test('Ctrl+Z on the page takes back the last change of the document, and in a field what was typed there', () => {
  const { page, article, press, field } = editedPage()
  press(field(), 'z', { ctrlKey: true })
  press(field(), 'Escape')
  assert.deepEqual([...page.said('undo'), ...page.said('redo')], [])
  press(article, 'z', { ctrlKey: true })
  press(page.document.body, 'Z', { metaKey: true, shiftKey: true })
  press(article, 'Y', { ctrlKey: true })
  press(article, 'z', { ctrlKey: true, altKey: true })
  assert.deepEqual(
    [...page.said('undo'), ...page.said('redo')],
    [{ kind: 'undo' }, { kind: 'redo' }, { kind: 'redo' }],
  )
})

test('Ctrl+S on the page saves the document, and what is typed first; the field stays', () => {
  const { page, article, press, field, saved } = editedPage()
  press(field(), 's', { ctrlKey: true })
  assert.deepEqual(saved(), [['1', 'one', 'typed']])
  assert.equal(field()?.value, 'typed')
  press(field(), 'Escape')
  assert.deepEqual(saved().at(-1), ['1', 'typed', 'one'], 'Escape takes back what was saved')
  press(article, 'S', { metaKey: true })
  press(article, 's', { ctrlKey: true, shiftKey: true })
  assert.deepEqual(page.said('save'), [{ kind: 'save' }, { kind: 'save' }])
  assert.deepEqual(
    page.posted.map(({ kind }) => kind).filter((it) => it === 'save' || it === 'editMessage'),
    ['editMessage', 'save', 'editMessage', 'save'],
  )
})
