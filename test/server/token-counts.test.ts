/** What is counted, when, and how often: the work is counted, not timed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CancellationToken, CancellationTokenSource } from 'vscode-languageserver'
import type { Segment } from '../../core/src/internal.ts'
import type { CountListener, ThreadRequest } from '../../server/src/counting/count-protocol.ts'
import { TokenCounts } from '../../server/src/counting/segment-token-counts.ts'
import { TextCounter } from '../../server/src/counting/text-counter.ts'
import { OpenDocument } from '../../server/src/open-document.ts'

const message = (text: string) => `<|start|>user<|message|>${text}<|end|>\n`
const text = `version: 2.2\n${message('one')}${message('two')}${message('three')}`

/** A thread that counts characters, and remembers what it was asked. */
class FakeThread {
  readonly asked: string[] = []
  readonly log: string[] = []
  starts = 0
  ends = 0
  /** Called before each answer. */
  before: () => void = () => {}
  #listener: CountListener | undefined

  readonly counter = new TextCounter(
    (listener) => {
      this.starts++
      this.#listener = listener
      return { post: (request) => this.#answer(request), end: () => void this.ends++ }
    },
    (line) => this.log.push(line),
  )
  readonly counts = new TokenCounts(this.counter)

  fail(error: Error): void {
    this.#listener?.failed(error)
  }

  #answer(request: ThreadRequest): void {
    if (!('texts' in request)) assert.fail('nothing is rendered here')
    const { id, texts } = request
    this.asked.push(...texts)
    queueMicrotask(() => {
      this.before()
      this.#listener?.answered({ id, counts: texts.map((it) => it.length) })
    })
  }
}

function opened(content = text): OpenDocument {
  const onError = (where: string, error: unknown) => assert.fail(`${where}: ${error}`)
  return new OpenDocument({ uri: 'test:a', version: 1, text: content, onError })
}

function segmentsOf({ transcript }: OpenDocument): Segment[] {
  return [...transcript.segments()].map(({ segment }) => segment)
}

const token = CancellationToken.None

test('only what is asked for is counted, and only once', async () => {
  const thread = new FakeThread()
  const document = opened()
  assert.equal(thread.starts, 0, 'no thread before the first count')
  const two = segmentsOf(document)[2]
  assert.ok(two)
  assert.equal(await thread.counts.countVisible({ document, token }, [two]), true)
  assert.deepEqual(thread.asked, ['user', 'two'])
  // start, message and end are one token each
  assert.deepEqual(thread.counts.known(document, two), { all: 3 + 4 + 3, body: 3 })
  await thread.counts.countVisible({ document, token }, [two])
  assert.deepEqual(thread.asked, ['user', 'two'])
  assert.equal(await thread.counts.total({ document, token }), 3 * 3 + 3 * 4 + 3 + 3 + 5)
  assert.deepEqual(thread.asked, ['user', 'two', 'user', 'one', 'user', 'three'])
})

test('an edit counts the edited message again, and no other', async () => {
  const thread = new FakeThread()
  const document = opened()
  await thread.counts.total({ document, token })
  thread.asked.length = 0
  const position = { line: 2, character: 24 }
  document.change([{ range: { start: position, end: position }, text: 'X' }], 2)
  await thread.counts.total({ document, token })
  assert.deepEqual(thread.asked, ['user', 'Xtwo'])
})

test('a header that changes what messages mean makes all of them count again', async () => {
  const thread = new FakeThread()
  const document = opened()
  const before = await thread.counts.total({ document, token })
  thread.asked.length = 0
  const end = { line: 1, character: 0 }
  document.change([{ range: { start: end, end }, text: 'builtin_tools: [user]\n' }], 2)
  assert.equal(await thread.counts.total({ document, token }), before)
  assert.equal(thread.asked.length, 6)
})

test('an edit ends what is counted for the text before it; a canceled request ends, too', async () => {
  const thread = new FakeThread()
  const document = opened(`version: 2.2\n${message('x'.repeat(70_000)).repeat(3)}`)
  const position = { line: 3, character: 24 }
  thread.before = () => document.change([{ range: { start: position, end: position }, text: 'X' }], 2)
  await assert.rejects(thread.counts.count({ document, token }, segmentsOf(document)), /changed/)
  assert.equal(thread.asked.length, 2, 'the other messages are not asked for any more')
  const source = new CancellationTokenSource()
  thread.before = () => source.cancel()
  thread.asked.length = 0
  await assert.rejects(
    thread.counts.count({ document, token: source.token }, segmentsOf(document)),
    /Canceled/,
  )
  assert.equal(thread.asked.length, 2)
})

test('a thread that fails is reported once, and no request waits for it', async () => {
  const thread = new FakeThread()
  const document = opened()
  thread.before = () => thread.fail(new Error('text of a transcript'))
  assert.equal(await thread.counts.total({ document, token }), undefined)
  assert.equal(await thread.counts.total({ document, token }), undefined)
  assert.equal(thread.starts, 1)
  assert.equal(thread.log.length, 1)
  assert.doesNotMatch(thread.log[0] ?? '', /transcript/)
  assert.equal(thread.counter.canCount, false)
})

test('what takes the thread too long ends it, and the other requests are answered by another', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const threads: { readonly posted: ThreadRequest[]; hasEnded: boolean; listener: CountListener }[] = []
  const log: string[] = []
  const counter = new TextCounter(
    (listener) => {
      const thread = { posted: [] as ThreadRequest[], hasEnded: false, listener }
      threads.push(thread)
      const end = () => {
        thread.hasEnded = true
      }
      return { post: (it) => void thread.posted.push(it), end }
    },
    (line) => log.push(line),
  )
  const rendering = counter.render({ rendering: {} as never, tokenizer: { key: 'slow' } })
  const counted = counter.count(['SECRET'])
  t.mock.timers.tick(29_999)
  assert.equal(threads.length, 1)
  t.mock.timers.tick(1)
  assert.deepEqual(await rendering, { kind: 'tokenizer', problem: 'rendering takes more than 30 seconds' })
  assert.equal(threads[0]?.hasEnded, true)
  assert.deepEqual(threads[1]?.posted, [{ id: 2, texts: ['SECRET'] }])
  threads[1]?.listener.answered({ id: 2, counts: [6] })
  assert.deepEqual(await counted, [6])
  t.mock.timers.tick(60_000)
  assert.equal(threads[1]?.hasEnded, false, 'a thread that nothing is asked of has time')
  assert.equal(counter.canCount, true)
  assert.equal(log.length, 1)
  assert.doesNotMatch(log.join(), /SECRET/)
})

test('a counter at rest has no thread, and starts another one when it is asked', async () => {
  const thread = new FakeThread()
  assert.deepEqual(await thread.counter.count(['a']), [1])
  thread.counter.rest()
  assert.equal(thread.ends, 1)
  assert.deepEqual(await thread.counter.count(['ab']), [2])
  assert.equal(thread.starts, 2)
})

test('where there can be no thread, nothing is counted', async () => {
  const counts = new TokenCounts(new TextCounter(undefined, assert.fail))
  assert.equal(await counts.total({ document: opened(), token }), undefined)
})
