/** A review under way: what is shown, what is written, and what is not shown before it may be. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { wordDifferences } from '../../client/render/word-differences.ts'
import { Dataset } from '../../client/src/datasets/dataset.ts'
import { largestSample } from '../../client/src/datasets/listed-sample.ts'
import { viewOf } from '../../client/src/datasets/sample-views.ts'
import { DatasetReview, hashOfBytes } from '../../client/src/review/dataset-review.ts'
import { MessageLines } from '../../client/src/review/message-notes.ts'
import type { ReviewSample, ToReviewPage } from '../../client/src/review/review-protocol.ts'
import { fromReviewPage } from '../../client/src/review/review-protocol.ts'
import { ReviewSession, type ReviewSessionParts } from '../../client/src/review/review-session.ts'
import { ReviewStore } from '../../client/src/review/review-store.ts'
import { everythingSample, judgedSample, visibleSample } from '../../client/src/review/shown-sample.ts'
import { mistakeMessage } from '../../client/webview/mistake-message.ts'
import { compileQuery, convert, datasetMappingIn, readReview } from '../../core/src/internal.ts'
import { type MemoryFile, memoryFile } from '../datasets/memory-file.ts'
import { nightly } from '../helpers/nightly.ts'
import { freshWindow } from '../preview/dom.ts'

const canary = 'SECRETWORD'
const sample = (text: string, more: object = {}) =>
  JSON.stringify({
    ...more,
    messages: [
      { role: 'user', content: text },
      { role: 'assistant', content: `Answer to ${text}`, reasoning_content: canary },
    ],
  })
const pair = JSON.stringify({ prompt: 'Color?', chosen: 'Teal', rejected: 'Seven' })
const samples = [
  sample('one', { source: 'wiki', meta: { cot_text: canary, id: 7 } }),
  sample('two'),
  sample('three'),
  pair,
]

/** A review of `lines`, with what is in the review file before. */
async function begun(
  lines: readonly string[],
  file = '',
  more: Partial<ReviewSessionParts> = {},
): Promise<{
  readonly session: ReviewSession
  readonly review: DatasetReview
  readonly memory: MemoryFile
  /** The lines that were appended, without hash and time. */
  readonly written: () => readonly object[]
  readonly posted: ToReviewPage[]
  readonly shown: () => ReviewSample
  readonly fails: { isOn: boolean }
  /** Another window appends a line, and this one notices. */
  readonly appendAsOther: (line: string) => Promise<void>
  /** Saves a sample as its editor does. */
  readonly save: (place: number, json: string) => Promise<void>
}> {
  const memory = memoryFile(`${lines.join('\n')}\n`)
  const dataset = new Dataset(memory, 'a.jsonl')
  await dataset.load()
  let text = file
  const fails = { isOn: false }
  const store = new ReviewStore({
    read: async () => text,
    append: async (added) => {
      if (fails.isOn) throw new Error('the disk is full')
      text += added
    },
  })
  await store.load()
  const reviewable = {
    view: dataset,
    bytesOf: (place: number) => dataset.bytesOf(place),
    placeOf: (place: number) => ({ store, number: dataset.index.numberOf(place) }),
    stores: () => [{ store, place: (number: number) => dataset.index.placeOf(number) }],
  }
  const review = new DatasetReview(reviewable)
  await review.compare()
  const posted: ToReviewPage[] = []
  const session = new ReviewSession({
    dataset: reviewable,
    review,
    listing: { size: lines.length, text: '', placeAt: (index) => (index < lines.length ? index : undefined) },
    options: () => ({ dialect: 'auto' }),
    labels: () => ['good', 'wrong'],
    isBlind: () => false,
    reviewer: async () => 'Ann',
    mayShowHidden: async () => true,
    nameOf: (place) => `Line ${place + 1}`,
    open: async () => undefined,
    openText: async () => undefined,
    openTraining: async () => undefined,
    post: (message) => void posted.push(message),
    now: () => '2026-01-31T12:00:00Z',
    ...more,
  })
  const written = () =>
    text
      .slice(file.length)
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        const { v: _v, hash: _hash, at: _at, by: _by, ...rest } = JSON.parse(line)
        return rest
      })
  const shown = () => {
    const last = posted.findLast((it) => it.kind === 'reviewSample')
    assert.ok(last?.kind === 'reviewSample')
    return last.sample
  }
  await session.show(0)
  const appendAsOther = (added: string) => {
    text += added
    return store.refresh()
  }
  const save = async (place: number, json: string) => {
    await dataset.replace(place, await dataset.bytesOf(place), json)
    review.forget(place)
  }
  return { session, review, memory, written, posted, shown, fails, appendAsOther, save }
}

/** Resolves when marks were told: once for all that happens at the same time. */
const told = () => new Promise((done) => setTimeout(done, 0))

async function line(text: string, place: number, more: object): Promise<string> {
  const hash = await hashOfBytes(new TextEncoder().encode(text))
  return `${JSON.stringify({ v: 1, place, hash, ...more })}\n`
}

describe('a review', () => {
  test('decisions, labels and notes are appended, and undone one by one', async () => {
    const { session, written, shown } = await begun(samples)
    await session.decide('keep')
    assert.equal(shown().index, 1)
    await session.label(1)
    await session.note('Check this')
    await session.note('Typo', { message: 1 })
    await session.decide('reject')
    assert.equal(shown().index, 2)
    for (let step = 0; step < 4; step++) await session.undo()
    assert.equal(shown().index, 1)
    assert.deepEqual(written(), [
      { place: 1, decision: 'keep' },
      { place: 2, labels: ['wrong'] },
      { place: 2, note: 'Check this' },
      { place: 2, note: 'Typo', message: 1 },
      { place: 2, decision: 'reject' },
      { place: 2, decision: null },
      { place: 2, note: null, message: 1 },
      { place: 2, note: null },
      { place: 2, labels: [] },
    ])
    assert.deepEqual(shown().opinions, [{ by: 'Ann', isOwn: true, labels: [] }])
  })

  test('undo goes back to the decision before', async () => {
    const { session, written } = await begun(samples)
    await session.decide('reject')
    await session.next(-1)
    await session.decide('keep')
    await session.undo()
    assert.deepEqual(written().at(-1), { place: 1, decision: 'reject' })
  })

  test('nothing counts as saved that could not be written', async () => {
    const { session, written, posted, shown, fails } = await begun(samples)
    fails.isOn = true
    await session.decide('keep')
    assert.equal(shown().index, 0)
    assert.deepEqual([written(), shown().opinions], [[], []])
    const status = posted.findLast((it) => it.kind === 'reviewStatus')
    assert.ok(status?.kind === 'reviewStatus' && status.isError && /disk is full/.test(status.text))
  })

  test('decided samples are passed over, also by people who decided elsewhere', async () => {
    const file =
      (await line(samples[1] ?? '', 9, { decision: 'keep', by: 'Bo' })) +
      (await line(samples[2] ?? '', 3, {}))
    const { session, shown } = await begun(samples, file)
    await session.nextUndecided()
    assert.equal(shown().index, 2)
  })

  test('a decision tells the mark of its sample only, and counts are those of all marks', async () => {
    const many = Array.from({ length: 12 }, (_, index) => sample(`question ${index}`))
    const lines = await Promise.all(
      many.slice(0, 6).map((it, index) => line(it, index + 1, { decision: 'keep', by: 'Bo' })),
    )
    const { session, posted } = await begun(many, lines.join(''))
    const marks = () => posted.flatMap((it) => (it.kind === 'reviewMarks' ? [it] : []))
    const counts = () => posted.findLast((it) => it.kind === 'reviewProgress')
    await told()
    assert.deepEqual(
      marks().map((it) => [it.isAll, it.marks.length]),
      [[true, 6]],
    )
    await session.decide('reject')
    await told()
    assert.deepEqual(marks().at(-1), { kind: 'reviewMarks', isAll: false, marks: [[0, 'conflict']] })
    await session.show(8)
    await session.decide('fix')
    await told()
    assert.deepEqual(marks().at(-1), { kind: 'reviewMarks', isAll: false, marks: [[8, 'fix']] })
    await session.undo()
    await told()
    assert.deepEqual(marks().at(-1), { kind: 'reviewMarks', isAll: false, marks: [[8]] })
    const last = counts()
    assert.ok(last?.kind === 'reviewProgress')
    assert.deepEqual(last.progress, {
      decided: 6,
      total: 12,
      counts: { keep: 5, reject: 0, fix: 0, conflict: 1, stale: 0 },
      isCounting: false,
    })
  })

  test('what others say about the sample that is shown appears while it is shown', async () => {
    const { shown, appendAsOther } = await begun(samples)
    await appendAsOther(await line(samples[0] ?? '', 1, { decision: 'reject', by: 'Bo' }))
    while (shown().opinions.length === 0) await told()
    assert.deepEqual(shown().opinions, [{ by: 'Bo', isOwn: false, decision: 'reject', labels: [] }])
    assert.equal(shown().index, 0)
  })

  test('a stale decision is shown, and confirmed', async () => {
    const said = await line(sample('before'), 1, { decision: 'reject', by: 'Ann', note: 'Bad' })
    const about = await line(sample('before'), 1, { by: 'Ann', note: 'Here', message: 1 })
    const { session, written, shown } = await begun(samples, said + about)
    assert.equal(shown().isStale, true)
    await session.confirm()
    assert.deepEqual(written(), [
      { place: 1, decision: 'reject', note: 'Bad' },
      { place: 1, note: 'Here', message: 1 },
    ])
    await session.show(0)
    assert.equal(shown().isStale, false)
  })

  test('a sample that is fixed keeps the labels and notes of who fixed it', async () => {
    const { session, written, shown, save } = await begun(samples)
    await session.label(1)
    await session.note('Too short')
    await session.note('Typo', { message: 1 })
    await session.fix()
    const nBefore = written().length
    await save(0, sample('one, at length'))
    await session.fixed(0)
    assert.deepEqual(written().slice(nBefore), [
      { place: 1, decision: 'keep', labels: ['wrong'], note: 'Too short' },
      { place: 1, note: 'Typo', message: 1 },
    ])
    await session.show(0)
    assert.deepEqual(
      [shown().isStale, shown().opinions.map(({ decision, labels, note }) => [decision, labels, note])],
      [false, [['keep', ['wrong'], 'Too short']]],
    )
  })

  test('undo after a fix takes the decision back, and says that the sample stays', async () => {
    const { session, written, save, posted } = await begun(samples)
    await session.fix()
    await save(0, sample('one, at length'))
    await session.fixed(0)
    await session.undo()
    assert.deepEqual(written().at(-1), { place: 1, decision: null })
    assert.match(JSON.stringify(posted.at(-1)), /the sample stays as you fixed it/)
    await session.decide('keep')
    await session.undo()
    assert.doesNotMatch(JSON.stringify(posted.at(-1)), /stays as you fixed it/)
  })

  test('a sample that is fixed without a change of its conversation gets the decision only', async () => {
    const { session, written, save } = await begun(samples)
    await session.label(1)
    await session.fix()
    const nBefore = written().length
    await save(0, sample('one', { source: 'mail' }))
    await session.fixed(0)
    assert.deepEqual(written().slice(nBefore), [{ place: 1, decision: 'keep' }])
  })

  test('decisions are those of whoever the reviewer is by then, and only they can undo them', async () => {
    let name = ''
    const { session, review, written } = await begun(samples, '', { reviewer: async () => name })
    const reviewers = (place: number) => review.known.get(place)?.opinions.map(({ by }) => by)
    await session.decide('keep')
    name = 'Bo'
    await session.reviewerChanged()
    await session.decide('reject')
    await session.undo()
    await session.undo()
    assert.equal(written().length, 3)
    session.end()
    name = 'Cy'
    await session.show(2)
    await session.decide('keep')
    assert.deepEqual([reviewers(0), reviewers(1), reviewers(2)], [[''], ['Bo'], ['Cy']])
  })

  test('a blind reviewer sees the decisions of others after their own', async () => {
    const file = await line(samples[0] ?? '', 1, { decision: 'reject', by: 'Bo', labels: ['wrong'] })
    const { session, shown, posted } = await begun(samples, file, { isBlind: () => true })
    assert.deepEqual([shown().isBlind, shown().opinions], [true, []])
    assert.doesNotMatch(JSON.stringify(posted), /Bo|reject/)
    await session.decide('keep')
    await session.show(0)
    assert.deepEqual(
      shown().opinions.map(({ by, decision }) => [by, decision]),
      [
        ['Bo', 'reject'],
        ['Ann', 'keep'],
      ],
    )
  })

  test('a second reviewer gets a random choice of what others decided on', async () => {
    const many = Array.from({ length: 30 }, (_, index) => sample(`question ${index}`))
    const lines = await Promise.all(
      many.slice(0, 20).map((it, index) => line(it, index + 1, { decision: 'keep', by: 'Bo' })),
    )
    const chosen: number[][] = []
    for (let run = 0; run < 2; run++) {
      const { session, shown } = await begun(many, lines.join(''))
      assert.equal(await session.beginSecond(5, 7), 5)
      const seen = new Set<number>()
      for (let step = 0; step < 6; step++) {
        seen.add(shown().index)
        await session.decide('keep')
      }
      chosen.push([...seen])
    }
    assert.equal(chosen[0]?.length, 5)
    assert.deepEqual(chosen[0], chosen[1])
    assert.ok(chosen[0]?.every((it) => it < 20))
  })

  test('hidden text crosses after a question only, and not in problems or other fields', async () => {
    const { session, posted, shown } = await begun(samples, '', { mayShowHidden: async () => false })
    assert.equal(shown().metadata, '{\n  "source": "wiki",\n  "meta": {\n    "id": 7\n  }\n}')
    await session.toggleHidden()
    assert.doesNotMatch(JSON.stringify(posted), new RegExp(canary))
    const asked = await begun(samples)
    await asked.session.toggleHidden()
    assert.match(JSON.stringify(asked.posted.at(-1)) + JSON.stringify(asked.posted), new RegExp(canary))
  })

  test('what the other fields of a sample say is never a message, a call, or a column that is read as one', () => {
    const of = (sample: object, mapping?: object) =>
      judgedSample(
        new TextEncoder().encode(JSON.stringify(sample)),
        { dialect: 'auto' },
        mapping && datasetMappingIn({ file_name: '*', columns: mapping }),
      ).metadata
    const call = { role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: canary } }] }
    const messages = [{ role: 'user', content: 'Hi' }, call]
    assert.equal(of(messages), '')
    assert.equal(
      of({ messages, id: 1, steps: [{ args: canary }], turns: [[canary]], meta: { calls: [call] } }),
      fields({ id: 1 }),
    )
    assert.equal(
      of({ messages, tags: ['a', 'b'], meta: { arguments: canary, developer: canary, lang: 'de' } }),
      fields({ tags: ['a', 'b'], meta: { lang: 'de' } }),
    )
    const read = { prompt: 'ask', response: 'reply', system: 'persona' }
    assert.equal(of({ ask: 'Hi', reply: 'Hello', persona: canary, id: 2 }, read), fields({ id: 2 }))
    const { text } = convert(
      '<|start|>user<|message|>Hi<|end|><|start|>assistant to=functions.f<|channel|>commentary<|message|>{"q":"SECRETWORD"}<|call|>',
      { from: 'ocm', to: 'atif' },
    )
    assert.doesNotMatch(of(JSON.parse(text)), new RegExp(canary))

    function fields(expected: object): string {
      return JSON.stringify(expected, undefined, 2)
    }
  })

  nightly('a sample that is too large is not read, though the review file is about it', async () => {
    const huge = 'x'.repeat(largestSample + 1)
    const [first = ''] = samples
    const file = (await line(first, 1, { decision: 'keep' })) + (await line('', 2, { decision: 'keep' }))
    const { review, memory, session, posted } = await begun([first, huge], file)
    assert.equal(review.known.get(0)?.opinions[0]?.decision, 'keep')
    await session.next(1)
    assert.ok(posted.some((it) => it.kind === 'reviewStatus' && it.isError))
    assert.ok(memory.nRead < largestSample)
  })

  test('whatever is asked for after the file is gone fails with a message', async () => {
    const gone = async () => {
      throw new Error('no such file')
    }
    const says: readonly ((session: ReviewSession) => Promise<unknown>)[] = [
      (it) => it.decide('keep'),
      (it) => it.prefer('chosen'),
      (it) => it.tie(),
      (it) => it.label(0),
      (it) => it.note('Odd'),
      (it) => it.confirm(),
      (it) => it.undo(),
      (it) => it.fix(),
    ]
    for (const say of says) {
      const { session, review, memory, posted, written } = await begun(samples)
      await session.label(1)
      memory.read = gone
      review.forget()
      session.refresh()
      await say(session)
      assert.ok(
        posted.some((it) => it.kind === 'reviewStatus' && it.isError),
        String(say),
      )
      assert.equal(written().length, 1)
    }
  })

  test('a page that is loaded again during a fix gets the sample that the fix leads to', async () => {
    const { session, shown } = await begun(samples)
    await session.show(0)
    await session.fix()
    const done = session.fixed(0)
    session.refresh(0)
    session.resume()
    await done
    await session.confirm() // after all that waits for its turn
    assert.equal(shown().index, 1)
  })

  test('the branches of a pair are next to each other, and one is preferred', async () => {
    const { session, written, shown } = await begun(samples)
    await session.show(3)
    assert.deepEqual(
      shown().branches.map(({ name, length, messages }) => [
        name,
        length,
        messages.map((it) => it.shown.parts[0]?.text),
      ]),
      [
        ['chosen', 4, ['Teal']],
        ['rejected', 5, ['Seven']],
      ],
    )
    assert.equal(shown().shared.length, 1)
    await session.prefer('rejected')
    assert.deepEqual(written(), [{ place: 4, decision: 'keep', branch: 'rejected' }])
  })

  test('decisions that come faster than they are written are written in their order', async () => {
    const { session, written } = await begun(samples)
    await Promise.all([
      session.decide('keep'),
      session.decide('reject'),
      session.label(0),
      session.decide('keep'),
    ])
    assert.deepEqual(written(), [
      { place: 1, decision: 'keep' },
      { place: 2, decision: 'reject' },
      { place: 3, labels: ['good'] },
      { place: 3, decision: 'keep' },
    ])
  })

  test('a sample that cannot be read can be rejected, but not kept, and its text is opened to be fixed', async () => {
    const opened: number[] = []
    const { session, written, shown, posted } = await begun(['{"messages":', ...samples], '', {
      openText: async (place) => void opened.push(place),
    })
    const { document } = freshWindow()
    const { mistake } = shown()
    assert.ok(mistake)
    const { innerHTML } = mistakeMessage(document, mistake)
    assert.equal(
      innerHTML,
      'Line 1, column 12: Unexpected end of JSON: an object is still open and <code>}</code> is missing',
    )
    await session.decide('keep')
    assert.match(JSON.stringify(posted.at(-1)), /This sample cannot be read. Reject it, or fix its text/)
    await session.fix()
    assert.deepEqual([opened, written()], [[0], []])
    await session.decide('reject')
    assert.deepEqual(written(), [{ place: 1, decision: 'reject' }])
  })

  test('nothing is said about a sample that another program changed after it was shown', async () => {
    for (const say of [
      (it) => it.decide('keep'),
      (it) => it.label(0),
      (it) => it.note('Odd'),
      (it) => it.fix(),
    ] satisfies ((session: ReviewSession) => Promise<unknown>)[]) {
      const opened: number[] = []
      const { session, written, memory, posted } = await begun(samples, '', {
        open: async (place) => void opened.push(place),
      })
      memory.overwrite(`${samples.slice(1).join('\n')}\n`)
      await say(session)
      assert.match(JSON.stringify(posted), /Nothing was saved: the file was changed by another program/)
      assert.deepEqual([opened, written()], [[], []], String(say))
      // What is there now can be decided on.
      await session.decide('keep')
      assert.deepEqual(written(), [{ place: 1, decision: 'keep' }])
    }
  })
})

test('notes are threads at the lines of their messages, those of the reviewer last', () => {
  const text =
    'version: 2.2\n<|start|>user<|message|>One\ntwo<|end|>\n<|start|>assistant<|message|>Three<|end|>\n'
  const lines = new MessageLines(text)
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((line) => lines.messageAt(line)),
    [undefined, 0, 0, 1, 1],
  )
  const file = [
    { by: 'Ann', message: 1, note: 'Mine' },
    { by: 'Bo', message: 1, note: 'Yours' },
    { by: 'Bo', message: 1, note: 'Elsewhere', branch: 'rejected' },
    { by: 'Bo', message: 7, note: 'Gone' },
  ].map((it) => JSON.stringify({ v: 1, place: 1, hash: `sha256:${'0'.repeat(64)}`, ...it }))
  const { opinions } = readReview(file.join('\n')).review.of(1, `sha256:${'0'.repeat(64)}`)
  assert.deepEqual(
    lines
      .threads(opinions, { self: 'Ann', branch: 'chosen' })
      .map(({ line, message, notes }) => [line, message, notes.map((it) => it.text)]),
    [
      [3, 1, ['Yours', 'Mine']],
      [3, 7, ['Gone']],
    ],
  )
})

test('queries of the list see the review', async () => {
  const file = await line(samples[1] ?? '', 2, { decision: 'reject', by: 'Bo', note: 'Too short' })
  const { review } = await begun(samples, file)
  const found = (query: string) => {
    const compiled = compileQuery(query)
    assert.ok(compiled.kind !== 'mistake')
    return samples.flatMap((it, place) => {
      const bytes = new TextEncoder().encode(it)
      const reviewOf = () => review.reviewAt(place)
      return compiled.matcher.matches(viewOf({ bytes }, place + 1, { dialect: 'auto', reviewOf }))
        ? [place]
        : []
    })
  }
  assert.deepEqual(found('decision:reject reviewer:bo note:short'), [1])
  assert.deepEqual(found('is:undecided'), [0, 2, 3])
})

test('training flags are at their messages, and those of hidden messages with these only', () => {
  const messages = [
    { role: 'user', content: 'U', train: false },
    { role: 'assistant', reasoning_content: 'R', content: 'A', weight: 1 },
  ]
  const sample = judgedSample(new TextEncoder().encode(JSON.stringify({ messages })), { dialect: 'auto' })
  assert.deepEqual(
    visibleSample(sample, [], '').shared.map(({ shown }) => shown.flags),
    [['train: false'], ['weight: 1']],
  )
  assert.deepEqual(
    everythingSample(sample, [], '').shared.map(({ shown }) => shown.flags),
    [['train: false'], ['weight: 1'], ['weight: 1']],
  )
})

test('what users do not see is counted, and once where both sides of a pair begin with it', () => {
  const hiddenIn = (value: object) =>
    visibleSample(judgedSample(new TextEncoder().encode(JSON.stringify(value)), { dialect: 'auto' }), [], '')
      .hidden
  const answer = (...reasoning: string[]) =>
    reasoning.map((it) => ({ role: 'assistant', reasoning_content: it, content: it }))
  assert.deepEqual(hiddenIn({ messages: [{ role: 'system', content: 'S' }, ...answer('a', 'b')] }), {
    reasoning: 2,
    tools: 0,
    instructions: 1,
    problems: 0,
    isEmpty: false,
  })
  const prompt = [
    { role: 'system', content: 'S' },
    { role: 'user', content: 'U' },
  ]
  assert.deepEqual(hiddenIn({ prompt, chosen: answer('a'), rejected: answer('b', 'c') }), {
    reasoning: 3,
    tools: 0,
    instructions: 1,
    problems: 0,
    isEmpty: false,
  })
  assert.equal(hiddenIn({ prompt: 'U', chosen: 'same', rejected: 'same' }).reasoning, 0)
  const none = { reasoning: 0, tools: 0, instructions: 0, problems: 0, isEmpty: true }
  assert.deepEqual(hiddenIn([1]), none, 'a sample that cannot be read')
})

describe('messages of the page', () => {
  for (const value of [
    undefined,
    { kind: 'reviewShow', index: -1 },
    { kind: 'reviewNote', text: 7 },
    { kind: 'reviewNote', text: 'x'.repeat(10_001) },
    { kind: 'reviewCommand', command: 'constructor' },
    { kind: 'reviewPrefer', branch: {} },
  ])
    test(`${JSON.stringify(value)?.slice(0, 60)} is none`, () =>
      assert.equal(fromReviewPage(value), undefined))
})

test('words that differ are marked, white space alone is not', () => {
  const [one, other] = ['Teal is  a calm color.', 'Seven is a calm, fine color.']
  const { one: left, other: right } = wordDifferences(one, other) ?? { one: [], other: [] }
  assert.deepEqual(
    left.map(({ start, end }) => one.slice(start, end)),
    ['Teal'],
  )
  assert.deepEqual(
    right.map(({ start, end }) => other.slice(start, end).trim()),
    ['Seven', ', fine'],
  )
  assert.equal(wordDifferences('x'.repeat(200_001), 'y'), undefined)
})
