/** The page says everything of its own in the language of the editor. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTranslations } from '../../client/render/page-texts.ts'
import { previewHtml } from '../../client/src/preview/html.ts'
import { plainWords, pseudoLocale } from '../helpers/pseudo-locale.ts'
import { pageMessage, TestPage } from './dom.ts'

describe('in another language', () => {
  before(() => setTranslations(pseudoLocale()))
  after(() => setTranslations())

  test('messages and their buttons are in it', () => {
    const page = new TestPage()
    page.show([
      pageMessage('1', '- [ ] 1\n- [x] 2\n\n| 3 |\n| - |\n| 4 |\n\n```\n5\n```'),
      pageMessage('2', '6', { role: 'assistant', isPreamble: true, omitted: 1234 }),
      pageMessage('3', '7', { role: 'assistant', isTruncated: true }),
    ])
    assert.deepEqual(englishIn(page), [])
  })

  test('so is a page without messages', () => {
    const page = new TestPage()
    page.show([])
    assert.deepEqual(englishIn(page), [])
  })
})

test('the page is told its language and its texts', () => {
  const parts = { nonce: 'n', script: 's', style: 'c' }
  assert.match(previewHtml(parts), /<html lang="en">.*<body data-translations="\{\}">/s)
  const html = previewHtml({ ...parts, language: 'de', translations: { Preview: '"Vorschau" & <mehr>' } })
  assert.match(html, /<html lang="de">/)
  assert.ok(
    html.includes(
      'data-translations="{&quot;Preview&quot;:&quot;\\&quot;Vorschau\\&quot; &amp; &lt;mehr&gt;&quot;}"',
    ),
  )
})

/** The words that somebody sees or hears. */
function englishIn({ document }: TestPage): readonly string[] {
  const words = plainWords(document.body.textContent ?? '')
  const heard = [...document.body.querySelectorAll('*')].flatMap((element) =>
    ['title', 'aria-label', 'alt', 'placeholder'].flatMap((name) =>
      plainWords(element.getAttribute(name) ?? ''),
    ),
  )
  return [...words, ...heard]
}
