/** JSON answers on a page: laid out or as written, wrapped or not, by one choice for the whole page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRender } from '../../client/webview/rendered-body.ts'
import { nightly } from '../helpers/nightly.ts'
import { assertSafe, freshWindow, pageMessage, TestPage } from './dom.ts'

const written = '{"city":"Lyon",  "days":[1,{"t":21.50}]}'
const laidOut = `{
  "city": "Lyon",
  "days": [
    1,
    {
      "t": 21.50
    }
  ]
}`

const answer = (id: string, text = written) => pageMessage(id, text, { role: 'assistant', isJson: true })

function codesOf(page: TestPage): (string | null | undefined)[] {
  return page.articles.map((it) => it.querySelector('.content code')?.textContent)
}

function buttonOf(page: TestPage, action: 'raw' | 'wrap', id: string): HTMLButtonElement {
  const button = page.document.querySelector<HTMLButtonElement>(
    `article[data-id="${id}"] button[data-action="${action}"]`,
  )
  assert.ok(button, `${action} of ${id}`)
  return button
}

test('a JSON answer is laid out in colors; Raw shows all of them as written, and keeps the focus', () => {
  const page = new TestPage()
  page.show([answer('1'), pageMessage('2', 'Thanks'), answer('3', '[true]')])
  assert.deepEqual(codesOf(page), [laidOut, undefined, '[\n  true\n]'])
  assert.ok(page.articles[0]?.querySelector('.hljs-attr'))
  const prose = page.articles[1]?.querySelector('.content')?.firstChild
  buttonOf(page, 'raw', '1').focus()
  buttonOf(page, 'raw', '1').click()
  assert.deepEqual(codesOf(page), [written, undefined, '[true]'])
  assert.equal(page.document.activeElement, buttonOf(page, 'raw', '1'))
  assert.equal(buttonOf(page, 'raw', '3').getAttribute('aria-pressed'), 'true')
  assert.equal(page.articles[1]?.querySelector('.content')?.firstChild, prose, 'prose is not drawn again')
  page.update([{ kind: 'replace', message: answer('3', '{"a": 1}') }], 3)
  assert.deepEqual(codesOf(page).at(-1), '{"a": 1}', 'what comes later is as the reader chose')
  buttonOf(page, 'raw', '3').click()
  assert.deepEqual(codesOf(page), [laidOut, undefined, '{\n  "a": 1\n}'])
  for (const { element } of [...page.articles].map((it) => ({ element: it.querySelector('.content') })))
    if (element) assertSafe(element)
})

test('a message is copied and edited as it is written, its code as it is shown', () => {
  const page = new TestPage()
  page.show([answer('1')])
  page.articles[0]?.querySelector<HTMLElement>('[data-action="copy-message"]')?.click()
  page.articles[0]?.querySelector<HTMLElement>('[data-action="copy-code"]')?.click()
  assert.deepEqual(
    page.said('copy').map(({ text }) => text),
    [written, laidOut],
  )
})

test('Wrap is one choice for the page, also in the line above Everything', () => {
  const page = new TestPage()
  page.show([answer('1')])
  const { body } = page.document
  const above = page.document.querySelector<HTMLButtonElement>('.chips [data-action="wrap"]')
  assert.ok(above)
  assert.deepEqual([body.dataset.wrap, above.getAttribute('aria-pressed')], ['true', 'true'])
  buttonOf(page, 'wrap', '1').click()
  assert.deepEqual([body.dataset.wrap, above.getAttribute('aria-pressed')], ['false', 'false'])
  above.click()
  assert.equal(body.dataset.wrap, 'true')
  assert.equal(buttonOf(page, 'wrap', '1').getAttribute('aria-pressed'), 'true')
})

test('a replay shows JSON as written until it is complete', () => {
  const page = new TestPage()
  page.send({ kind: 'replayOpen', uri: 'file:///a.ocm', isLocked: false, hasMath: true })
  const steps = [5, written.length].map((length) => ({ message: 0, length }))
  page.send({
    kind: 'replay',
    replay: { messages: [answer('1')], steps, start: 1, isTruncated: false, isCut: false },
  })
  const code = () => page.document.querySelector('.replay .content code')?.textContent
  assert.equal(code(), '{"cit')
  page.document.querySelector<HTMLElement>('.replay [aria-label="Step forward"]')?.click()
  assert.equal(code(), laidOut)
  buttonOf(page, 'raw', '1').click()
  assert.equal(code(), written)
})

nightly('what is not JSON, or would grow without bound, is as it is written', () => {
  const window = freshWindow()
  const render = createRender(window)
  for (const text of [
    '{"a": ',
    '{"a": 1} {"b": 2}',
    `${'[1,'.repeat(3_000)}1${']'.repeat(3_000)}`, // laid out, it has 18 million blanks
    `${'['.repeat(40_000)}${']'.repeat(40_000)}`,
  ]) {
    const fragment = render({ parts: [{ kind: 'markdown', text }], isJson: true })
    assert.equal(fragment.querySelector('code')?.textContent, text, text.slice(0, 40))
  }
})
