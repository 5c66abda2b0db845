/** Summaries of columns, beside naive references: sorting, counting, and merging in parts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  ColumnTable,
  DatasetStatistics,
  isStatisticsData,
  NumberSummary,
  readSample,
  sampleJudge,
  ValueSummary,
  viewOfSample,
} from '../../core/src/internal.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'

const numRuns = Math.min(propertyRuns, 200)
const finite = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 })

function summaryOf(numbers: readonly number[]): NumberSummary {
  const summary = new NumberSummary()
  for (const it of numbers) summary.add(it)
  return summary
}

test('few numbers: quantiles are those of the sorted numbers', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -50, max: 5000 }), { minLength: 1 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (numbers, share) => {
        const sorted = numbers.toSorted((one, other) => one - other)
        const expected = sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1]
        const summary = summaryOf(numbers)
        assert.equal(summary.quantile(share), expected)
        assert.equal(summary.above(100), numbers.filter((it) => it > 100).length)
        assert.equal(
          summary.sumUpTo(100),
          numbers.reduce((sum, it) => sum + Math.min(it, 100), 0),
        )
      },
    ),
    { numRuns },
  )
})

test('many numbers: quantiles are at most 1 % off, and all else is exact', () => {
  const numbers = Array.from({ length: 20_000 }, (_, index) => ((index * 7919) % 20_011) * 1.37 - 500)
  const sorted = numbers.toSorted((one, other) => one - other)
  const summary = summaryOf(numbers)
  const { isExact, counts, count, least, greatest } = summary.data()
  assert.equal(isExact, false)
  assert.ok(counts.length < 3000, String(counts.length))
  assert.deepEqual([count, least, greatest], [20_000, sorted[0], sorted.at(-1)])
  for (const share of [0, 0.01, 0.25, 0.5, 0.9, 0.99, 1]) {
    const expected = sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1] ?? Number.NaN
    const actual = summary.quantile(share) ?? Number.NaN
    assert.ok(
      Math.abs(actual - expected) <= Math.abs(expected) * 0.0101 + 1e-9,
      `${share}: ${actual} for ${expected}`,
    )
  }
})

test('parts merge to the summary of the whole, in any order', () => {
  fc.assert(
    fc.property(fc.array(fc.array(finite)), (parts) => {
      const whole = summaryOf(parts.flat()).data()
      for (const order of [parts, parts.toReversed()]) {
        const merged = new NumberSummary()
        // As JSON, as it is between shards.
        for (const part of order) merged.merge(JSON.parse(JSON.stringify(summaryOf(part).data())))
        const { sum, ...rest } = merged.data()
        const { sum: expected, ...others } = whole
        assert.deepEqual(rest, others)
        assert.ok(Math.abs(sum - expected) <= 1e-6 * Math.max(1, ...parts.flat().map(Math.abs)))
      }
    }),
    { numRuns },
  )
})

test('statistics whose numbers do not fit together are none', () => {
  const isData = (numbers: object) =>
    isStatisticsData({ samples: 1, columns: { score: { numbers, values: new ValueSummary().data() } } })
  const inFile = (summary: NumberSummary) => JSON.parse(JSON.stringify(summary.data()))
  const many = summaryOf(Array.from({ length: 5000 }, (_, index) => index * 1.37 - 500))
  many.remove(-500)
  for (const summary of [new NumberSummary(), summaryOf([-0.5, 2, 2, 1e300]), many])
    assert.ok(isData(inFile(summary)))
  fc.assert(
    fc.property(fc.array(finite), (numbers) => isData(inFile(summaryOf(numbers)))),
    { numRuns },
  )
  const few = inFile(summaryOf([1, 2, 2]))
  for (const wrong of [
    { greatest: 1 },
    { greatest: -1 },
    { greatest: {} },
    { least: 2 },
    { least: 'x' },
    { least: null },
    { sum: 'x' },
    { count: 2 },
    { counts: [] },
    { counts: [[1, -1]] },
    { isExact: false, counts: [[0.5, 3]] },
    { isExact: false },
  ])
    assert.equal(isData({ ...few, ...wrong }), false, JSON.stringify(wrong))
})

test('a histogram has every number in one bar', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(finite, fc.integer({ min: 0, max: 30 })), { minLength: 1 }),
      fc.integer({ min: 1, max: 40 }),
      (numbers, bars) => {
        const histogram = summaryOf(numbers).histogram(bars)
        assert.ok(histogram.length <= bars)
        assert.equal(
          histogram.reduce((sum, { count }) => sum + count, 0),
          numbers.length,
        )
      },
    ),
    { numRuns },
  )
  const wide = summaryOf([-1e308, 1e308]).histogram(4)
  assert.deepEqual(
    wide.map(({ count }) => count),
    [1, 0, 0, 1],
  )
  assert.deepEqual([wide[0]?.from, wide.at(-1)?.to], [-1e308, 1e308])
  const whole = summaryOf([1, 2, 2, 3, 10]).histogram(5)
  assert.deepEqual(whole, [
    { from: 1, to: 3, count: 3 },
    { from: 3, to: 5, count: 1 },
    { from: 5, to: 7, count: 0 },
    { from: 7, to: 9, count: 0 },
    { from: 9, to: 11, count: 1 },
  ])
})

test('values are counted, the most frequent first, and those beyond the limit together', () => {
  const summary = new ValueSummary()
  for (const it of ['b', 'a', 'b', 'c', 'a', 'b', '__proto__']) summary.add(it)
  assert.deepEqual(summary.top(2), [
    ['b', 3],
    ['a', 2],
  ])
  for (let index = 0; index < 12_000; index++) summary.add(`id-${index}`)
  assert.equal(summary.count, 12_007)
  assert.equal(summary.distinct, 10_000)
  assert.equal(summary.data().others, 2004)
  const merged = ValueSummary.from(JSON.parse(JSON.stringify(summary.data())))
  assert.deepEqual(merged.data(), summary.data())
})

test('statistics of parts merge to those of the whole, groups included', () => {
  const samples = Array.from({ length: 30 }, (_, index) => ({
    messages: [
      { role: 'user', content: 'a'.repeat(index) },
      { role: 'assistant', content: 'b' },
    ],
    source: index % 3 === 0 ? 'wiki' : 'web',
    score: index / 10,
    reasoning_trace: 'a hidden thought',
    output: 'hidden',
    tags: ['x', index % 2 === 0 ? 'even' : 'odd'],
    meta: { deep: 1 },
  }))
  const views = samples.map((it, index) =>
    viewOfSample(readSample(new TextEncoder().encode(JSON.stringify(it)), {}), index + 1, {
      judge: sampleJudge({}),
    }),
  )
  const of = (from: number, to: number) => {
    const statistics = new DatasetStatistics({ by: 'source' })
    for (const it of views.slice(from, to)) statistics.add(it)
    return statistics
  }
  const whole = of(0, 30)
  const merged = new DatasetStatistics({ by: 'source' })
  for (const part of [of(0, 7), of(7, 8), of(8, 30)]) merged.merge(JSON.parse(JSON.stringify(part.data())))
  assert.equal(merged.samples, 30)
  assert.deepEqual(whole.names, [
    'form',
    'messages',
    'turns',
    'chars',
    'calls',
    'tools',
    'errors',
    'warnings',
    'source',
    'score',
  ])
  assert.deepEqual(merged.names.toSorted(), whole.names.toSorted())
  assert.equal(merged.numbers('chars')?.quantile(1), 30)
  assert.deepEqual(merged.values('source')?.top(9), [
    ['web', 20],
    ['wiki', 10],
  ])
  assert.deepEqual(
    merged.groups.map(([value, group]) => [value, group.samples]),
    [
      ['web', 20],
      ['wiki', 10],
    ],
  )
  assert.equal(merged.groups[1]?.[1].numbers('score')?.quantile(1), 2.7)
})

test('a sample that takes the place of another one leaves the statistics of the samples that are there', () => {
  const viewOf = (sample: object) =>
    viewOfSample(readSample(new TextEncoder().encode(JSON.stringify(sample)), {}), 1, {
      judge: sampleJudge({}),
    })
  const sample = fc.record({
    messages: fc.constant([{ role: 'user', content: 'Hello' }]),
    score: fc.oneof(fc.integer({ min: -3, max: 9 }), fc.constant('none')),
    source: fc.constantFrom('web', 'wiki', 'forum', true),
  })
  fc.assert(
    fc.property(fc.array(sample, { minLength: 1, maxLength: 9 }), sample, fc.nat(), (all, after, at) => {
      const place = at % all.length
      const replaced = new DatasetStatistics()
      for (const it of all) replaced.add(viewOf(it))
      replaced.replace(viewOf(all[place] ?? {}), viewOf(after))
      const expected = new DatasetStatistics()
      for (const it of all.with(place, after)) expected.add(viewOf(it))
      assert.equal(replaced.samples, expected.samples)
      for (const name of expected.names) {
        assert.deepEqual(replaced.numbers(name)?.data(), expected.numbers(name)?.data(), name)
        assert.deepEqual(replaced.values(name)?.data(), expected.values(name)?.data(), name)
      }
    }),
    { numRuns },
  )
})

test('fields after the first thousands are not looked at', () => {
  const fields = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, index]))
  const sample = JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }], ...fields })
  let nLooks = 0
  const mapping = {
    // Asked for each field that may describe a sample.
    get columns() {
      nLooks++
      return {}
    },
  }
  const view = new Proxy(viewOfSample(readSample(new TextEncoder().encode(sample), {}), 1, {}), {
    get: (target, name) => (name === 'mapping' ? mapping : Reflect.get(target, name, target)),
  })
  const [statistics, table] = [new DatasetStatistics(), new ColumnTable()]
  for (let count = 0; count < 3; count++) {
    statistics.add(view)
    table.add(view)
  }
  assert.ok(nLooks < 10_000, String(nLooks))
  assert.equal(statistics.fieldNames.length, 200)
  assert.equal(statistics.numbers('k199')?.count, 3)
  assert.equal(Object.keys(table.data().columns).filter((it) => /^k\d/.test(it)).length, 200)
})

test('a field is no column if one of its values was a part of a conversation', () => {
  const sampleOf = (fields: object, place: number) => {
    const value = { messages: [{ role: 'user', content: 'Hi' }], ...fields }
    return viewOfSample(readSample(new TextEncoder().encode(JSON.stringify(value)), {}), place)
  }
  const samples = [
    sampleOf({ raw: 'We add.', source: 'web' }, 0),
    sampleOf({ raw: `<think>We add.</think>${'4'.repeat(300)}`, source: 'web' }, 1),
    sampleOf({ raw: 'We add again.', source: 'book' }, 2),
  ]
  for (const options of [{ by: 'source' }, { columns: ['raw', 'source'] }, { by: 'raw' }]) {
    const parts = samples.map((it) => {
      const part = new DatasetStatistics(options)
      part.add(it)
      return part.data()
    })
    const statistics = new DatasetStatistics(options)
    for (const it of parts) statistics.merge(it)
    assert.equal(statistics.values('raw'), undefined)
    assert.equal(statistics.values('source')?.count, 3)
    assert.deepEqual([...statistics.refused], ['raw'])
    const whole = new DatasetStatistics(options)
    for (const it of samples) whole.add(it)
    assert.ok(!JSON.stringify(whole.data()).includes('We add'), JSON.stringify(whole.data()))
  }
  const table = new ColumnTable()
  for (const it of samples) table.add(it)
  assert.ok(!JSON.stringify(table.data()).includes('We add'))
  assert.deepEqual(table.data().refused, ['raw'])
})
