/** Finding words in a view: on the page and beyond it, and nothing that the view does not show. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parserForEverything } from '../../client/src/preview/everything-source.ts'
import { everythingView } from '../../client/src/preview/everything-view.ts'
import { PageChannel } from '../../client/src/preview/page-channel.ts'
import { type PageView, visibleView } from '../../client/src/preview/page-view.ts'
import { fromPage } from '../../client/src/preview/preview-protocol.ts'
import { type ParseText, PreviewSession } from '../../client/src/preview/preview-session.ts'
import { parseVisible } from '../../client/src/preview/visible-source.ts'
import { textRanges } from '../../client/webview/text-ranges.ts'
import { nightly } from '../helpers/nightly.ts'
import { freshWindow, TestPage } from './dom.ts'

const turns = Array.from(
  { length: 100 },
  (_, index) =>
    `<|start|>user<|message|>Question ${index}: a re**fund**, [Refund](https://refund.example)?<|end|>\n` +
    `<|start|>assistant<|channel|>analysis<|message|>Is it a refund?<|end|>\n` +
    `<|start|>assistant<|channel|>final<|message|>No ${index}.<|end|>\n`,
)
const text = turns.join('')

/** A page with a document, joined to a channel as VS Code does it: what the page says, the channel gets a little later. */
function opened<Message, Shown extends { readonly id: string }>(
  view: PageView<Message, Shown>,
  parse: ParseText<Message>,
) {
  const page = new TestPage()
  const channel = new PageChannel(view, page.send, () => {})
  const session = new PreviewSession(text, parse, () => () => {})
  channel.open({ uri: 'file:///a.ocm', session })
  let said = 0
  const deliver = () => {
    for (; said < page.posted.length; said++) {
      const message = fromPage(page.posted[said])
      assert.ok(message, JSON.stringify(page.posted[said]))
      channel.receive(message)
    }
  }
  deliver()
  const field = page.document.querySelector<HTMLInputElement>('.find input')
  const status = page.document.querySelector<HTMLElement>('.find .matches')
  assert.ok(field && status)
  /** Waits until something else is said of the matches. */
  const until = async (words: string) => {
    for (let left = 1000; status.textContent !== words; left--) {
      if (left === 0) assert.equal(status.textContent, words)
      deliver()
      await new Promise((done) => setImmediate(done))
    }
    deliver()
  }
  const press = (key: string, options: KeyboardEventInit = {}) =>
    field.dispatchEvent(new page.window.KeyboardEvent('keydown', { key, bubbles: true, ...options }))
  const type = (words: string) => {
    field.value = words
    field.dispatchEvent(new page.window.Event('input'))
  }
  return { page, session, field, until, press, type, deliver }
}

const openVisible = () => opened(visibleView, (it) => parseVisible(it))
const openEverything = () => {
  const parse = parserForEverything({ problems: () => [], flags: () => [] })
  return opened(everythingView, (it) => parse(it))
}

test('what is not on the page is counted, and is brought to it; hidden text and addresses are neither', async () => {
  const { page, field, until, press, type } = openVisible()
  page.document.dispatchEvent(new page.window.KeyboardEvent('keydown', { key: 'f', ctrlKey: true }))
  assert.equal(page.document.activeElement, field)
  assert.ok(page.articles.length <= 120)
  type('refund')
  await until('1 of 200')
  press('Enter')
  await until('2 of 200')
  press('Enter', { shiftKey: true })
  await until('1 of 200')
  press('Enter', { shiftKey: true })
  await until('200 of 200')
  assert.ok(page.articles.some((it) => it.textContent?.includes('Question 99:')))
  type('is it a')
  await until('No results')
  type('question 80: A')
  await until('1 of 1')
  assert.ok(page.articles.some((it) => it.textContent?.includes('Question 80:')))
  press('Escape')
  assert.equal(page.document.querySelector<HTMLElement>('.find')?.hidden, true)
  assert.ok(page.posted.some((it) => it.kind === 'find' && it.query === ''))
})

nightly('*Everything* finds hidden text, too, and opens its card', async () => {
  const { page, until, press, type } = openEverything()
  page.document.querySelector<HTMLElement>('[data-action=open-find]')?.click()
  type('is it a refund')
  await until('1 of 100')
  press('Enter', { shiftKey: true })
  await until('100 of 100')
  const open = [...page.document.querySelectorAll<HTMLElement>('.reasoning .content')].filter(
    (it) => !it.hidden,
  )
  assert.equal(open.length, 1)
})

test('an edit counts again, and stays where the reader is', async () => {
  const { page, session, until, type, deliver } = openVisible()
  page.document.querySelector<HTMLElement>('[data-action=open-find]')?.click()
  type('refund')
  await until('1 of 200')
  session.edit([{ offset: text.indexOf('Question'), length: 0, text: 'Refund! ' }])
  page.send({ kind: 'mark' })
  page.posted.push({ kind: 'want', index: 0, isJump: false })
  deliver()
  await until('201 matches')
})

test('the range of a match is its text, within one element and across several', () => {
  const window = freshWindow()
  const root = window.document.createElement('div')
  root.innerHTML = '<p>A re<b>fund</b></p><p>for <i>it</i></p>'
  window.document.body.append('before', root, 'after')
  const ranges = textRanges(window, root, () => [
    [0, 1],
    [2, 8],
    [4, 8],
    [6, 14],
  ])
  assert.deepEqual(ranges.map(String), ['A', 'refund', 'fund', 'ndfor it'])
})

test('what a page may look for is limited', () => {
  assert.equal(fromPage({ kind: 'find', query: 'x'.repeat(1001), index: 0, step: 0 }), undefined)
  assert.equal(fromPage({ kind: 'find', query: 'x', index: 0, step: 2 }), undefined)
  assert.equal(fromPage({ kind: 'find', query: 'x', index: -1, step: 0 }), undefined)
})
