/** The debug view: what is hidden crosses under its own kinds only, is labelled, and leaves nothing behind. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  type EverythingEntry,
  type PlacedProblem,
  parserForEverything,
} from '../../client/src/preview/everything-source.ts'
import { everythingView } from '../../client/src/preview/everything-view.ts'
import { PageChannel } from '../../client/src/preview/page-channel.ts'
import type { EverythingMessage, ToPage } from '../../client/src/preview/preview-protocol.ts'
import { PreviewSession } from '../../client/src/preview/preview-session.ts'
import { parseVisible } from '../../client/src/preview/visible-source.ts'
import { editableSample, readSample, sampleMetadata, type TranscriptSample } from '../../core/src/internal.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'
import { nightly } from '../helpers/nightly.ts'
import { TestPage, windowsMayGo } from './dom.ts'
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

function everythingSession(
  text: string,
  problems: readonly PlacedProblem[] = [],
  flags: readonly (readonly string[])[] = [],
): PreviewSession<EverythingEntry> {
  return new PreviewSession(
    text,
    (it) => parserForEverything({ problems: () => problems, flags: () => flags })(it),
    (run) => {
      run()
      return () => {}
    },
  )
}

/** What crosses of a document when Everything is on. */
function everythingMessages(text: string, problems?: readonly PlacedProblem[]): EverythingMessage[] {
  const messages: EverythingMessage[] = []
  const channel = new PageChannel(
    everythingView,
    (message) => {
      if (message.kind !== 'everythingUpdate') return
      for (const change of message.changes) if (change.kind === 'insert') messages.push(change.message)
    },
    () => {},
  )
  channel.open({ uri: 'file:///a.ocm', session: everythingSession(text, problems) })
  channel.takeOver({ index: 0, line: 0 })
  return messages
}

/** A page with Everything of `text`, whose messages have `flags`. */
function everythingPage(text: string, flags?: readonly (readonly string[])[]): TestPage {
  const page = new TestPage()
  const channel = new PageChannel(everythingView, page.send, () => {})
  channel.open({ uri: 'file:///a.ocm', session: everythingSession(text, [], flags) })
  channel.takeOver({ index: 0, line: 0 })
  return page
}

test('training flags of a sample are at all its messages, and those of a call and its reply together', () => {
  const sample = editable({
    tools: [{ type: 'function', function: { name: 'w' } }],
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hot?', train: false },
      {
        role: 'assistant',
        reasoning_content: 'Look it up.',
        content: '',
        weight: 1,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'w', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: '21', loss_mask: 0 },
      { role: 'assistant', content: 'No.' },
    ],
  })
  const flagged = (flags: readonly (readonly string[])[]) =>
    [...everythingPage(sample.text, flags).document.querySelectorAll('.message')].map(
      (it) => it.querySelector('.notes .flags')?.textContent,
    )
  const { allFlags } = sampleMetadata(sample)
  assert.deepEqual(flagged(allFlags), [
    undefined,
    undefined, // the tools
    'For training: train: false',
    'For training: weight: 1',
    'For training: weight: 1, loss_mask: 0',
    undefined,
  ])
  assert.ok(
    flagged(allFlags.slice(1)).every((it) => it === undefined),
    'of other messages',
  )
})

function editable(value: object): TranscriptSample {
  const sample = editableSample(readSample(Buffer.from(JSON.stringify(value)), { rest: 'source' }))
  assert.ok(sample.kind === 'good')
  return sample
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
  const rows = everythingMessages(weather).map((it) => {
    if (it.kind === 'visible') return ['visible', it.message.role]
    if (it.kind === 'tool') return ['tool', it.tool, it.call?.why.reason, it.reply?.why.reason]
    const { reason, section, isUnusual } = it.why
    return [it.group ?? 'other', it.role, ...it.labels, '·', reason, section, isUnusual]
  })
  const role = 'messages of this role are never shown.'
  const prompt = 'it asks for the next message and has no text.'
  assert.deepEqual(rows, [
    ['instructions', 'system', '·', role, '2.2 §4, D15', false],
    ['visible', 'user'],
    [
      'reasoning',
      'assistant',
      'analysis',
      'preamble',
      '·',
      'analysis is private reasoning, regardless of the author.',
      '2.2 §5, D15',
      false,
    ],
    ['tool', 'w', 'a tool call is never shown.', role],
    ['visible', 'assistant'],
    [
      'other',
      'narrator',
      '·',
      'its role is unknown, and doubtful messages stay hidden.',
      '2.2 §4, D15',
      true,
    ],
    ['other', 'assistant', '·', prompt, '2.2 §9, D18', true],
  ])
})

test('a problem is shown with its message, that of a reply with its call', () => {
  const at = (line: number, message: string) => ({ line, character: 5, severity: 'error', message }) as const
  const problems = [at(2, 'of the user'), at(5, 'of the reply'), at(99, 'of no line')]
  assert.deepEqual(
    everythingMessages(weather, problems).map((it) => it.problems.map(({ message }) => message)),
    [[], ['of the user'], [], ['of the reply'], [], [], []],
  )
})

test('groups are counted, and shown alone', () => {
  const problems = [{ line: 5, character: 0, severity: 'warning', message: 'x' }] as const
  const session = everythingSession(weather, problems)
  assert.deepEqual(session.summary, { reasoning: 1, tools: 1, instructions: 1, problems: 2 })
  const kinds = () => session.entries.map(({ ref }) => ref.read()?.shown.kind)
  session.choose({ groups: ['problems'], without: [] })
  assert.deepEqual(kinds(), ['tool', 'hidden'])
  session.choose({ groups: ['reasoning', 'instructions'], without: [] })
  assert.deepEqual(kinds(), ['hidden', 'hidden'])
  session.replace(weather)
  assert.deepEqual(kinds(), ['hidden', 'hidden'])
  session.choose({ groups: [], without: [] })
  assert.equal(kinds().length, 7)
  session.choose({ groups: [], without: ['tools', 'reasoning'] })
  assert.deepEqual(kinds(), ['hidden', 'visible', 'visible', 'hidden', 'hidden'])
  session.choose({ groups: ['tools', 'instructions'], without: ['tools'] })
  assert.deepEqual(kinds(), ['hidden'])
})

test('cards open and close, one by one and all at once; chips ask for groups', () => {
  const page = everythingPage(weather)
  const isOpen = () => page.articles.map((it) => it.querySelector('.fold')?.getAttribute('aria-expanded'))
  const usual = ['false', undefined, 'false', 'true', undefined, 'true', 'true']
  assert.deepEqual(isOpen(), usual)
  page.articles[2]?.querySelector<HTMLElement>('.fold')?.click()
  assert.deepEqual(isOpen(), usual.with(2, 'true'))
  const press = (text: string) =>
    [...page.document.querySelectorAll<HTMLElement>('.chip-button')]
      .find((it) => it.textContent === text)
      ?.click()
  press('Collapse all')
  assert.ok(isOpen().every((it) => it !== 'true'))
  press('Expand all')
  assert.ok(isOpen().every((it) => it !== 'false'))
  press('Tools 1')
  press('Reasoning 1')
  press('Tools 1')
  assert.deepEqual(
    page.said('chooseGroups').map(({ groups }) => groups),
    [['tools'], ['reasoning', 'tools'], ['reasoning']],
  )
})

test('Everything without messages says why there are none', () => {
  const said = (page: TestPage) => page.document.querySelector('.empty')?.textContent ?? ''
  assert.match(said(everythingPage('')), /^This transcript has no messages\./)
  const page = new TestPage()
  const session = everythingSession('<|start|>user<|message|>Hi<|end|>')
  const channel = new PageChannel(everythingView, page.send, () => {})
  channel.open({ uri: 'file:///a.ocm', session })
  channel.takeOver({ index: 0, line: 0 })
  channel.receive({ kind: 'applied', sequence: 1 })
  page.send({ kind: 'everythingGroup', group: 'reasoning' })
  session.choose(page.said('chooseGroups')[0]!)
  assert.match(said(page), /^No message matches the filters\./)
})

test('a long value is cut until the reader asks for the rest', () => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`).join('\\n')
  const page = everythingPage(
    `<|start|>assistant to=functions.f call_id=c<|channel|>commentary<|constrain|>json<|message|>{"text":"${lines}"}<|call|>`,
  )
  const rest = page.document.querySelector<HTMLElement>('.blocks .value > :last-child')
  const more = page.document.querySelector<HTMLElement>('.blocks .more')
  assert.deepEqual([rest?.hidden, more?.textContent], [true, 'Show all 40 lines'])
  assert.equal(page.document.querySelector('.blocks .value')?.textContent, lines.replaceAll('\\n', '\n'))
  more?.click()
  assert.deepEqual([rest?.hidden, more?.textContent], [false, 'Show less'])
})

test('private blocks are shown beside the message that they are cut out of', () => {
  const answer = everythingMessages(weather)[4]
  assert.equal(answer?.kind === 'visible' && answer.privateText.includes('21 is mild.'), true)
  assert.equal(answer?.kind === 'visible' && answer.message.parts.map(({ text }) => text).join(''), 'No.')
})

test('a call and its reply are one message, which leads to both sources', () => {
  const session = everythingSession(weather)
  assert.equal(session.lineOfReply(session.entries[3]!.id), 5)
  assert.equal(session.lineOfReply(session.entries[0]!.id), undefined)
  assert.equal(session.entryAt(weather.indexOf('<|start|>tool'))?.id, session.entries[3]?.id)
  const page = everythingPage(weather)
  page.articles[3]?.querySelector<HTMLElement>('[data-action=reply-source]')?.click()
  assert.deepEqual(page.said('openReply'), [{ kind: 'openReply', id: page.articles[3]?.dataset.id }])
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

test('leaving Everything leaves nothing behind, and the state of the page never had it', async () => {
  await fc.assert(
    fc.asyncProperty(transcripts, async (text) => {
      await windowsMayGo()
      const page = everythingPage(text)
      assert.ok(!JSON.stringify(page.state).includes(canary))
      const channel = openVisible(page, text)
      channel.takeOver({ index: 0, line: 0 })
      assert.ok(!page.document.documentElement.outerHTML.includes(canary))
      assert.equal(page.document.querySelector<HTMLElement>('.everything-banner')?.hidden, true)
    }),
    { numRuns: Math.ceil(propertyRuns / 4) },
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
          group: undefined,
          role: 'system',
          labels: [],
          text: canary,
          why: { reason: '', section: '', isUnusual: true },
          problems: [],
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
  assert.match(banner?.textContent ?? '', /^Hidden text is shown\. Framed text is hidden from users\./)
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
      const content = (it: PreviewSession<EverythingEntry>) =>
        it.entries.map(({ ref }) => {
          const shown = ref.read()?.shown
          return shown?.kind === 'visible' ? shown.message.parts : shown
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

nightly('axe finds nothing to complain about in Everything', async () => {
  const page = everythingPage(weather)
  page.window.eval(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
  const { axe } = page.window as unknown as { readonly axe: typeof import('axe-core') }
  const { violations } = await axe.run(page.document, { rules: { 'color-contrast': { enabled: false } } })
  assert.equal(JSON.stringify(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])), '[]')
})

test('what users see says how much is hidden, in numbers that lead there and nothing more', () => {
  const page = new TestPage()
  openVisible(page, weather).takeOver({ index: 0, line: 0 })
  const buttons = [...page.document.querySelectorAll<HTMLButtonElement>('.hidden-counts button')]
  assert.deepEqual(
    buttons.map((it) => it.textContent),
    [
      '1 hidden reasoning message',
      '1 hidden tool call',
      '1 hidden instruction',
      '1 message hidden because of an error',
    ],
  )
  buttons[3]?.click()
  assert.deepEqual(page.said('chooseView'), [{ kind: 'chooseView', view: 'everything', group: 'problems' }])
})

test('the numbers of hidden messages follow every edit', () => {
  fc.assert(
    fc.property(transcripts, fc.array(edits, { maxLength: 5 }), (text, changes) => {
      const source = parseVisible(text)
      let now = text
      for (const { from, to, text: inserted } of changes) {
        const [start = 0, end = 0] = [from, to].map((it) => Math.floor(it * now.length)).sort((a, b) => a - b)
        source.edit({ offset: start, length: end - start, text: inserted })
        now = now.slice(0, start) + inserted + now.slice(end)
      }
      assert.deepEqual(source.summary, parseVisible(now).summary)
    }),
  )
})
