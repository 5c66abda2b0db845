/** What a message costs that is rendered: Markdown, math and colours grow with its length, whatever it says. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import hljs from 'highlight.js/lib/core'
import type { highlighted as Highlighted } from '../../client/render/highlight.ts'
import { highlighted, pieceLength } from '../../client/render/highlight.ts'
import type { htmlDocument as HtmlDocument } from '../../client/render/html-document.ts'
import type { markdownDocument as MarkdownDocument } from '../../client/render/markdown-document.ts'
import { longestMarkdown } from '../../client/render/markdown-to-html.ts'
import { formulaOf } from '../../client/render/math.ts'
import type { VisibleMessage } from '../../core/src/internal.ts'
import { countedModule, stepsOf } from '../helpers/growth/counted-work.ts'
import { proseProfiles } from '../helpers/growth/prose-profiles.ts'
import { isNight, nightly } from '../helpers/nightly.ts'
import { rendered } from './dom.ts'

function mathMl(tex: string, isBlock: boolean): string | undefined {
  return formulaOf(tex, isBlock).html
}

interface Rendering {
  readonly htmlDocument: typeof HtmlDocument
  readonly markdownDocument: typeof MarkdownDocument
  readonly highlighted: typeof Highlighted
}

let counted: Rendering

before(async () => {
  counted = await countedModule<Rendering>(`
    export { htmlDocument } from './client/render/html-document.ts'
    export { markdownDocument } from './client/render/markdown-document.ts'
    export { highlighted } from './client/render/highlight.ts'
  `)
})

function message(text: string): VisibleMessage {
  const parts = [{ kind: 'markdown', text }] as const
  return { parts, role: 'user', truncated: false, key: '0', offset: 0 }
}

function pieces(format: 'htmlDocument' | 'markdownDocument', text: string): string {
  const items = [{ kind: 'seen', message: message(text) }] as const
  return [...counted[format](items, { title: 'a', isDebug: false })].join('')
}

const own = [
  {
    name: 'lazy lines of nested quotations',
    text: (size: number) => '> '.repeat(90) + 'a\n'.repeat(size / 2),
  },
  { name: 'definitions', text: (size: number) => '$\\def\\a#1{#1#1#1}\\a{\\a{\\a{x}}}$ '.repeat(size / 34) },
  { name: 'tags in code', text: (size: number) => '`<b>` <b> '.repeat(size / 10) },
  { name: 'a table of tags', text: (size: number) => `|a|b|\n|-|-|\n${'|`<b>`|<b>\n'.repeat(size / 11)}` },
]
const size = isNight ? 3000 : 1500 // code units; the larger text is twice as long
const profiles = [...proseProfiles.filter(({ name }) => name.startsWith('answer: ')), ...own]

for (const format of ['htmlDocument', 'markdownDocument'] as const) {
  nightly(`${format} grows with the text`, async () => {
    const slow: string[] = []
    for (const { name, text } of profiles) {
      const [small, large] = [text(size), text(2 * size)]
      pieces(format, large) // what is made once is not counted
      const [one, two] = [
        await stepsOf(() => pieces(format, small)),
        await stepsOf(() => pieces(format, large)),
      ]
      if (two > 2.6 * one + 150_000) slow.push(`${name}: ${one} → ${two} steps`)
    }
    assert.deepEqual(slow, [])
  })
}

// Steps do not show what one expression does, and expressions that look back are what these texts were slow by.
test('long runs end', () => {
  const runs = Array.from({ length: 440 }, (_, index) => '`'.repeat(index + 1)).join(' ')
  for (const text of [
    `a${' '.repeat(99_000)}b`,
    `a${'\t'.repeat(99_000)}b`,
    runs,
    `a|b\n-|${' '.repeat(99_000)}x`,
  ]) {
    assert.ok(pieces('markdownDocument', text).length >= text.length)
    assert.ok(pieces('htmlDocument', text).length >= text.length)
  }
})

test('code is coloured in pieces, and what is open goes on', () => {
  const comment = `/*${'\n * one more line of the comment'.repeat(40)}\n*/\n`
  const html = highlighted(`${comment}int a = 1;\n`, 'c', () => 0) ?? '' // however busy the machine is
  assert.equal(html.replaceAll(/<[^>]*>/g, ''), `${comment}int a = 1;\n`)
  assert.match(html, /<span class="hljs-type">int<\/span> a = <span class="hljs-number">1<\/span>;/)
  const lines: string[] = []
  hljs.registerLanguage('probe', () => ({
    contains: [],
    __emitTokens: (code: string) => {
      lines.push(code)
    },
  }))
  const codes = [
    'a'.repeat(5000),
    'a\n'.repeat(2500),
    ' '.repeat(5000),
    '😀'.repeat(2000),
    `${'a'.repeat(700)}\n\n\n`,
  ]
  for (const code of codes) {
    lines.length = 0
    highlighted(code, 'probe', () => 0)
    assert.equal(lines.join(''), code)
    for (const it of lines) assert.ok([...it].length <= pieceLength, `${it.length}`)
  }
})

test('code that takes too long stays plain, and the work ends', () => {
  let time = 0
  let looks = 0
  const clock = () => {
    looks++
    time += 10
    return time
  }
  assert.equal(highlighted('/*'.repeat(29_000), 'rust', clock), undefined)
  assert.ok(looks < 60, `${looks}`)
  assert.match(highlighted('let a = 1;\n'.repeat(200), 'rust', clock) ?? '', /hljs-keyword/)
})

test('a macro that grows is no formula, however short it is', () => {
  for (const tex of [
    '\\def\\a#1{\\a{#1#1}}\\a{x}',
    `\\def\\a{${'x'.repeat(2400)}}${'\\a'.repeat(190)}`,
    `\\def\\a#1{${'#1'.repeat(1200)}}\\a{${'x'.repeat(1200)}}`,
    `\\edef\\a{xxxxxxxxxx}${'\\edef\\a{\\a\\a}'.repeat(60)}\\a`,
    `\\newcommand\\a[1]{\\b{#1#1}}\\newcommand\\b[1]{\\a{#1#1}}\\a{x}`,
  ]) {
    assert.equal(mathMl(tex, false), undefined, tex.slice(0, 60))
  }
  assert.match(mathMl('\\def\\a#1{#1^2}\\a{x}+\\a{y}', false) ?? '', /x.*2.*y.*2/)
})

test('text that is too long to be formatted says so', () => {
  const text = '**a** '.repeat(longestMarkdown / 6 + 1)
  assert.match(
    pieces('htmlDocument', text),
    /<p class="note">Shown as plain text, .*<\/p>\n<pre class="literal">\*\*a/,
  )
  assert.match(pieces('markdownDocument', text), /> \*Shown as plain text, .*\*\n>\n> ```text\n> \*\*a/)
  assert.match(rendered(text).textContent ?? '', /^Shown as plain text, /)
})

test('what looks like HTML is escaped where a reader of Markdown would see it', () => {
  for (const [text, expected] of [
    ['a <b> `<b>` \\<b>', '> a \\<b> `<b>` \\<b>'],
    ['\\\\<b>', '> \\\\\\<b>'],
    ['`a\n` <b> `', '> `a\n> ` \\<b> `'],
    ['- ` x\n- ` y\n`<b>`', '> - ` x\n> - ` y\n> `&lt;b>`'],
    ['\\`<b>`', '> \\`&lt;b>`'],
    ['e.org/<b> e.org/\\<b>', '> e.org/&lt;b> e.org/&lt;b>'],
    ['| `<b>` | <c> |\n|-|-|\n| <b> | `c<d>` |', '> | `<b>` | \\<c> |\n> |-|-|\n> | \\<b> | `c<d>` |'],
    ['```\n<b>\n```\n<c> <https://e.org>', '> ```\n> <b>\n> ```\n> \\<c> <https://e.org>'],
  ] as const) {
    assert.ok(
      pieces('markdownDocument', text).endsWith(`\n\n${expected}\n`),
      pieces('markdownDocument', text),
    )
  }
})
