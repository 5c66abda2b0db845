/**
 * The page of the preview and exported files of every fixture, malformed shapes included: what their expectations call visible is in
 * them, and no other word, nor does one cross to the page.
 */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { ConversationItem } from '../../client/render/exported-conversation.ts'
import { htmlDocument } from '../../client/render/html-document.ts'
import { markdownDocument } from '../../client/render/markdown-document.ts'
import { analyze, type ParseOptions, Transcript, visibleMessages } from '../../core/src/internal.ts'
import { type Fixture, fixturesIn } from '../helpers/expected-transcript.ts'
import { freshWindow, TestPage } from './dom.ts'
import { openVisible } from './visible-page.ts'

const options = { title: 'exported.ocm', isDebug: false }
const { document } = freshWindow()
const page = new TestPage()

/** What a file says by itself: labels, and the kinds of code blocks in Markdown. */
const chrome = 'exported.ocm User user Assistant assistant preamble cut off json text'

/** What the page and its messages say by themselves, whatever is hidden. */
const said = new Set(
  [
    '<|start|>user name=x<|message|>x<|end|>\n<|start|>assistant<|channel|>commentary intent=preamble<|message|>x<|end|>\n<|start|>assistant<|channel|>final<|constrain|>json<|message|>{}<|end|>\n<|start|>assistant<|channel|>final<|message|>x <|literal|>x<|endliteral|>',
    'version: 2.2\n',
    '<|start|>system<|message|>x<|end|>',
    '<|start|>assistant<|channel|>analysis<|message|>x<|end|><|start|>assistant to=functions.f call_id=x<|channel|>commentary<|message|>{}<|call|>',
  ].flatMap((text) => Object.values(previewed(text)).flatMap((it) => [...wordsIn(it)])),
)

const none: ReadonlySet<string> = new Set()

for (const folder of ['malformed', 'conformance', 'spec', 'decisions', 'ok', 'error']) {
  suite(`The page and exported files: ${folder}`, () => {
    for (const fixture of fixturesIn(folder)) {
      test(fixture.name, () => {
        const { visible, hidden } = wordsOf(fixture)
        const places = { ...exported(fixture), ...previewed(fixture.text, fixture.expected.options) }
        for (const [place, text] of Object.entries(places)) {
          const there = wordsIn(text)
          const own = place === 'page' || place === 'crossed' ? said : none
          // A word may cross in parts.
          for (const word of place === 'crossed' ? [] : visible)
            assert.ok(there.has(word), `${word} is visible, and not in ${place}`)
          for (const word of hidden)
            assert.ok(!there.has(word) || own.has(word), `${word} is hidden, and in ${place}`)
          for (const words of fixture.expected.never_visible ?? [])
            assert.ok(!text.includes(words), `${words} is never visible, and in ${place}`)
        }
      })
    }
  })
}

/** What a reader of each file, or of its source, finds in it. */
function exported({ text, expected }: Fixture): Readonly<Record<'html' | 'markdown', string>> {
  const analysis = analyze(Transcript.parse(text, expected.options))
  const items = [...visibleMessages(analysis)].map((message): ConversationItem => ({ kind: 'seen', message }))
  const html = document.createElement('html')
  html.innerHTML = [...htmlDocument(items, options)].join('').replace(/<style>.*?<\/style>/s, '')
  return {
    html: textOf(html, 'main *'),
    markdown: [...markdownDocument(items, options)].join(''),
  }
}

/** What is on the page of the preview after those of other transcripts, and what crossed to it from the extension host. */
function previewed(text: string, options?: ParseOptions): Readonly<Record<'page' | 'crossed', string>> {
  const crossed: string[] = []
  const send: TestPage['send'] = (message) => {
    JSON.stringify(message, (key, value: unknown) => {
      crossed.push(key, typeof value === 'object' ? '' : String(value))
      return value
    })
    page.send(message)
  }
  const channel = openVisible({ send }, text, undefined, undefined, options)
  channel.receive({ kind: 'ready', uri: '', index: 0, line: 0 })
  return { page: textOf(page.document.body, '*'), crossed: crossed.join('\n') }
}

/** All text of an element, and all that attributes of the chosen elements say. */
function textOf(root: Element, elements: string): string {
  const attributes = [...root.querySelectorAll(elements)].flatMap((it) =>
    [...it.attributes].filter(({ name }) => name !== 'class').map(({ value }) => value),
  )
  const texts = [...root.querySelectorAll('*')].flatMap((it) =>
    [...it.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ nodeValue }) => nodeValue ?? ''),
  )
  return [...texts, ...attributes].join('\n')
}

/** The words that an expectation, which no parser wrote, calls visible, and all others of the transcript. */
function wordsOf({ text, expected }: Fixture) {
  const texts = expected.visible ?? expected.visible_trimmed
  if (!texts) return { visible: [], hidden: [] } // a fixture about one word, which is under `never_visible`
  const names = expected.messages.filter(({ visible }) => visible !== false).map(({ name }) => name ?? '')
  const allowed = wordsIn([chrome, ...names, ...texts].join('\n'))
  return {
    visible: wordsIn(texts.join('\n')),
    hidden: [...wordsIn(text)].filter((word) => !allowed.has(word)),
  }
}

function wordsIn(text: string): Set<string> {
  return new Set(text.match(/[\p{L}\p{N}_]{3,}/gu) ?? [])
}
