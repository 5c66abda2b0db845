/** Exported files: what is in them, what is not, and that nothing in them runs or loads. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import createMarkdownIt from 'markdown-it'
import type { ConversationItem } from '../../client/render/exported-conversation.ts'
import { htmlDocument } from '../../client/render/html-document.ts'
import { markdownDocument } from '../../client/render/markdown-document.ts'
import { toHtml } from '../../client/render/markdown-to-html.ts'
import { mathAttributes, mathElements } from '../../client/render/math.ts'
import {
  analyze,
  setTranslations,
  Transcript,
  type VisiblePart,
  visibleMessages,
} from '../../core/src/internal.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'
import { plainWords, pseudoLocale } from '../helpers/pseudo-locale.ts'
import { freshWindow } from './dom.ts'
import { canary, transcripts } from './transcripts.ts'

const options = { title: 'a.ocm', isDebug: false }

function items(text: string): ConversationItem[] {
  return [...visibleMessages(analyze(Transcript.parse(text)))].map((message) => ({ kind: 'seen', message }))
}

function said(parts: string | readonly VisiblePart[], more: object = {}): ConversationItem {
  const all: readonly VisiblePart[] = typeof parts === 'string' ? [{ kind: 'markdown', text: parts }] : parts
  const message = { key: 'k', role: 'user' as const, parts: all, truncated: false, offset: 0, ...more }
  return { kind: 'seen', message }
}

function html(...conversation: ConversationItem[]): string {
  return [...htmlDocument(conversation, options)].join('')
}

function markdown(...conversation: ConversationItem[]): string {
  return [...markdownDocument(conversation, options)].join('')
}

const { document } = freshWindow()

function body(source: string): HTMLElement {
  const element = document.createElement('div')
  element.innerHTML = source.slice(source.indexOf('<main>'))
  return element
}

test('no canary word of a hidden place is in an exported file', () => {
  fc.assert(
    fc.property(transcripts, (text) => {
      assert.ok(!html(...items(text)).includes(canary))
      assert.ok(!markdown(...items(text)).includes(canary))
    }),
  )
})

const harmless = new Set([
  ...mathElements,
  ...'main h1 h2 h3 h4 h5 h6 article header bdi span div p pre code a em strong s br hr ul ol li blockquote table thead tbody tr th td img'.split(
    ' ',
  ),
])

function assertInert(source: string): void {
  for (const element of body(source).querySelectorAll('*')) {
    assert.ok(harmless.has(element.tagName.toLowerCase()), `<${element.tagName}> in ${source}`)
    for (const { name, value } of element.attributes) {
      if (mathElements.includes(element.tagName.toLowerCase()) && mathAttributes[name]?.test(value)) continue
      assert.match(name, /^(?:class|dir|href|rel|title|src|alt|start|role)$/, source)
      if (name === 'href') assert.match(value, /^(?:https?:\/\/|mailto:)/i)
      if (name === 'src') assert.match(value, /^data:image\/(?:png|gif|jpeg|webp|avif);base64,/i)
    }
  }
}

test('nothing in an HTML file runs, and nothing is loaded, whatever is said', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '[x](javascript:alert(1))',
      '![x"onerror="a](https://e.org/x.png)',
      '![x](data:image/png;base64,AA==)',
      '![x](data:image/svg+xml;base64,AA==)',
      '[x](https://e.org "t")',
      '<!--',
      '```html\n',
      '"><b onclick=x>',
      '\n\n',
      '| a |\n|:-:|\n| b |\n',
      '`',
      '\ue000',
      '$x$',
      '$$\n',
      '[',
      ']: https://e.org "',
    ),
    fc.string({ maxLength: 6 }),
  )
  const part = fc.record({
    kind: fc.constantFrom('markdown' as const, 'literal' as const),
    text: fc.array(piece, { maxLength: 5 }).map((it) => it.join('')),
  })
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), fc.string(), (parts, name) =>
      assertInert(html(said(parts, { name }))),
    ),
    { numRuns: propertyRuns },
  )
})

test('an HTML file needs nothing else, and its policy forbids everything else', () => {
  const source = html(said('Hi'))
  assert.match(
    source,
    /default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"/,
  )
  assert.doesNotMatch(source, /<script|<link|@import|url\(/)
  assert.match(source, /<title>a\.ocm<\/title>/)
})

test('a name that turns the direction of text leaves the text after it alone', () => {
  const [header] = body(html(said('Hi', { name: '\u202eevil' }))).querySelectorAll('header')
  assert.equal(header?.querySelector('bdi')?.textContent, header?.textContent)
})

test('literal text is in an HTML file unchanged', () => {
  const literal = '<|end|> **not bold**\n  & more'
  for (const before of ['', 'text ', '```\n', '- item ', '`']) {
    const element = body(
      html(
        said([
          { kind: 'markdown', text: before },
          { kind: 'literal', text: literal },
        ]),
      ),
    )
    assert.ok(element.textContent.includes(literal), before)
  }
})

test('speakers, preambles and streaming are said', () => {
  const conversation = [
    said('Hi', { name: 'Ada' }),
    said('Looking', { role: 'assistant', intent: 'preamble' }),
    said('It', { role: 'assistant', truncated: true }),
  ]
  const labels = [...body(html(...conversation)).querySelectorAll('article > header')].map(
    (it) => it.textContent,
  )
  assert.deepEqual(labels, ['Ada (user)', 'Assistant preamble', 'Assistant cut off'])
  assert.equal(
    markdown(...conversation),
    '# a.ocm\n\n**Ada (user)**\n\n> Hi\n\n**Assistant**, preamble\n\n> Looking\n\n**Assistant**, cut off\n\n> It\n',
  )
})

test('in a Markdown file, no message can pass for another or swallow it', () => {
  const hostile = fc
    .array(
      fc.constantFrom(
        '**Assistant**',
        '\n',
        '\n\n',
        '```',
        '~~~',
        '<!--',
        '<details>',
        '<pre>',
        '> ',
        '# ',
        '`',
        '    ',
        '- ',
        'x',
        '\r',
      ),
      { maxLength: 8 },
    )
    .map((it) => it.join(''))
  fc.assert(
    fc.property(fc.array(hostile, { minLength: 1, maxLength: 4 }), (texts) => {
      const source = markdown(...texts.map((text) => said(text)))
      const lines = source.split('\n').filter((line) => line !== '' && !line.startsWith('>'))
      assert.deepEqual(lines, ['# a.ocm', ...texts.map(() => '**User**')])
      const element = document.createElement('div')
      element.innerHTML = toHtml({ markdown: source, literals: new Map(), pattern: undefined })
      const labels = [...element.children].filter((it) => it.tagName === 'P').map((it) => it.textContent)
      assert.deepEqual(
        labels,
        texts.map(() => 'User'),
      )
    }),
  )
})

test('a Markdown file has no HTML for programs that make links of addresses, of every address, or read HTML', () => {
  const reader = createMarkdownIt({ html: true, linkify: true })
  const mark = '<svg onload=alert(1)>'
  for (const text of [
    `https://e.org/${mark}`,
    `https://e.org/\\${mark}`,
    `www.e.org/${mark}`,
    `a@e.org${mark}`,
    `[a](https://e.org/\`${mark})`,
    `[x](<\\char\`\\<> "title")${mark} \`a\``,
    `[x]: javascript:\`\n\n[x] ${mark} \``,
    `a \`${mark}\n<![CDATA[\n\` b`,
    `a \`${mark}\n> <!--\n\` b`,
    `\`https://e.org/\` ${mark} \`${mark}`,
  ]) {
    const read = reader.render(markdown(said(text, { name: `https://e.org/${mark}` })))
    assert.doesNotMatch(read.replaceAll(/<code>[^<]*<\/code>/g, ''), /<svg/, text)
  }
})

test('HTML in what is said is text in a Markdown file, but code stays as it is', () => {
  assert.match(markdown(said('a <b> `<i>` c\n\n```\n<u>\n```')), /> a \\<b> `<i>` c\n>\n> ```\n> <u>\n> ```/)
})

test('JSON is code in both files, and formulas are drawn without anything else', () => {
  const json = said('{"a": "**b**"}', { role: 'assistant', isJson: true })
  assert.equal(body(html(json)).querySelector('pre code')?.textContent, '{"a": "**b**"}')
  assert.match(markdown(json), /> ```json\n> {"a": "\*\*b\*\*"}\n> ```/)
  assert.equal(body(html(said('$x^2$'))).querySelector('math')?.textContent, 'x2')
  const source = [...htmlDocument([said('$x^2$')], { ...options, hasMath: false })].join('')
  assert.equal(body(source).querySelector('math'), null)
})

test('a file says what it says of itself in the language of the editor', (t) => {
  setTranslations(pseudoLocale())
  t.after(() => setTranslations())
  const conversation = [
    said('1', { name: '2' }),
    said('3', { role: 'assistant', intent: 'preamble', truncated: true }),
    said('![](https://4.5/6)'),
    { kind: 'hidden', label: '7', reason: '8', text: '9' } as const,
  ]
  const options = { title: '0', isDebug: true, language: 'xx' }
  const page = [...htmlDocument(conversation, options)].join('')
  assert.match(page, /^<!DOCTYPE html>\n<html lang="xx">/)
  assert.deepEqual(plainWords(body(page).textContent), [])
  const text = [...markdownDocument(conversation, options)].join('').replace('https', '')
  assert.deepEqual(plainWords(text), [])
})

test('the debug variant says so at its top, and marks what is hidden', () => {
  const hidden: ConversationItem = { kind: 'hidden', label: 'system', reason: 'it is', text: '<b>' }
  const page = [...htmlDocument([hidden], { title: 'a', isDebug: true })].join('')
  assert.match(page, /<p class="debug" role="note">Debug view/)
  assert.match(page, /<bdi>system<\/bdi> <span class="remark">hidden: it is<\/span>/)
  const text = [...markdownDocument([hidden], { title: 'a', isDebug: true })].join('')
  assert.equal(
    text,
    '# a\n\n*Debug view: messages that are marked as hidden are not shown to users.*\n\n**system** (hidden: it is)\n\n> ```text\n> <b>\n> ```\n',
  )
})
