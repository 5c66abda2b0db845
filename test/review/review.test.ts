/** Review files (S9): lines, what counts, hashes, and agreement. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import {
  agreementOf,
  type Conversation,
  canonicalSample,
  decisionOf,
  hashText,
  isDatasetName,
  isReviewDone,
  Review,
  ReviewCount,
  type ReviewLine,
  readConversation,
  readReview,
  readReviewLine,
  readSample,
  reviewPath,
  sampleReview,
  swappedBranches,
  viewOfSample,
  writeConversation,
  writeReviewLine,
} from '../../core/src/internal.ts'

const canonicalOf = (conversation: Conversation) =>
  canonicalSample({ conversations: [conversation], source: '' })
const hashOf = (conversation: Conversation) =>
  hashText(createHash('sha256').update(canonicalOf(conversation), 'utf8').digest())
const hash = (digit: string) => `sha256:${digit.repeat(64)}`

function review(...lines: readonly ReviewLine[]): Review {
  const result = new Review()
  for (const it of lines) result.add(it)
  return result
}

describe('lines', () => {
  test('the example of the format is read, and written again', () => {
    const text = `{"v":1,"place":17,"hash":"${hash('a')}","decision":"keep","labels":["refusal"],"note":"…","message":3,"branch":"chosen","by":"Ann","at":"2026-01-31T12:00:00Z"}`
    const read = readReviewLine(text)
    assert.ok(read.kind === 'line')
    assert.equal(writeReviewLine(read.line), text)
  })

  test('unknown fields are no obstacle', () => {
    const read = readReviewLine(`{"v":1,"place":0,"hash":"${hash('0')}","mood":{"x":1}}`)
    assert.deepEqual(read, { kind: 'line', line: { place: 0, hash: hash('0') } })
  })

  for (const [text, message] of [
    ['{"v":1', /not JSON/],
    ['[]', /Expected an object/],
    ['{"v":2}', /Expected `"v":1`/],
    ['{"v":1,"place":1}', /`hash` is missing/],
    [`{"v":1,"hash":"${hash('1')}"}`, /`place` is missing/],
    ['{"v":1,"place":1,"hash":"md5:x"}', /`hash` must be `sha256:`/],
    [`{"v":1,"place":-1,"hash":"${hash('1')}"}`, /`place` must be a whole number/],
    [`{"v":1,"place":1,"hash":"${hash('1')}","decision":"maybe"}`, /`decision` must be/],
    [`{"v":1,"place":1,"hash":"${hash('1')}","labels":[1]}`, /`labels` must be a list of strings/],
  ] as const)
    test(`broken: ${text.slice(0, 40)}`, () => {
      const read = readReviewLine(text)
      assert.ok(read.kind === 'broken')
      assert.match(read.message, message)
    })
})

describe('what counts', () => {
  const line = { place: 1, hash: hash('a') }

  test('the last line of a person counts, and a label alone leaves the decision', () => {
    const { opinions } = review(
      { ...line, decision: 'keep', by: 'Ann' },
      { ...line, decision: 'reject', by: 'Bo' },
      { ...line, decision: 'fix', note: 'Typo', by: 'Ann' },
      { ...line, labels: ['refusal'], by: 'Ann' },
    ).of(1, hash('a'))
    assert.deepEqual(opinions, [
      { by: 'Ann', decision: 'fix', labels: ['refusal'], branch: undefined, note: 'Typo', messageNotes: [] },
      { by: 'Bo', decision: 'reject', labels: [], branch: undefined, note: undefined, messageNotes: [] },
    ])
  })

  test('undo takes a decision back', () => {
    const about = review({ ...line, decision: 'keep' }, { ...line, decision: null }).of(1, hash('a'))
    assert.equal(decisionOf(about), undefined)
  })

  test('different decisions are a conflict', () => {
    const about = review({ ...line, decision: 'keep', by: 'Ann' }, { ...line, decision: 'fix', by: 'Bo' }).of(
      1,
      hash('a'),
    )
    assert.equal(decisionOf(about), 'conflict')
  })

  test('notes on messages come and go', () => {
    const about = review(
      { ...line, message: 2, note: 'second' },
      { ...line, message: 0, note: 'first' },
      { ...line, message: 2, branch: 'rejected', note: 'other' },
      { ...line, message: 2, note: null },
    ).of(1, hash('a'))
    assert.deepEqual(
      about.opinions[0]?.messageNotes.map(({ note }) => note),
      ['first', 'other'],
    )
    assert.equal(sampleReview(about).notes, 2)
  })

  test('a sample that moved keeps its decision, and one that changed has a stale one', () => {
    const file = review({ ...line, decision: 'keep' })
    assert.deepEqual(sampleReview(file.of(9, hash('a'))), {
      decision: 'keep',
      labels: [],
      notes: 0,
      noteTexts: [],
      reviewers: [],
      isStale: false,
    })
    assert.deepEqual(sampleReview(file.of(1, hash('b'))), {
      decision: undefined,
      labels: [],
      notes: 0,
      noteTexts: [],
      reviewers: [],
      isStale: true,
    })
    const moved = (it: string) => it === hash('a')
    assert.equal(file.of(1, hash('b'), moved).isStale, false)
    assert.deepEqual(file.of(2, hash('b')), { opinions: [], isStale: false })
  })
})

describe('hashes', () => {
  const sample = JSON.stringify({
    messages: [
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'x', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'x', content: '21' },
      { role: 'assistant', content: '21 degrees', reasoning_content: 'Easy.' },
    ],
  })

  test('they are those of the conversation, not of its form or its side fields', () => {
    const reading = readConversation(sample)
    const expected = hashOf(reading.conversation)
    assert.match(expected, /^sha256:[\da-f]{64}$/)
    const renamed = sample
      .replaceAll('"x"', '"call_77"')
      .replace('{"messages"', '{"source":"wiki","messages"')
    for (const text of [
      renamed,
      ...(['ocm', 'responses'] as const).map((to) => writeConversation(reading, { to }).text),
    ]) {
      const again = readConversation(text)
      assert.equal(hashOf(again.conversation), expected, canonicalOf(again.conversation))
    }
    const edited = readConversation(sample.replace('21 degrees', '22 degrees'))
    assert.notEqual(hashOf(edited.conversation), expected)
  })
})

describe('agreement', () => {
  test("Cohen's own kind of table", () => {
    // 20 both yes, 5 and 10 apart, 15 both no: kappa 0.4 (J. Cohen's example in textbooks).
    const pairs = [
      ...new Array<readonly [string, string]>(20).fill(['keep', 'keep']),
      ...new Array<readonly [string, string]>(5).fill(['keep', 'reject']),
      ...new Array<readonly [string, string]>(10).fill(['reject', 'keep']),
      ...new Array<readonly [string, string]>(15).fill(['reject', 'reject']),
    ]
    const { both, same, share, kappa, table } = agreementOf(pairs)
    assert.deepEqual([both, same, share], [50, 35, 0.7])
    assert.ok(Math.abs((kappa ?? 0) - 0.4) < 1e-12)
    assert.equal(table.get('reject')?.get('keep'), 10)
  })

  test('nothing in common, and nothing but one decision', () => {
    assert.equal(agreementOf([]).share, undefined)
    assert.equal(agreementOf([['keep', 'keep']]).kappa, undefined)
  })
})

describe('counting', () => {
  const line = (place: number, digit: string, more: Partial<ReviewLine>): ReviewLine => ({
    place,
    hash: hash(digit),
    ...more,
  })
  const file = review(
    line(1, 'a', { decision: 'keep', by: 'Ann', labels: ['good'] }),
    line(1, 'a', { decision: 'keep', by: 'Bo', note: 'Fine' }),
    line(2, 'b', { decision: 'reject', by: 'Ann' }),
    line(3, 'c', { decision: 'keep', branch: 'chosen', by: 'Ann' }),
    line(3, 'c', { decision: 'keep', branch: 'rejected', by: 'Bo' }),
    line(4, 'd', { decision: 'fix' }),
    line(5, 'e', { decision: null }),
  )

  test('what is decided, stale, and undecided, in whatever order samples come', () => {
    // The sample of line 2 moved to 7, so what is at 2 now is undecided; the one at 4 changed.
    const samples: [number, string][] = [
      [2, '0'],
      [7, 'b'],
      [1, 'a'],
      [3, 'c'],
      [4, '1'],
      [5, 'e'],
    ]
    for (const order of [samples, samples.toReversed()]) {
      const count = new ReviewCount(file)
      for (const [place, digit] of order) count.add(place, hash(digit))
      const { decisions, labels, people, ...sums } = count.summary()
      assert.deepEqual(sums, { samples: 6, stale: 1, undecided: 2, notes: 1 })
      assert.deepEqual(Object.fromEntries(decisions), { keep: 1, reject: 1, conflict: 1 })
      assert.deepEqual(Object.fromEntries(labels), { good: 1 })
      assert.deepEqual(Object.fromEntries(people), { Ann: 3, Bo: 2 })
      assert.deepEqual([...count.stalePlaces()], [4])
      assert.equal(isReviewDone(count.summary()), false)
    }
  })

  test('many opinions about many equal samples cost no more than both', () => {
    const count = 20_000
    const lines = Array.from({ length: count }, (_, index) =>
      line(index + 1, 'a', { decision: 'keep', by: `p${index}`, labels: [`l${index}`], note: 'x' }),
    )
    const opinions = review(...lines)
    const counted = new ReviewCount(opinions)
    for (let place = 1; place <= count; place++) counted.add(place, hash('a'))
    const { labels, notes, people, decisions } = counted.summary()
    assert.deepEqual(
      [labels.size, notes, people.size, decisions.get('keep')],
      [1000, count ** 2, count, count],
    )
    // What is said about one is said about all, and the same for a sample that has changed.
    assert.equal(opinions.of(1, hash('a')), opinions.of(2, hash('a')))
    assert.equal(opinions.of(1, hash('b')), opinions.of(2, hash('b')))
    assert.equal(sampleReview(opinions.of(1, hash('a'))), sampleReview(opinions.of(2, hash('a'))))
    opinions.add(line(1, 'a', { decision: 'reject', by: 'p0' }))
    assert.equal(decisionOf(opinions.of(1, hash('a'))), 'conflict')
  })

  test('a review is done when every sample is kept or rejected', () => {
    const count = new ReviewCount(file)
    count.add(1, hash('a'))
    count.add(2, hash('b'))
    assert.equal(isReviewDone(count.summary()), true)
    count.add(4, hash('d'))
    assert.equal(isReviewDone(count.summary()), false)
  })

  test('a file is read line by line, and of one person alone', () => {
    const text = [
      writeReviewLine(line(1, 'a', { decision: 'keep', by: 'Ann' })),
      '{"v":1,"pl',
      '',
      writeReviewLine(line(1, 'a', { decision: 'reject' })),
    ].join('\r\n')
    const { review: all, mistakes } = readReview(`\ufeff${text}\n`)
    assert.deepEqual(
      mistakes.map((it) => it.line),
      [2],
    )
    assert.equal(decisionOf(all.of(1, hash('a'))), 'conflict')
    assert.equal(decisionOf(readReview(text, 'Ann').review.of(1, hash('a'))), 'keep')
    assert.equal(decisionOf(readReview(text, '').review.of(1, hash('a'))), 'reject')
  })
})

describe('samples', () => {
  const canonical = (text: string) =>
    canonicalSample(viewOfSample(readSample(new TextEncoder().encode(text), { rest: 'source' }), 1))
  const pair = { prompt: 'Name a color', chosen: 'Teal', rejected: 'Seven' }

  test('a pair is known by both of its branches, and what cannot be read by its text', () => {
    assert.notEqual(canonical(JSON.stringify(pair)), canonical(JSON.stringify({ ...pair, rejected: 'Six' })))
    assert.equal(canonical(JSON.stringify(pair)), canonical(JSON.stringify({ source: 'poll', ...pair })))
    assert.equal(canonical('{"broken'), '{"broken')
  })

  test('branches change places, and every other character stays', () => {
    const text = '{ "id": 1e400, "chosen" : [1, {"a":"b"}],\t"rejected":"\\u0041", "n": 1 }'
    const swapped = '{ "id": 1e400, "chosen" : "\\u0041",\t"rejected":[1, {"a":"b"}], "n": 1 }'
    assert.equal(swappedBranches(text, 'chosen', 'rejected'), swapped)
    assert.equal(swappedBranches(swapped, 'rejected', 'chosen'), text)
    assert.equal(swappedBranches('{"chosen":1}', 'chosen', 'rejected'), undefined)
    assert.equal(swappedBranches('{"chosen":1}', 'chosen', 'chosen'), undefined)
    const rated =
      '{"chosen":"A","score_chosen":9,"rejected":"B","score_rejected":2,"rejected_model":"n","chosen_model":"m","chosen_by":"x"}'
    assert.equal(
      swappedBranches(rated, 'chosen', 'rejected'),
      '{"chosen":"B","score_chosen":2,"rejected":"A","score_rejected":9,"rejected_model":"m","chosen_model":"n","chosen_by":"x"}',
    )
    const answers = '{"response":1,"rejected_response":2}'
    for (const [one, other] of [
      ['response', 'rejected_response'],
      ['rejected_response', 'response'],
    ] as const)
      assert.equal(swappedBranches(answers, one, other), '{"response":2,"rejected_response":1}')
  })

  test('a rejected answer next to a list changes places with the text of the last one', () => {
    const answered = (content: string, rejected: string, more = '') =>
      `{"messages": [{"role":"user","content":"q"}, {"role":"assistant", "content":${content}${more}}],"rejected_response":${rejected}}`
    const [one, other] = ['messages', 'rejected_response']
    assert.equal(swappedBranches(answered('"c"', '"\\u0041"'), one, other), answered('"\\u0041"', '"c"'))
    assert.equal(swappedBranches(answered('"c"', '"r"'), other, one), answered('"r"', '"c"'))
    const turns =
      '{"conversations":[{"from":"human","value":"q"},{"from":"gpt","value":"c"}],"rejected_response":"r"}'
    const swapped =
      '{"conversations":[{"from":"human","value":"q"},{"from":"gpt","value":"r"}],"rejected_response":"c"}'
    assert.equal(swappedBranches(turns, 'conversations', other), swapped)
    for (const refused of [
      answered('"c"', '"r"', ', "reasoning_content":"t"'),
      answered('null', '"r"'),
      answered('"c"', '[{"role":"assistant","content":"r"}]'),
      answered('"c"', '"[{}]"'),
      '{"messages":"[]","rejected_response":"r"}',
      answered('"c"', '"r"', '},{"role":"assistant","content":"d"'),
      answered('"c"', '"r"', '},{"role":"user","content":"d"'),
      '{"messages":[{"role":"assistant","content":"c"}],"rejected_response":"r"}',
    ])
      assert.equal(swappedBranches(refused, one, other), undefined, refused)
    const lists = '{"chosen_response":[1],"rejected_response":"r"}'
    assert.equal(
      swappedBranches(lists, 'chosen_response', other),
      '{"chosen_response":"r","rejected_response":[1]}',
    )
  })

  test('review files are no datasets', () => {
    for (const name of ['a.jsonl', 'a.ndjson', 'a.json', 'a.jsonl.gz', 'a.parquet'])
      assert.equal(isDatasetName(reviewPath(name)), false, name)
    assert.equal(isDatasetName('my.review.jsonl'), true)
  })
})
