/** The debug view: what is hidden crosses under its own kinds only, is labelled, and leaves nothing behind. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { type AnyMessage, parseEverything } from '../../client/src/preview/everything-source.ts'
import { everythingView } from '../../client/src/preview/everything-view.ts'
import { PageChannel } from '../../client/src/preview/page-channel.ts'
import type { EverythingMessage, ToPage } from '../../client/src/preview/preview-protocol.ts'
import { PreviewSession } from '../../client/src/preview/session.ts'
import { TestPage } from './dom.ts'
import { canary, edits, transcripts } from './transcripts.ts'
import { openVisible } from './visible-page.ts'

const weather = [
  'version: 2.2\n',
  '<|start|>system<|message|>Be brief.<|end|>\n',
  '<|start|>user<|message|>Hot?<|end|>\n',
  '<|start|>assistant<|channel|>analysis intent=preamble<|message|>Look it up.<|end|>\n',
  '<|start|>assistant to=functions.w call_id=c<|channel|>commentary<|constrain|>json<|message|>{}<|call|>\n',
  '<|start|>tool name=functions.w call_id=c<|message|>{"t":21}<|end|>\n',
  '<|start|>assistant<|channel|>final<|message|><|start_reason|>21 is mild.<|end_reason|>No.<|end|>\n',
  '<|start|>narrator<|message|>Who?<|end|>\n',
  '<|start|>assistant',
].join('')

function everythingSession(text: string): PreviewSession<AnyMessage> {
  return new PreviewSession(
    text,
    (it) => parseEverything(it),
    () => () => {},
  )
}

/** What crosses of a document when Everything is on. */
function everythingMessages(text: string): EverythingMessage[] {
  const messages: EverythingMessage[] = []
  const channel = new PageChannel(
    everythingView,
    (message) => {
      if (message.kind !== 'everythingUpdate') return
      for (const change of message.changes) if (change.kind === 'insert') messages.push(change.message)
    },
    () => {},
  )
  channel.open({ uri: 'file:///a.ocm', session: everythingSession(text) })
  channel.takeOver({ index: 0, line: 0 })
  return messages
}

/** A page with Everything of `text`. */
function everythingPage(text: string): TestPage {
  const page = new TestPage()
  const channel = new PageChannel(everythingView, page.send, () => {})
  channel.open({ uri: 'file:///a.ocm', session: everythingSession(text) })
  channel.takeOver({ index: 0, line: 0 })
  return page
}

test('a page that comes back with Everything is at its place among all messages', () => {
  const sent: ToPage[] = []
  const channel = new PageChannel(
    everythingView,
    (message) => sent.push(message),
    () => {},
  )
  const session = everythingSession(weather)
  channel.open({ uri: 'file:///a.ocm', session })
  const back = { kind: 'ready', uri: 'file:///a.ocm', index: 1, line: 0 } as const
  channel.receive({ ...back, hidden: { index: 4, line: 2 } })
  const update = sent.findLast((message) => message.kind === 'everythingUpdate')
  assert.deepEqual(update?.top, { id: session.entries[4]?.id, line: 2 })
})

test('every message is there, in place, with the reason and the section', () => {
  const rows = everythingMessages(weather).map((it) =>
    it.kind === 'visible'
      ? ['visible', it.message.role]
      : ['hidden', it.role, ...it.labels, '·', it.reason, it.section],
  )
  assert.deepEqual(rows, [
    ['hidden', 'system', '·', 'messages of this role are never shown.', '2.2 §4, D15'],
    ['visible', 'user'],
    [
      'hidden',
      'assistant',
      'analysis',
      'preamble',
      '·',
      'analysis is private reasoning, whoever wrote it.',
      '2.2 §5, D15',
    ],
    [
      'hidden',
      'assistant',
      'commentary',
      'to functions.w',
      'call c',
      'json',
      '·',
      'a tool call is never shown.',
      '2.2 §8, D15',
    ],
    ['hidden', 'tool', 'functions.w', 'call c', '·', 'messages of this role are never shown.', '2.2 §4, D15'],
    ['visible', 'assistant'],
    ['hidden', 'narrator', '·', 'its role is unknown, and whatever is in doubt stays hidden.', '2.2 §4, D15'],
    ['hidden', 'assistant', '·', 'it asks for the next message and has no text.', '2.2 §9, D18'],
  ])
})

test('E-PERM-VISIBILITY is explained where it stands', () => {
  const violations = everythingMessages(weather).map(({ violation }) => violation?.slice(0, 40))
  assert.deepEqual(violations, [
    undefined,
    undefined,
    'intent=preamble stands on a message that',
    undefined,
    undefined,
    'A marker of private thought stands in te',
    undefined,
    undefined,
  ])
})

test('private blocks are shown beside the message that they are cut out of', () => {
  const answer = everythingMessages(weather)[5]
  assert.equal(answer?.kind === 'visible' && answer.privateText.includes('21 is mild.'), true)
  assert.equal(answer?.kind === 'visible' && answer.message.parts.map(({ text }) => text).join(''), 'No.')
})

test('an answer says with which tools it was made, in Everything only', () => {
  const call = (tool: string, id: string) =>
    `<|start|>assistant to=functions.${tool} call_id=${id}<|channel|>commentary<|message|>{}<|call|>`
  const text = [
    call('before', 'a'),
    '<|start|>user<|message|>Go<|end|>',
    call('one', 'b'),
    call('two', 'c'),
    '<|start|>assistant<|channel|>commentary intent=preamble<|message|>Looking<|end|>',
    call('one', 'd'),
    '<|start|>assistant<|channel|>final<|message|>Done<|end|>',
    '<|start|>assistant<|channel|>final<|message|>Really<|end|>',
  ].join('')
  const tools = everythingMessages(text).map((it) => (it.kind === 'visible' ? it.tools : undefined))
  assert.deepEqual(
    tools.filter((it) => it !== undefined),
    [[], [], ['functions.one', 'functions.two'], []],
  )
  const notes = [...everythingPage(text).document.querySelectorAll('.notes .tools')].map(
    (it) => it.textContent,
  )
  assert.deepEqual(notes, ['Answered with 2 tools: functions.one, functions.two'])
})

test('a call is joined with its reply, and leads to it', () => {
  const [call, reply] = everythingMessages(weather).slice(3, 5)
  assert.deepEqual(call?.kind === 'hidden' && call.exchange, {
    kind: 'call',
    isPaired: true,
    isJoined: false,
  })
  assert.deepEqual(reply?.kind === 'hidden' && reply.exchange, {
    kind: 'reply',
    isPaired: true,
    isJoined: true,
  })
  const session = everythingSession(weather)
  assert.equal(session.indexOfPartner(session.entries[3]!.id), 4)
  assert.equal(session.indexOfPartner(session.entries[4]!.id), 3)
  assert.equal(session.indexOfPartner(session.entries[0]!.id), -1)
  const page = everythingPage(weather)
  assert.ok(page.articles[4]?.classList.contains('joined'))
  page.articles[3]?.querySelector<HTMLElement>('[data-action=partner]')?.click()
  assert.deepEqual(page.said('goToPartner'), [{ kind: 'goToPartner', id: page.articles[3]?.dataset.id }])
})

test('what is hidden crosses under kinds that begin with `everything`, and under no other', () => {
  fc.assert(
    fc.property(transcripts, (text) => {
      const sent: ToPage[] = []
      const channel = new PageChannel(
        everythingView,
        (message) => sent.push(message),
        () => {},
      )
      channel.open({ uri: 'file:///a.ocm', session: everythingSession(text) })
      channel.takeOver({ index: 0, line: 0 })
      const others = sent.filter(({ kind }) => !kind.startsWith('everything'))
      assert.ok(!JSON.stringify(others).includes(canary))
      assert.ok(sent.every(({ kind }) => kind !== 'update' && kind !== 'open'))
    }),
  )
})

test('leaving Everything leaves nothing behind, and the state of the page never had it', () => {
  fc.assert(
    fc.property(transcripts, (text) => {
      const page = everythingPage(text)
      assert.ok(!JSON.stringify(page.state).includes(canary))
      const channel = openVisible(page, text)
      channel.takeOver({ index: 0, line: 0 })
      assert.ok(!page.document.documentElement.outerHTML.includes(canary))
      assert.equal(page.document.querySelector<HTMLElement>('.everything-banner')?.hidden, true)
    }),
    { numRuns: 30 },
  )
})

test('nothing hidden is left on the page between two views', () => {
  const page = everythingPage(weather)
  assert.match(page.document.body.textContent ?? '', /Be brief/)
  for (const kind of ['open', 'replayOpen'] as const) {
    page.send({ kind, uri: 'file:///a.ocm', isLocked: false, hasMath: true })
    assert.doesNotMatch(page.document.documentElement.outerHTML, /Be brief/)
  }
  page.send({ kind: 'open', uri: 'file:///a.ocm', isLocked: false, hasMath: true })
  assert.equal(page.document.querySelector('[data-view=user]')?.getAttribute('aria-pressed'), 'true')
})

test('a page that was not told of Everything shows nothing of it', () => {
  const page = new TestPage()
  page.show([])
  page.send({
    kind: 'everythingUpdate',
    sequence: 9,
    first: 0,
    total: 1,
    changes: [
      {
        kind: 'insert',
        message: {
          kind: 'hidden',
          id: '1',
          role: 'system',
          labels: [],
          text: canary,
          reason: '',
          section: '',
          omitted: 0,
        },
      },
    ],
  })
  assert.ok(!page.document.documentElement.outerHTML.includes(canary))
})

test('the page says that it is Everything, and the way out is a click', () => {
  const page = everythingPage(weather)
  const banner = page.document.querySelector<HTMLElement>('.everything-banner')
  assert.equal(banner?.hidden, false)
  assert.match(banner?.textContent ?? '', /^Hidden text is shown\. Dimmed messages are hidden from users\./)
  banner?.querySelector('button')?.click()
  assert.deepEqual(page.said('chooseView'), [{ kind: 'chooseView', view: 'user' }])
})

test('after any edits Everything holds what a fresh one holds', () => {
  fc.assert(
    fc.property(transcripts, fc.array(edits, { maxLength: 5 }), (text, changes) => {
      const session = everythingSession(text)
      let now = text
      for (const { from, to, text: inserted } of changes) {
        const [start, end] = [from, to]
          .map((part) => Math.floor(part * now.length))
          .sort((one, other) => one - other) as [number, number]
        now = now.slice(0, start) + inserted + now.slice(end)
        session.edit([{ offset: start, length: end - start, text: inserted }])
      }
      const content = (it: PreviewSession<AnyMessage>) =>
        it.entries.map(({ ref }) => {
          const message = ref.read()
          return message?.kind === 'visible' ? message.message.parts : message
        })
      assert.deepEqual(content(session), content(everythingSession(now)))
    }),
  )
})

test('a message that becomes hidden changes its looks in place', () => {
  const page = everythingPage(weather)
  const ids = page.articles.map(({ dataset }) => dataset.id)
  const hidden = everythingMessages(weather)[0]
  assert.ok(hidden?.kind === 'hidden')
  page.send({
    kind: 'everythingUpdate',
    sequence: 99,
    first: 0,
    total: ids.length,
    changes: [{ kind: 'replace', message: { ...hidden, id: ids[1] ?? '' } }],
  })
  assert.deepEqual(
    page.articles.map(({ dataset }) => dataset.id),
    ids,
  )
  assert.ok(page.articles[1]?.classList.contains('hidden-message'))
})

test('axe finds nothing to complain about in Everything', async () => {
  const page = everythingPage(weather)
  page.window.eval(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
  const { axe } = page.window as unknown as { readonly axe: typeof import('axe-core') }
  const { violations } = await axe.run(page.document, { rules: { 'color-contrast': { enabled: false } } })
  assert.equal(JSON.stringify(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])), '[]')
})
