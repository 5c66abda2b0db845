/** Merge conflicts in the preview: the sides apart, and nothing hidden in any of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyMessageOf, parserForEverything } from '../../client/src/preview/everything-source.ts'
import { everythingView } from '../../client/src/preview/everything-view.ts'
import { PageChannel } from '../../client/src/preview/page-channel.ts'
import { PreviewSession } from '../../client/src/preview/preview-session.ts'
import { parseVisible } from '../../client/src/preview/visible-source.ts'
import { Document, MergeConflicts, visibleMessageOf } from '../../core/src/internal.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'
import { assertSafe, TestPage } from './dom.ts'
import { canary, transcripts } from './transcripts.ts'
import { openVisible } from './visible-page.ts'

/** What the page shows of `text`: the text of each block, those of sides after their labels. */
function shown(text: string): readonly (readonly string[])[] {
  const page = new TestPage()
  openVisible(page, text).receive({ kind: 'ready', uri: '', index: 0, line: 0 })
  return page.articles.map((article) => {
    const content = article.querySelector('.content')
    assert.ok(content)
    assertSafe(content)
    return [...content.children].map((it) =>
      [...(it.className.startsWith('conflict') ? it.children : [it])]
        .map((block) => block.textContent?.trim())
        .join(': '),
    )
  })
}

const user = '<|start|>user<|message|>'

const found: readonly (readonly [title: string, text: string, blocks: readonly (readonly string[])[]])[] = [
  [
    'between messages',
    `${user}Hi<|end|>\n<<<<<<< HEAD\n${user}one<|end|>\n||||||| base\n${user}none<|end|>\n=======\n${user}eins<|end|>\n>>>>>>> x\n${user}Bye<|end|>\n`,
    [['Hi'], ['Current change: one'], ['Before both changes: none'], ['Incoming change: eins'], ['Bye']],
  ],
  [
    'in a body',
    `${user}Hi\n<<<<<<< HEAD\none <<|end|>\n=======\n<|literal|>*eins*<|endliteral|>\n>>>>>>> x\nBye<|end|>\n`,
    [['Hi', 'Current change: one <|end|>', 'Incoming change: *eins*', 'Bye']],
  ],
  [
    'with Windows line breaks, one side empty',
    `${user}Hi\r\n<<<<<<< HEAD\r\n=======\r\neins\r\n>>>>>>> x\r\nBye<|end|>\r\n`,
    [['Hi', 'Current change: No text', 'Incoming change: eins', 'Bye']],
  ],
  [
    'that both sides end their own way',
    `${user}Hi\n<<<<<<< HEAD\none<|end|>\n=======\neins<|end|>\n>>>>>>> x\n${user}Bye<|end|>\n`,
    [['Hi', 'Current change: one', 'Incoming change: eins'], ['Bye']],
  ],
  [
    'that begins in a header',
    `<<<<<<< HEAD\n${user}one\n=======\n${user}eins\n>>>>>>> x\nBye<|end|>\n`,
    [['Current change: one'], ['Incoming change: eins', 'Bye']],
  ],
  [
    'in code',
    `${user}What is this?\n\`\`\`\n<<<<<<< HEAD\none\n=======\neins\n>>>>>>> x\n\`\`\`\n<|end|>\n`,
    [['What is this?', 'Code<<<<<<< HEAD\none\n=======\neins\n>>>>>>> x']],
  ],
]

for (const [title, text, blocks] of found) {
  test(`the sides of a conflict are apart: ${title}`, () => assert.deepEqual(shown(text), blocks))
}

const alone = "Incoming change: The preview can't show this change alone. See the source."

/** What is hidden stays hidden, also where a side takes away what hides it. */
const hidden: readonly (readonly [title: string, text: string, blocks: readonly (readonly string[])[]])[] = [
  [
    'a thought that is open before both sides, and closed in one',
    `<|start|>assistant<|message|>Hi <|start_reason|>${canary}\n<<<<<<< HEAD\n${canary}<|end_reason|>one<|end|>\n=======\n${canary}<|end|>\n>>>>>>> ${canary}\n`,
    [['Hi', 'Current change: one', 'Incoming change: No text']],
  ],
  [
    'a header in the other side',
    `<|start|>assistant<|message|>Hi\n<<<<<<< HEAD\none<|end|>\n=======\n<|channel|>analysis<|message|>${canary}<|end|>\n>>>>>>> x\n`,
    [['Hi', 'Current change: one', alone]],
  ],
  [
    'a call in the other side',
    `<|start|>assistant<|message|>\n<<<<<<< HEAD\none<|end|>\n=======\n{"q": "${canary}"}<|call|>\n>>>>>>> x\n`,
    [['Current change: one', alone]],
  ],
  [
    'a literal block that only one side closes',
    `<|start|>assistant<|message|>Hi <|literal|>\n<<<<<<< HEAD\n<|endliteral|>one<|end|>\n=======\n<|start_reason|>${canary}<|end_reason|>eins<|end|>\n>>>>>>> x\n`,
    [['Hi', 'Current change: one', alone]],
  ],
  [
    'markers in hidden messages',
    `<|start|>assistant<|channel|>analysis<|message|>\n<<<<<<< ${canary}\n${canary}<|end|>\n${user}Hi<|end|>\n=======\n>>>>>>> ${canary}\n`,
    [['Current change: Hi']],
  ],
]

for (const [title, text, blocks] of hidden) {
  test(`a conflict shows nothing hidden: ${title}`, () => {
    const all = shown(text)
    assert.ok(!JSON.stringify(all).includes(canary))
    assert.deepEqual(all, blocks)
  })
}

const markers = fc.constantFrom('<<<<<<< HEAD', '||||||| base', '=======', '>>>>>>> other')

/** Transcripts with markers on lines of their own, anywhere. */
const conflicting = fc
  .tuple(
    transcripts,
    fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), markers), { maxLength: 8 }),
  )
  .map(([text, places]) =>
    places.reduce((all, [part, marker]) => {
      const at = Math.floor(part * all.length)
      return `${all.slice(0, at)}\n${marker}\n${all.slice(at)}`
    }, text),
  )

test('property: the stretches of a message are what is shown of it without conflicts, but for markers and other sides', () => {
  fc.assert(
    fc.property(conflicting, (text) => {
      const { analysis } = new Document(text)
      const conflicts = new MergeConflicts(analysis)
      for (const located of analysis.transcript.segments()) {
        const plain = visibleMessageOf(analysis, located)
        const apart = visibleMessageOf(analysis, located, conflicts.of(located.segment))
        const { sides, ...rest } = apart ?? {}
        assert.deepEqual(apart && rest, plain)
        if (!plain || !sides) continue
        const whole = plain.parts.map((it) => it.text).join('')
        let at = 0
        for (const { parts = [] } of sides) {
          const stretch = parts.map((it) => it.text).join('')
          const found = whole.indexOf(stretch, at)
          if (found >= 0) at = found + stretch.length
          // Only a side that comes after the end of the body is not in it.
          else assert.ok(parts === sides.at(-1)?.parts || parts === sides.at(-2)?.parts, stretch)
        }
      }
    }),
    { numRuns: propertyRuns },
  )
})

/** *Everything* of `text` on a page. */
function everything(text: string) {
  const page = new TestPage()
  const channel = new PageChannel(everythingView, page.send, () => {})
  const parse = parserForEverything({ problems: () => [], flags: () => [] })
  const session = new PreviewSession(
    text,
    (it) => parse(it),
    () => () => {},
  )
  channel.open({ uri: 'file:///a.ocm', session })
  channel.receive({ kind: 'ready', uri: '', index: 0, line: 0 })
  return { page, channel, session }
}

const conflict = (one: string, other: string) => `<<<<<<< HEAD\n${one}\n=======\n${other}\n>>>>>>> x`
const thought = '<|start|>assistant<|channel|>analysis<|message|>'
const callHead =
  '<|start|>assistant to=functions.f call_id=c<|channel|>commentary<|constrain|>json<|message|>'
const replyHead = '<|start|>tool name=functions.f call_id=c<|channel|>commentary<|message|>'

/** What *Everything* shows of hidden messages with conflicts. */
const inHidden: readonly (readonly [title: string, text: string, blocks: readonly string[]])[] = [
  [
    'reasoning',
    `${thought}Hm\n${conflict('<|start_reason|>one<|end_reason|>', 'eins <<|end|>')}\nSo.<|end|>\n`,
    ['Hm', 'Current change: <|start_reason|>one<|end_reason|>', 'Incoming change: eins <|end|>', 'So.'],
  ],
  [
    'reasoning that each side ends itself',
    `${thought}Hm\n${conflict('one<|end|>', 'eins<|end|>')}\n${user}Hi<|end|>\n`,
    ['Hm', 'Current change: one', 'Incoming change: eins'],
  ],
  [
    'instructions',
    `<|start|>developer<|message|>\n${conflict('Be brief.', '')}\n<|end|>\n`,
    ['Current change: Be brief.', 'Incoming change: No text'],
  ],
  [
    'a call',
    `${callHead}{\n${conflict('"q": 1', '"q": 2')}\n}<|call|>\n`,
    ['{', 'Current change: "q": 1', 'Incoming change: "q": 2', '}'],
  ],
  [
    'a call that each side ends itself',
    `${callHead}\n${conflict('{"q": 1}<|call|>', '{"q": 2}<|call|>')}\n`,
    ['Current change: {"q": 1}', 'Incoming change: {"q": 2}'],
  ],
  [
    'a reply, shown with its call',
    `${callHead}{"q": 1}<|call|>\n${replyHead}\n${conflict('one', 'eins')}\n<|end|>\n`,
    ['q1', 'Current change: one', 'Incoming change: eins'],
  ],
  [
    'a header in the other side',
    `${thought}Hm\n${conflict('one<|end|>', '<|channel|>final<|message|>eins<|end|>')}\n`,
    ['Hm', 'Current change: one', alone],
  ],
]

for (const [title, text, blocks] of inHidden) {
  test(`*Everything* shows the sides of a conflict apart: ${title}`, () => {
    const { page } = everything(text)
    const [card] = page.articles
    const shown = [
      ...(card?.querySelectorAll('.content .value, .content .conflict-note, .content .short') ?? []),
    ]
      .filter((it) => !it.closest('.raw') && !it.parentElement?.closest('.short'))
      .map((it) => {
        const side = it.closest('.conflict')?.querySelector('.conflict-side')
        return `${side ? `${side.textContent}: ` : ''}${it.textContent?.trim()}`
      })
    assert.deepEqual(shown, blocks)
    assert.ok(!card?.querySelector('.card-head')?.textContent?.includes('<<<<<<<'))
    assert.ok(!openedByUsers(text).includes('"sides"'))
  })
}

/** All that crosses to the page of what users see. */
function openedByUsers(text: string): string {
  const source = parseVisible(text)
  return JSON.stringify(source.messages().map((it) => it.read()))
}

test('words of conflicts in hidden messages are found in *Everything* without the markers, and long ones are cut', () => {
  const parse = parserForEverything({ problems: () => [], flags: () => [] })
  const text = `${thought}\n${conflict('one', 'eins')}<|end|>\n${callHead}\n${conflict('two', 'zwei')}\n<|call|>\n`
  const found = (limit: number) =>
    parse(text)
      .messages()
      .map((it) => {
        const entry = it.read()
        assert.ok(entry)
        return everythingView
          .textsOf(everythingView.shown('m', entry, limit), () => true)
          .map((words) => words.trim())
      })
  assert.deepEqual(found(1000), [
    ['one', 'eins'],
    ['two', 'zwei'],
  ])
  assert.deepEqual(found(5), [
    ['one', 'e'],
    ['t', ''],
  ])
})

test('property: *Everything* leaves nothing of a hidden message out but markers', () => {
  fc.assert(
    fc.property(conflicting, (text) => {
      const { analysis } = new Document(text)
      const conflicts = new MergeConflicts(analysis)
      for (const located of analysis.transcript.segments()) {
        const message = anyMessageOf(analysis, located, conflicts.of(located.segment))
        if (message?.kind !== 'hidden' || !message.sides) continue
        let at = 0
        for (const { parts = [] } of message.sides) {
          const stretch = parts.map((it) => it.text).join('')
          const found = message.text.indexOf(stretch, at)
          const skipped = message.text.slice(at, Math.max(at, found))
          assert.match(skipped, /^(?:\s|[<|=>]{7}[^\n]*\n?)*$/)
          if (found >= 0) at = found + stretch.length
        }
      }
    }),
    { numRuns: propertyRuns },
  )
})

test('*Everything* names the side of hidden messages', () => {
  const analysis = '<|start|>assistant<|channel|>analysis<|message|>'
  const call = (id: string) =>
    `<|start|>assistant to=functions.f call_id=${id}<|channel|>commentary<|constrain|>json<|message|>{}<|call|>\n`
  const text = `${user}Hi<|end|>\n<<<<<<< HEAD\n${analysis}one<|end|>\n${call('a')}=======\n${call('b')}>>>>>>> x\n`
  const { page, channel, session } = everything(text)
  const badges = () => page.articles.map((it) => it.querySelector('.conflict-badge')?.textContent ?? 'none')
  assert.deepEqual(badges(), ['none', 'Current change', 'Current change', 'Incoming change'])
  session.edit([{ offset: text.indexOf('>>>>>>>'), length: 1, text: '' }])
  channel.receive({ kind: 'applied', sequence: 1 })
  channel.receive({ kind: 'want', index: 0, isJump: false })
  assert.deepEqual(badges(), ['none', 'none', 'none', 'none'])
})

test('the conflicts of a long transcript are looked for after its first messages are shown', async () => {
  const filler = `${user}${'words '.repeat(1_000_000)}<|end|>\n`
  const text = `${user}Hi\n<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> x\nBye<|end|>\n${filler}`
  await new Promise<void>((done) => {
    const source = parseVisible(text, {}, () => {
      assert.equal(source.messages()[0]?.read()?.sides?.length, 4)
      done()
    })
    assert.equal(source.messages()[0]?.read()?.sides, undefined)
  })
})
