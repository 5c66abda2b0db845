/** Exported files of every fixture, malformed shapes included: what their expectations call visible is in them, and no other word. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { ConversationItem } from '../../client/render/exported-conversation.ts'
import { htmlDocument } from '../../client/render/html-document.ts'
import { markdownDocument } from '../../client/render/markdown-document.ts'
import { analyze, Transcript, visibleMessages } from '../../core/src/internal.ts'
import { type Fixture, fixturesIn } from '../helpers/expected-transcript.ts'
import { freshWindow } from './dom.ts'

const options = { title: 'exported.ocm', isDebug: false }
const { document } = freshWindow()

/** What a file says by itself: labels, and the kinds of code blocks in Markdown. */
const chrome = 'exported.ocm User user Assistant assistant preamble cut off json text'

for (const folder of ['malformed', 'conformance', 'spec', 'decisions', 'ok', 'error']) {
  suite(`Exported files: ${folder}`, () => {
    for (const fixture of fixturesIn(folder)) {
      test(fixture.name, () => {
        const files = exported(fixture)
        const { visible, hidden } = wordsOf(fixture)
        for (const [format, text] of Object.entries(files)) {
          const there = wordsIn(text)
          for (const word of visible) assert.ok(there.has(word), `${word} is visible, and not in ${format}`)
          for (const word of hidden) assert.ok(!there.has(word), `${word} is hidden, and in ${format}`)
          for (const words of fixture.expected.never_visible ?? [])
            assert.ok(!text.includes(words), `${words} is never visible, and in ${format}`)
        }
      })
    }
  })
}

/** What a reader of each file, or of its source, finds in it. */
function exported({ text, expected }: Fixture): Readonly<Record<'html' | 'markdown', string>> {
  const analysis = analyze(Transcript.parse(text, expected.options))
  const items = [...visibleMessages(analysis)].map((message): ConversationItem => ({ kind: 'seen', message }))
  const page = document.createElement('html')
  page.innerHTML = [...htmlDocument(items, options)].join('').replace(/<style>.*?<\/style>/s, '')
  const attributes = [...page.querySelectorAll('main *')].flatMap((it) =>
    [...it.attributes].filter(({ name }) => name !== 'class').map(({ value }) => value),
  )
  return {
    html: [page.textContent, ...attributes].join('\n'),
    markdown: [...markdownDocument(items, options)].join(''),
  }
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
