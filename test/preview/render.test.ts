/** Rendering of messages: what is shown, and what never gets in. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { freshNonce, previewHtml } from '../../client/src/preview/html.ts'
import { fromPage, pageState } from '../../client/src/preview/preview-protocol.ts'
import { createRender } from '../../client/webview/rendered-body.ts'
import { createSanitizer } from '../../client/webview/sanitize.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'
import { assertSafe, freshWindow, rendered } from './dom.ts'

const window = freshWindow()
const sanitize = createSanitizer(window)

const attacks = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><use href="data:image/svg+xml;base64,PHN2Zy8+"></use></svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
  '<math href="javascript:alert(1)">x</math>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="data:text/html,<script>alert(1)</script>"></object>',
  '<embed src="https://evil.example/x.swf">',
  '<link rel=stylesheet href=https://evil.example/x.css>',
  '<style>@import "https://evil.example/x.css"</style>',
  '<base href="https://evil.example/">',
  '<meta http-equiv=refresh content="0;url=https://evil.example">',
  '<form action=https://evil.example><input name=x><button>Go</button></form>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="https://e.org" onclick="alert(1)" style="position:fixed;inset:0">x</a>',
  '<details open ontoggle=alert(1)>',
  '<video><source onerror=alert(1)></video>',
  '<audio src=https://evil.example/a.mp3 autoplay>',
  '<body onload=alert(1)>',
  '<div style="background:url(https://evil.example/x)">x</div>',
  '<p id=__proto__ name=body>x</p>',
  '<template><script>alert(1)</script></template>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<!--><img src=x onerror=alert(1)>-->',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java\nscript:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](javascript&colon;alert(1))',
  '[x](\u0001javascript:alert(1))',
  '[x](vbscript:msgbox(1))',
  '[x](file:///etc/passwd)',
  '[x](command:workbench.action.quit)',
  '[x](vscode://extension/evil)',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](//evil.example)',
  '[x](https://e.org "onmouseover=alert(1)")',
  '[x](https://e.org" onmouseover="alert(1))',
  '![x](javascript:alert(1))',
  '![x](https://evil.example/track.png)',
  '![x"onerror="alert(1)](https://evil.example/x.png)',
  '![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)',
  '![x](data:text/html,<script>alert(1)</script>)',
  '[![x](https://evil.example/x.png)](javascript:alert(1))',
  '[a]: javascript:alert(1)\n\n[a]',
  '[a]: https://e.org "<img src=x onerror=alert(1)>"\n\n[a]',
  '<javascript:alert(1)>',
  '<https://e.org/"onmouseover="alert(1)>',
  '`<img src=x onerror=alert(1)>`',
  '```"onmouseover="alert(1)\nx\n```',
  '```html\n<script>alert(1)</script>\n```',
  '```<img/src=x/onerror=alert(1)>\nx\n```',
  '| <img src=x onerror=alert(1)> |\n|:-:|\n| <script>alert(1)</script> |',
  '> <iframe src=javascript:alert(1)>',
  '1. <svg/onload=alert(1)>',
  '# <img src=x onerror=alert(1)>',
]

for (const attack of attacks) {
  test(`harmless: ${JSON.stringify(attack)}`, () => {
    assertSafe(rendered(attack))
    assertSafe(rendered([{ kind: 'literal', text: attack }]))
    assertSafe(
      rendered([
        { kind: 'markdown', text: 'a ' },
        { kind: 'literal', text: attack },
        { kind: 'markdown', text: ' b' },
      ]),
    )
  })
  test(`the sanitizer alone stops ${JSON.stringify(attack)}`, () => {
    const element = window.document.createElement('div')
    element.append(sanitize(attack))
    assertSafe(element)
  })
}

test('nothing dangerous survives in any Markdown', () => {
  const piece = fc.oneof(
    fc.constantFrom(...attacks),
    fc.constantFrom(
      '[',
      ']',
      '(',
      ')',
      '!',
      '<',
      '>',
      '"',
      '`',
      '```',
      '\n',
      '\n\n',
      '    ',
      '|',
      '- ',
      '\\',
      '&',
      'https://',
      'data:image/png;base64,AA',
      'javascript:',
      ' onerror=',
      '\ue000',
    ),
    fc.string({ maxLength: 6 }),
  )
  const part = fc.record({
    kind: fc.constantFrom('markdown' as const, 'literal' as const),
    text: fc.array(piece, { maxLength: 6 }).map((it) => it.join('')),
  })
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), (parts) => assertSafe(rendered(parts))),
    { numRuns: propertyRuns },
  )
})

test('literal text is on the page unchanged, wherever it stands', () => {
  const literal = fc.string({
    minLength: 1,
    maxLength: 12,
    unit: fc.constantFrom('a', '<', '|', '>', '\n', ' ', '*', '`', '&', '😀'),
  })
  const around = fc.constantFrom('', 'text ', '\n\n', '```\n', '- item ', '| a |\n|---|\n| ', '`', '> ')
  fc.assert(
    fc.property(around, literal, around, (before, text, after) => {
      const element = rendered([
        { kind: 'markdown', text: before },
        { kind: 'literal', text },
        { kind: 'markdown', text: after },
      ])
      assert.ok(element.textContent.includes(text), element.innerHTML)
    }),
  )
})

test('a literal block alone is a block; within a line it is in the line; in code it is part of the code', () => {
  const literal = { kind: 'literal', text: '**<|end|>**' } as const
  const markdown = (text: string) => ({ kind: 'markdown', text }) as const
  assert.equal(rendered([literal]).querySelector('pre.literal')?.textContent, literal.text)
  assert.equal(
    rendered([markdown('an '), literal]).querySelector('p > code.literal')?.textContent,
    literal.text,
  )
  const code = rendered([markdown('```\na\n'), literal, markdown('\n```')])
  assert.equal(code.querySelector('pre > code')?.textContent, `a\n${literal.text}\n`)
  assert.equal(code.querySelectorAll('figure').length, 1)
})

test('blocks know their line, behind literal blocks of several lines too', () => {
  const element = rendered([
    { kind: 'markdown', text: 'a\n\n' },
    { kind: 'literal', text: 'x\ny\nz' },
    { kind: 'markdown', text: '\n\nb\n\n```\ncode\n```\n\n| t |\n|---|\n| 1 |' },
  ])
  const lines = [...element.children].map((child) => [child.tagName, child.getAttribute('data-line')])
  assert.deepEqual(lines, [
    ['P', '0'],
    ['PRE', '2'],
    ['P', '6'],
    ['FIGURE', '8'],
    ['DIV', '12'],
  ])
})

test('code has a caption, a copy button and colours', () => {
  const figure = rendered('```ts\nconst a = 1\n```').querySelector('figure')
  assert.equal(figure?.querySelector('figcaption')?.textContent, 'TypeScript')
  assert.ok(figure?.querySelector('button[data-action="copy-code"]'))
  assert.equal(figure?.querySelector('.hljs-keyword')?.textContent, 'const')
  assert.equal(figure?.querySelector('code')?.textContent, 'const a = 1\n')
})

test('an unknown language and very long code stay plain', () => {
  assert.equal(rendered('```klingon\nconst a\n```').querySelector('[class^=hljs]'), null)
  assert.equal(
    rendered(`\`\`\`ts\n${'const a = 1\n'.repeat(6000)}\`\`\``).querySelector('[class^=hljs]'),
    null,
  )
})

test('a very long message is shown as it stands, and says so', () => {
  const text = '**a** '.repeat(20_000)
  const element = rendered(text)
  assert.equal(element.children.length, 2)
  assert.match(element.children[0]?.textContent ?? '', /^Shown as plain text/)
  assert.equal(element.children[1]?.textContent, text)
})

test('links keep their address and show it; file names are no links', () => {
  const link = rendered('[docs](https://e.org/a?b=1&c=2)').querySelector('a')
  assert.equal(link?.getAttribute('href'), 'https://e.org/a?b=1&c=2')
  assert.equal(link?.title, 'https://e.org/a?b=1&c=2')
  assert.equal(rendered('see https://e.org.').querySelector('a')?.textContent, 'https://e.org')
  assert.equal(rendered('README.md and e.org').querySelector('a'), null)
})

test('no image is loaded by itself', () => {
  const inline = rendered('![chart](data:image/png;base64,iVBORw0KGgo=)')
  assert.equal(inline.querySelector('img'), null)
  assert.equal(inline.querySelector('button')?.textContent, 'Show image: chart')
  const remote = rendered('![logo](https://e.org/x.png)')
  assert.equal(remote.querySelector('img'), null)
  assert.equal(remote.querySelector('a')?.getAttribute('href'), 'https://e.org/x.png')
})

test('an image within the text is nowhere to go', () => {
  const image = 'data:image/png;base64,AA=='
  for (const [markdown, shown] of [
    [`\\![x](${image})`, `![x](${image})`],
    [`[**x** y](${image} "title") z`, `[x y](${image}) z`],
    [`[a][b]\n\n[b]: ${image}`, `[a](${image})`],
    [`<${image}>`, `<${image}>`],
    [`[x](${image}) [y](https://e.org)`, `[x](${image}) y`],
  ] as const) {
    const element = rendered(markdown)
    assert.equal(element.textContent?.trim(), shown)
    assert.equal(element.querySelector('a[href^="data"]'), null)
  }
})

test('what stands behind the language of a block of code is shown', () => {
  const element = rendered('```ts title="a <b>"\nlet x\n```\n\n```ts\nlet y\n```')
  assert.deepEqual(
    [...element.querySelectorAll('p')].map((it) => it.textContent),
    ['ts title="a <b>"'],
  )
  assert.equal(element.querySelectorAll('pre > code.language-ts').length, 2)
})

test('tables keep their alignment without inline styles', () => {
  const element = rendered('| a | b |\n|--:|:-:|\n| 1 | 2 |')
  assert.deepEqual(
    [...element.querySelectorAll('td')].map((cell) => cell.className),
    ['align-right', 'align-center'],
  )
  assert.equal(element.querySelector('[style]'), null)
})

test('tasks are boxes', () => {
  const labels = [...rendered('- [x] typed\n- [ ] tested').querySelectorAll('.task')].map((box) =>
    box.getAttribute('aria-label'),
  )
  assert.deepEqual(labels, ['done', 'to do'])
})

test('a line break in a message is one on the page', () => {
  assert.ok(rendered('one\ntwo').querySelector('br'))
})

test('the policy allows the page its own script and style, images from data, and nothing else', () => {
  const html = previewHtml({ nonce: 'n', script: 'https://x/main.js?a&b"', style: 'https://x/main.css' })
  assert.equal(
    new window.DOMParser()
      .parseFromString(html, 'text/html')
      .querySelector('[http-equiv="Content-Security-Policy"]')
      ?.getAttribute('content'),
    "default-src 'none'; script-src 'nonce-n'; style-src 'nonce-n'; img-src data:; base-uri 'none'; form-action 'none'",
  )
  assert.ok(html.includes('src="https://x/main.js?a&amp;b&quot;"'))
  assert.doesNotMatch(html, /\son\w+=|unsafe|<style|javascript:/)
  assert.match(freshNonce(), /^[0-9a-f]{32}$/)
  assert.notEqual(freshNonce(), freshNonce())
})

test('JSON is a block of code, word for word, whatever it says', () => {
  const text = '{"a": "**b** <i> $x$",\n "c": [1]'
  const element = window.document.createElement('div')
  element.append(createRender(window)({ parts: [{ kind: 'markdown', text }], isJson: true }))
  assert.equal(element.querySelector('figure.code code.language-json')?.textContent, text)
  assert.ok(element.querySelector('.hljs-attr'))
  assert.equal(element.querySelector('strong, i, math'), null)
  assertSafe(element)
})

test('text that stands deeper than Markdown is read is shown as it is written: no word is missing', () => {
  for (const mark of ['> ', '- ', '1. ']) {
    for (const depth of [20, 45, 47, 48, 49, 50, 51, 97, 98, 99, 100, 101, 500]) {
      const element = rendered(`${mark.repeat(depth)}secret words\n\nbehind`)
      assert.match(element.textContent ?? '', /secret words.*behind/s, `${depth} times ${mark}`)
      assertSafe(element)
    }
  }
  const parts = [
    { kind: 'markdown', text: '> '.repeat(200) },
    { kind: 'literal', text: '<|end|>' },
  ] as const
  assert.match(rendered(parts).textContent ?? '', /> <\|end\|>/)
})

test('what comes from the page is checked', () => {
  assert.deepEqual(fromPage({ kind: 'openLink', href: 'x', more: 1 }), { kind: 'openLink', href: 'x' })
  assert.equal(fromPage({ kind: 'want', index: -1, isJump: true }), undefined)
  // Adding one to it gives the same number: a loop would never end.
  for (const index of [2 ** 53, Number.MAX_SAFE_INTEGER, 2 ** 32 + 1, 0.5, '1'])
    assert.equal(fromPage({ kind: 'want', index, isJump: true }), undefined)
  assert.equal(fromPage({ kind: 'scrolled', id: 'a', line: Number.NaN }), undefined)
  assert.equal(pageState({ uri: 1 }), undefined)
  fc.assert(
    fc.property(fc.anything(), (value) => {
      fromPage(value)
      pageState(value)
    }),
  )
})
