/** Preview sessions: what crosses to a page, and how an edit gets there. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { Moment } from '../../client/src/moments.ts'
import { applyChanges } from '../../client/src/preview/keyed-list.ts'
import { PageChannel, type PageRequest } from '../../client/src/preview/page-channel.ts'
import { visibleView } from '../../client/src/preview/page-view.ts'
import { defaultLimits, windowAround } from '../../client/src/preview/page-window.ts'
import type { PageMessage, ToPage } from '../../client/src/preview/protocol.ts'
import { ScrollOwner } from '../../client/src/preview/scroll-owner.ts'
import { PreviewSession } from '../../client/src/preview/session.ts'
import { parseVisible } from '../../client/src/preview/visible-source.ts'
import type { VisibleMessage } from '../../core/src/index.ts'
import { canary, edits, transcripts } from './transcripts.ts'

type Update = Extract<ToPage, { kind: 'update' }>

/** A session and a page that holds what it was sent, with turns that a test ends by itself. */
class Preview {
  readonly sent: ToPage[] = []
  readonly requests: PageRequest[] = []
  readonly session: PreviewSession<VisibleMessage>
  readonly channel: PageChannel<VisibleMessage, PageMessage>
  shown: PageMessage[] = []
  first = 0
  text: string
  acknowledges = true
  #tasks: { readonly run: () => void; readonly moment: Moment }[] = []

  constructor(text: string, limits = defaultLimits) {
    this.text = text
    this.session = new PreviewSession(
      text,
      (it) => parseVisible(it),
      (run, moment) => {
        const task = { run, moment }
        this.#tasks.push(task)
        return () => {
          this.#tasks = this.#tasks.filter((it) => it !== task)
        }
      },
    )
    this.channel = new PageChannel(
      visibleView,
      (message) => this.#receive(message),
      (request) => this.requests.push(request),
      limits,
    )
    this.channel.open({ uri: 'file:///a.ocm', session: this.session })
    this.channel.receive({ kind: 'ready', uri: '', index: 0, line: 0 })
  }

  get texts(): string[] {
    return this.shown.map(({ parts }) => parts.map((part) => part.text).join(''))
  }

  get lastUpdate(): Update {
    const update = this.sent.findLast((message) => message.kind === 'update')
    assert.ok(update)
    return update
  }

  replaceText(from: number, to: number, inserted: string): void {
    this.text = this.text.slice(0, from) + inserted + this.text.slice(to)
    this.session.edit([{ offset: from, length: to - from, text: inserted }])
  }

  type(after: string, inserted: string): void {
    const at = this.text.indexOf(after) + after.length
    this.replaceText(at, at, inserted)
  }

  /** A frame has passed. */
  endTurn(): void {
    this.#run(({ moment }) => moment === 'frame')
  }

  /** Nobody has typed for a while. */
  endPause(): void {
    this.#run(() => true)
  }

  #run(isDue: (task: { readonly moment: Moment }) => boolean): void {
    const due = this.#tasks.filter(isDue)
    this.#tasks = this.#tasks.filter((it) => !due.includes(it))
    for (const { run } of due) run()
  }

  #receive(message: ToPage): void {
    this.sent.push(message)
    if (message.kind === 'open') this.shown = []
    if (message.kind !== 'update') return
    this.shown = applyChanges(this.shown, message.changes)
    this.first = message.first
    if (this.acknowledges) this.channel.receive({ kind: 'applied', sequence: message.sequence })
  }
}

const weather = [
  '---\nversion: 2.2\n---\n',
  '<|start|>system<|message|>Be brief.<|end|>\n',
  '<|start|>user name=Ada<|message|>Hot?<|end|>\n',
  '<|start|>assistant<|channel|>commentary intent=preamble<|message|>I will look.<|end|>\n',
  '<|start|>assistant to=functions.w call_id=c<|channel|>commentary<|constrain|>json<|message|>{}<|call|>\n',
  '<|start|>tool name=functions.w call_id=c<|message|>{"t":21}<|end|>\n',
  '<|start|>assistant<|channel|>final<|message|>Yes: <|literal|><|end|><|endliteral|>\nVery.',
].join('')

function many(count: number): string {
  return Array.from({ length: count }, (_, index) => `<|start|>user<|message|>${index}<|end|>\n`).join('')
}

test('only visible messages cross, field by field', () => {
  const { shown } = new Preview(weather)
  assert.deepEqual(
    shown.map(({ id: _, ...rest }) => rest),
    [
      {
        role: 'user',
        name: 'Ada',
        isPreamble: false,
        isJson: false,
        parts: [{ kind: 'markdown', text: 'Hot?' }],
        isTruncated: false,
        omitted: 0,
      },
      {
        role: 'assistant',
        isPreamble: true,
        isJson: false,
        parts: [{ kind: 'markdown', text: 'I will look.' }],
        isTruncated: false,
        omitted: 0,
      },
      {
        role: 'assistant',
        isPreamble: false,
        isJson: false,
        parts: [
          { kind: 'markdown', text: 'Yes: ' },
          { kind: 'literal', text: '<|end|>' },
          { kind: 'markdown', text: '\nVery.' },
        ],
        isTruncated: true,
        omitted: 0,
      },
    ],
  )
})

test('no canary word of a hidden place is in any message to the page, whatever is edited', () => {
  fc.assert(
    fc.property(transcripts, fc.array(transcripts, { maxLength: 2 }), (text, later) => {
      const preview = new Preview(text)
      for (const inserted of later) {
        preview.replaceText(preview.text.length, preview.text.length, inserted)
        preview.endTurn()
        // Behind a truncated message, everything is that message.
        if (preview.shown.at(-1)?.isTruncated) return
      }
      assert.ok(!JSON.stringify(preview.sent).includes(canary))
    }),
  )
})

test('after any edits a page holds what a fresh page holds', () => {
  fc.assert(
    fc.property(
      transcripts,
      fc.array(edits, { maxLength: 8 }),
      fc.array(fc.boolean()),
      (text, changes, turns) => {
        const preview = new Preview(text)
        changes.forEach(({ from, to, text: inserted }, index) => {
          const places = [from, to]
            .map((part) => Math.floor(part * preview.text.length))
            .sort((one, other) => one - other)
          preview.replaceText(places[0]!, places[1]!, inserted)
          if (turns[index]) preview.endTurn()
        })
        preview.endPause()
        const fresh = new Preview(preview.text)
        const content = ({ shown }: Preview) => shown.map(({ id: _, ...rest }) => rest)
        assert.deepEqual(content(preview), content(fresh))
        assert.equal(new Set(preview.shown.map(({ id }) => id)).size, preview.shown.length)
        assert.deepEqual(
          preview.session.entries.map(({ ref }) => ref.offset),
          fresh.session.entries.map(({ ref }) => ref.offset),
        )
      },
    ),
    { numRuns: 300 },
  )
})

test('an answer that its header calls JSON is code, and the header stays hidden', () => {
  const answer = (type: string) =>
    new Preview(`<|start|>assistant<|channel|>final${type}<|message|>{}<|end|>`)
  const isJson = (type: string) => answer(type).shown.map((it) => it.isJson)
  assert.deepEqual(isJson('<|constrain|>json'), [true])
  assert.deepEqual(isJson(' content_type=json'), [true])
  assert.deepEqual(isJson('<|constrain|>yaml'), [false])
  assert.deepEqual(isJson(''), [false])
  assert.doesNotMatch(JSON.stringify(answer('<|constrain|>json').sent), /constrain|"json"/)
})

test('an edit re-renders one message', () => {
  const preview = new Preview(weather)
  const { id } = preview.shown[0]!
  preview.type('Hot', ' there')
  preview.endTurn()
  assert.deepEqual(
    preview.lastUpdate.changes.map((change) => (change.kind === 'replace' ? change.message.id : change.kind)),
    [id],
  )
  assert.equal(preview.texts[0], 'Hot there?')
})

test('an edit of hidden text says nothing to the page', () => {
  const preview = new Preview(weather)
  const before = preview.sent.length
  preview.type('Be brief', ' and kind')
  preview.endTurn()
  assert.equal(preview.sent.length, before)
})

test('many edits in one turn are one update', () => {
  const preview = new Preview(weather)
  const before = preview.sent.length
  for (const letter of 'er and hotter') preview.type('Hot', letter)
  assert.equal(preview.sent.length, before)
  preview.endTurn()
  assert.equal(preview.sent.length, before + 1)
})

test('a slow page gets one larger update instead of many', () => {
  const preview = new Preview(weather)
  preview.acknowledges = false
  preview.type('Hot', '1')
  preview.endTurn()
  const { sequence } = preview.lastUpdate
  for (const letter of '23') {
    preview.type('Hot', letter)
    preview.endTurn()
  }
  assert.equal(preview.lastUpdate.sequence, sequence)
  preview.channel.receive({ kind: 'applied', sequence })
  assert.equal(preview.texts[0], 'Hot321?')
})

test('a page holds a bounded window, which moves with the reader', () => {
  const limits = { ...defaultLimits, messages: 10 }
  const preview = new Preview(many(1000), limits)
  assert.equal(preview.lastUpdate.total, 1000)
  assert.deepEqual([preview.first, preview.shown.length], [0, 10])
  preview.channel.receive({ kind: 'want', index: 8, isJump: false })
  assert.deepEqual([preview.first, preview.texts[0], preview.texts.at(-1)], [3, '3', '12'])
  assert.equal(preview.lastUpdate.changes.length, 6, 'three messages go and three come')
  preview.channel.receive({ kind: 'want', index: 700, isJump: true })
  assert.ok(preview.texts.includes('700'))
  const top = preview.lastUpdate.top
  assert.equal(preview.texts[preview.shown.findIndex(({ id }) => id === top?.id)], '700')
})

test('the window stays with its messages when others come above it', () => {
  const limits = { ...defaultLimits, messages: 10 }
  const preview = new Preview(many(100), limits)
  preview.channel.receive({ kind: 'want', index: 50, isJump: false })
  const before = preview.texts
  preview.replaceText(0, 0, many(3))
  preview.endTurn()
  assert.deepEqual(preview.texts, before)
  assert.equal(preview.lastUpdate.total, 103)
  assert.deepEqual(preview.lastUpdate.changes, [])
})

test('a long message is cut, and says how much', () => {
  const limits = { ...defaultLimits, messageText: 5 }
  const { shown } = new Preview('<|start|>user<|message|>abcd😀fg<|end|>', limits)
  assert.equal(shown[0]?.parts[0]?.text, 'abcd')
  assert.equal(shown[0]?.omitted, 3)
})

test('a window is bounded by its text too, but never empty', () => {
  const session = new PreviewSession(
    many(50),
    (it) => parseVisible(it),
    () => () => {},
  )
  const window = windowAround(visibleView, session.entries, 25, { messages: 100, text: 8, messageText: 100 })
  assert.deepEqual([window.first, window.messages.length], [23, 4])
  assert.equal(
    windowAround(visibleView, session.entries, 25, { messages: 100, text: 0, messageText: 100 }).messages
      .length,
    1,
  )
})

test('what the beginning of a token does to messages is shown when the next character is there, or none comes', () => {
  const transcript = `${many(2)}<|start|>assistant<|channel|>final<|message|>x<|end|>\n`
  const before = ['0', '1', 'x']
  const preview = new Preview(transcript)
  preview.type('\n<|start|>user<|message|>1', '<')
  preview.endTurn()
  assert.deepEqual(preview.texts, before)
  preview.type('<|message|>1<', 'b')
  preview.endTurn()
  assert.deepEqual(preview.texts, ['0', '1<b', 'x'])
  preview.replaceText(0, 0, '<')
  preview.endTurn()
  assert.deepEqual(preview.texts, ['0', '1<b', 'x'])
  preview.endPause()
  assert.deepEqual(preview.texts, ['1<b', 'x'])
})

test('asking for messages is always answered', () => {
  const preview = new Preview(weather)
  const before = preview.sent.length
  preview.channel.receive({ kind: 'want', index: 0, isJump: false })
  assert.equal(preview.sent.length, before + 1)
})

test('a page that comes back gets everything again, at its place', () => {
  const preview = new Preview(weather)
  preview.channel.sleep()
  preview.type('Hot', 'ter')
  preview.endTurn()
  preview.channel.receive({ kind: 'ready', uri: 'file:///a.ocm', index: 2, line: 1 })
  assert.equal(preview.texts.length, 3)
  assert.deepEqual(preview.lastUpdate.top, { id: preview.shown[2]?.id, line: 1 })
})

test('a page that comes back is at the message that it left, whatever came above it meanwhile', () => {
  const preview = new Preview(weather)
  const id = preview.shown[2]?.id
  preview.channel.sleep()
  preview.type('version: 2.2\n---\n', '<|start|>user<|message|>Before<|end|>\n')
  preview.endTurn()
  preview.channel.receive({ kind: 'ready', uri: 'file:///a.ocm', index: 2, line: 1 })
  assert.equal(preview.texts.length, 4)
  assert.deepEqual(preview.lastUpdate.top, { id, line: 1 })
})

test('a place in another document means nothing', () => {
  const preview = new Preview(weather)
  preview.channel.receive({ kind: 'ready', uri: 'file:///b.ocm', index: 2, line: 1 })
  assert.deepEqual(preview.lastUpdate.top, { id: preview.shown[0]?.id, line: 0 })
})

test('a document that cannot be read shows nothing', () => {
  const preview = new Preview(weather)
  preview.channel.open({ uri: 'file:///gone.ocm', session: undefined })
  assert.equal(preview.sent.at(-1)?.kind, 'unavailable')
})

test('the text cursor marks the message that it is in', () => {
  const { session, text } = new Preview(weather)
  const idAt = (word: string) => session.entryAt(text.indexOf(word))?.id
  assert.equal(idAt('Hot?'), session.entries[0]?.id)
  assert.equal(idAt('name=Ada'), session.entries[0]?.id)
  assert.equal(idAt('Be brief'), undefined)
  assert.equal(idAt('"t":21'), undefined)
  assert.equal(idAt('Very.'), session.entries[2]?.id)
})

test('lines of the document and of the preview lead to one another', () => {
  const { session } = new Preview(weather)
  assert.deepEqual(session.placeOfLine(0), { index: 0, line: 0 })
  assert.deepEqual(session.placeOfLine(4), { index: 0, line: 0 })
  assert.deepEqual(session.placeOfLine(5), { index: 1, line: 0 })
  assert.deepEqual(session.placeOfLine(9), { index: 2, line: 1 })
  assert.equal(session.lineOfPlace(session.entries[2]!, 1), 9)
  assert.equal(session.lineOfPlace(session.entries[0]!, 0), 4)
})

test('a changed text of the same document keeps ids', () => {
  const preview = new Preview(weather)
  const before = preview.shown.map(({ id }) => id)
  preview.session.replace(weather.replace('Hot', 'Cold'))
  preview.endTurn()
  assert.deepEqual(
    preview.shown.map(({ id }) => id),
    before,
  )
  assert.equal(preview.lastUpdate.changes.length, 1)
})

test('a session that ended is silent', () => {
  const preview = new Preview(weather)
  const before = preview.sent.length
  preview.type('Hot', 'x')
  preview.session.dispose()
  preview.endTurn()
  assert.equal(preview.sent.length, before)
})

test('the side that scrolls leads until it rests', () => {
  let now = 0
  const owner = new ScrollOwner(() => now)
  assert.equal(owner.lead('editor'), true)
  assert.equal(owner.lead('page'), false)
  now = 200
  assert.equal(owner.lead('editor'), true)
  now = 400
  assert.equal(owner.lead('page'), false)
  now = 500
  assert.equal(owner.lead('page'), true)
  assert.equal(owner.lead('editor'), false)
})
