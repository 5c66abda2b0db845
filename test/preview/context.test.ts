/** The context view: exactly what a model would be sent, with its tokens, under kinds of its own, and nothing of it stays behind. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import * as fc from 'fast-check'
import {
  type CountTexts,
  type PromptEntry,
  parserForContext,
} from '../../client/src/preview/context-source.ts'
import { contextView } from '../../client/src/preview/context-view.ts'
import { PageChannel } from '../../client/src/preview/page-channel.ts'
import type { ContextTotals, ToPage } from '../../client/src/preview/preview-protocol.ts'
import { PreviewSession } from '../../client/src/preview/preview-session.ts'
import { countTokens, readConversation } from '../../core/src/internal.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'
import { nightly } from '../helpers/nightly.ts'
import { TestPage } from './dom.ts'
import { canary, edits, transcripts } from './transcripts.ts'
import { openVisible } from './visible-page.ts'

/** A token a character: every character counts. */
const characters = { encode: (text: string) => [...text].map(() => 0) }
const counting: CountTexts = async (texts) => texts.map((it) => characters.encode(it).length)
const never: CountTexts = () => new Promise(() => {})

const chat = [
  'version: 2.2\n',
  '<|start|>developer<|message|>Be brief.<|end|>\n',
  '<|start|>user<|message|>Hot?<|end|>\n',
  '<|start|>assistant<|channel|>analysis<|message|>Look it up.<|end|>\n',
  '<|start|>assistant to=functions.w call_id=c<|channel|>commentary<|constrain|>json<|message|>{}<|call|>\n',
  '<|start|>tool name=functions.w call_id=c<|message|>{"t":21}<|end|>\n',
].join('')
const answered = `${chat}<|start|>assistant<|channel|>final<|message|>No.<|end|>\n<|start|>user<|message|>Sure?<|end|>\n<|start|>assistant`

/** A context view of `text`: what crosses, and the page, a new one unless what is on it does not matter. */
class Context {
  readonly page: TestPage
  readonly sent: ToPage[] = []
  readonly session: PreviewSession<PromptEntry>

  constructor(text: string, count: CountTexts = counting, page = new TestPage()) {
    this.page = page
    const parse = parserForContext(count)
    this.session = new PreviewSession(
      text,
      (it, touch) => parse(it, {}, touch),
      (task) => {
        const handle = setImmediate(task)
        return () => clearImmediate(handle)
      },
    )
    const channel = new PageChannel(
      contextView,
      (message) => {
        this.sent.push(message)
        this.page.send(message)
        queueMicrotask(() => {
          for (const said of this.page.posted.splice(0)) channel.receive(said)
        })
      },
      () => {},
    )
    this.page.posted.length = 0 // that the page is ready was heard by the channel before
    channel.open({ uri: 'file:///a.ocm', session: this.session })
    channel.takeOver({ index: 0, line: 0 })
  }

  /** Resolves when everything is counted and on the page. */
  counted(): Promise<ContextTotals> {
    const before = this.session.summary
    return new Promise((done) => {
      const stop = this.session.onChanged(() => {
        const { summary } = this.session
        if (!summary || !('sent' in summary) || summary === before || summary.state === 'counting') return
        stop()
        setImmediate(() => done(summary))
      })
    })
  }

  texts(selector: string): string[] {
    return [...this.page.document.querySelectorAll(selector)].map((it) => it.textContent ?? '')
  }
}

test('each message is there as the model gets it, with author, channel, recipient and type', () => {
  const context = new Context(answered, never)
  assert.deepEqual(
    [...context.page.document.querySelectorAll('.part')].map((part) => [
      part.querySelector('.name')?.textContent,
      [...part.querySelectorAll('.chip')].map((it) => it.textContent),
      part.querySelector('pre')?.textContent ?? part.querySelector('.why')?.textContent,
    ]),
    [
      ['developer', [], 'Be brief.'],
      ['user', [], 'Hot?'],
      ['assistant', ['analysis'], 'Look it up.'],
      ['assistant', ['commentary', 'to functions.w', 'json'], '{}'],
      ['functions.w', ['to assistant'], '{"t":21}'],
      ['assistant', ['final'], 'No.'],
      ['user', [], 'Sure?'],
      ['assistant', [], 'The model continues here.'],
    ],
  )
})

test('a prompt that is not filled says so: no model is sent its tags', async () => {
  const message = '<|start|>user<|message|>Hi {{ name }}<|end|>\n'
  const header = 'version: 2.2\ninputs:\n  name: { type: string }\n'
  for (const [text, says] of [
    [header + message, /^Hidden text is shown\. This prompt is not filled: .* Use Show Filled Prompt…/],
    [message, /^Hidden text is shown\. This is what the model is sent next\.$/],
  ] as const) {
    const context = new Context(text)
    await context.counted()
    assert.match(context.texts('.context-banner p')[0] ?? '', says)
  }
})

test('a reply that is sent in another place stays where it stands, and says so', async () => {
  const call = (id: string) =>
    `<|start|>assistant to=functions.w call_id=${id}<|channel|>commentary<|message|>{}<|call|>\n`
  const reply = (id: string) => `<|start|>tool name=functions.w call_id=${id}<|message|>${id}<|end|>\n`
  const context = new Context(call('a') + call('b') + reply('b') + reply('a'), never)
  assert.deepEqual(context.texts('.part pre').slice(2), ['b', 'a'])
  assert.deepEqual(
    context.texts('.why'),
    ['a', 'b'].map(
      (id) =>
        `Sent in place of the reply to call ${id}: replies of a tool are sent in the order of its calls. 2.2 §12.7, as Harmony does`,
    ),
  )
  // With the calls in the other order, both go where they stand.
  const shown = new Promise((done) => context.session.onChanged(() => setImmediate(done)))
  const { length } = call('a')
  context.session.edit([
    { offset: 0, length, text: '' },
    { offset: length, length: 0, text: call('a') },
  ])
  await shown
  assert.deepEqual(context.texts('.why'), [])
})

test('reasoning that an answer has spent is struck out; that of an unresolved call is kept, and marked', () => {
  const spent = new Context(answered, never)
  assert.deepEqual(spent.texts('del'), ['Look it up.'])
  assert.match(
    spent.texts('.part.dropped .why')[0] ?? '',
    /^Not sent: an answer has followed this reasoning\. 2\.2 §7, §12\.7$/,
  )
  const kept = new Context(chat, never)
  assert.deepEqual(kept.texts('del'), [])
  assert.match(
    kept.texts('.part.unresolved .why')[0] ?? '',
    /^Sent: this reasoning is kept until the assistant has answered\./,
  )
})

test('tokens are those of the conversion for completion, in all and message by message', async () => {
  const context = new Context(answered)
  const totals = await context.counted()
  const { conversation } = readConversation(answered)
  const expected = countTokens(conversation, characters, 'completion')
  assert.equal(totals.sent, expected.total)
  assert.equal(totals.sentMessages, expected.messages.length)
  assert.equal(totals.dropped + expected.total, countTokens(conversation, characters).total)
  assert.equal(totals.droppedMessages, 1)
  const shown = context.texts('.part:not(.dropped) .tokens').map((it) => Number.parseInt(it, 10))
  assert.deepEqual(
    shown.slice(0, -1),
    expected.messages.map(({ count }) => count),
  )
  assert.equal(
    shown.reduce((sum, it) => sum + it, 0),
    expected.total,
  )
  assert.match(
    context.texts('.totals')[0] ?? '',
    /^\d+ tokens in 6 messages; \d+ tokens of spent reasoning left out\.$/,
  )
})

test('tokens are those of the conversion for completion, whatever is written, and after edits', async () => {
  const page = new TestPage()
  await fc.assert(
    fc.asyncProperty(transcripts, fc.array(edits, { maxLength: 3 }), async (text, changes) => {
      const context = new Context(text, counting, page)
      let now = text
      await context.counted()
      for (const { from, to, text: inserted } of changes) {
        const [start = 0, end = 0] = [from, to]
          .map((it) => Math.floor(it * now.length))
          .sort((one, other) => one - other)
        now = now.slice(0, start) + inserted + now.slice(end)
        context.session.edit([{ offset: start, length: end - start, text: inserted }])
        await context.counted()
      }
      const { conversation } = readConversation(now, { from: 'ocm' })
      fc.pre(!/im_start|<\|fim/.test(now))
      const { summary } = context.session
      const sent = summary && 'sent' in summary ? summary.sent : undefined
      assert.equal(sent, countTokens(conversation, characters, 'completion').total)
    }),
    { numRuns: Math.ceil(propertyRuns / 3) },
  )
})

test('an edit counts the edited message only, and texts are handed over in bounded batches', async () => {
  const many = Array.from(
    { length: 3000 },
    (_, index) => `<|start|>user<|message|>number ${index}<|end|>\n`,
  ).join('')
  const asked: number[] = []
  const context = new Context(many, (texts) => {
    asked.push(texts.reduce((sum, it) => sum + it.length, 0))
    return counting(texts)
  })
  await context.counted()
  assert.ok(asked.length >= 3 && asked.every((length) => length <= 70_000), String(asked))
  asked.length = 0
  const at = many.indexOf('number 1500')
  context.session.edit([{ offset: at, length: 0, text: 'x' }])
  await context.counted()
  assert.ok(asked.reduce((sum, it) => sum + it, 0) < 100, String(asked))
})

test('counts that arrive leave the text alone', async () => {
  const context = new Context(answered)
  const before = context.page.document.querySelector('.part pre')
  await context.counted()
  assert.match(context.texts('.tokens')[0] ?? '', /token/)
  assert.equal(context.page.document.querySelector('.part pre'), before)
})

test('where nobody can count, the view says so and shows the rest', async () => {
  let canCount = false
  const context = new Context(answered, async (texts) => (canCount ? counting(texts) : undefined))
  assert.equal((await context.counted()).state, 'failed')
  assert.match(context.texts('.totals')[0] ?? '', /cannot be counted/)
  assert.equal(context.texts('.part').length, 8)
  canCount = true
  assert.equal((await context.counted()).state, 'done', 'it asks again')
})

test('it is labelled, and the way out is a click', () => {
  const { page, sent } = new Context(answered, never)
  const banner = page.document.querySelector<HTMLElement>('.context-banner')
  assert.equal(banner?.hidden, false)
  assert.match(banner?.textContent ?? '', /^Hidden text is shown\. This is what the model is sent next\./)
  banner?.querySelector('button')?.click()
  assert.deepEqual(page.said('chooseView'), [{ kind: 'chooseView', view: 'user' }])
  assert.ok(sent.length > 0)
})

test('what is hidden crosses under kinds that begin with `context`, and under no other', async () => {
  const page = new TestPage()
  await fc.assert(
    fc.asyncProperty(transcripts, async (text) => {
      const { sent } = new Context(text, never, page)
      assert.ok(!JSON.stringify(sent.filter(({ kind }) => !kind.startsWith('context'))).includes(canary))
      assert.ok(sent.every(({ kind }) => kind !== 'update' && kind !== 'open'))
      await turn() // else what the session has planned keeps every page
    }),
    { numRuns: Math.ceil(propertyRuns / 2) },
  )
})

test('leaving the view leaves nothing behind: not on the page, not in its state, not in what it says', async () => {
  await fc.assert(
    fc.asyncProperty(transcripts, async (text) => {
      const { page, counted } = contextOf(text)
      await counted
      assert.ok(!JSON.stringify(page.state).includes(canary))
      const channel = openVisible(page, text)
      channel.takeOver({ index: 0, line: 0 })
      assert.ok(!page.document.documentElement.outerHTML.includes(canary))
      assert.ok(!JSON.stringify([page.state, page.posted]).includes(canary))
      assert.equal(page.document.querySelector<HTMLElement>('.banner')?.hidden, true)
      assert.equal(page.document.querySelector('.totals')?.textContent, '')
    }),
    { numRuns: Math.ceil(propertyRuns / 4) },
  )
})

test('a page that was not told of the view shows nothing of it', () => {
  const page = new TestPage()
  page.show([])
  const part = { fate: 'sent', author: canary, labels: [canary], text: canary, omitted: 0 } as const
  const message = { kind: 'messages', id: '1', author: canary, parts: [part] } as const
  page.send({
    kind: 'contextUpdate',
    sequence: 9,
    first: 0,
    total: 1,
    changes: [{ kind: 'insert', message }],
  })
  page.send({
    kind: 'contextTotals',
    totals: { sent: 123456, dropped: 0, sentMessages: 1, droppedMessages: 0, state: 'done' },
  })
  assert.doesNotMatch(page.document.documentElement.outerHTML, new RegExp(`${canary}|123,456`))
})

nightly('axe finds nothing to complain about in the context view', async () => {
  const context = new Context(answered)
  await context.counted()
  const { page } = context
  page.window.eval(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
  const { axe } = page.window as unknown as { readonly axe: typeof import('axe-core') }
  const { violations } = await axe.run(page.document, { rules: { 'color-contrast': { enabled: false } } })
  assert.equal(JSON.stringify(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])), '[]')
})

function contextOf(text: string) {
  const context = new Context(text)
  return { page: context.page, counted: context.counted() }
}
