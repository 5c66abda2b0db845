/** Values of columns in typed arrays, compared with plain arrays; and queries that are made from columns. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type ColumnValue, ColumnValues, compileQuery, queryWithTerm } from '../../core/src/internal.ts'
import { isInRange } from '../../core/src/query/query.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'

function valuesOf(all: readonly ColumnValue[]): ColumnValues {
  const values = new ColumnValues()
  for (const it of all) values.add(it)
  return values
}

/** As a list without any cleverness sorts. */
function naiveOrder(all: readonly (string | number | undefined)[], isDescending: boolean): readonly number[] {
  const compare = (one: string | number, other: string | number) => (one < other ? -1 : one > other ? 1 : 0)
  return [...all.keys()].sort((one, other) => {
    const [a, b] = [all[one], all[other]]
    if (a === undefined || b === undefined) return a === b ? one - other : a === undefined ? 1 : -1
    return (isDescending ? compare(b, a) : compare(a, b)) || one - other
  })
}

const number = fc.oneof(
  fc.integer({ min: 0, max: 5 }),
  fc.integer({ min: -5, max: 2 ** 33 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const columns = fc.oneof(
  fc.array(fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined })),
  fc.array(fc.option(number, { nil: undefined })),
  fc.array(fc.option(fc.string({ maxLength: 3 }), { nil: undefined })),
)

test('values are kept and sorted as plain arrays keep and sort them', () => {
  fc.assert(
    fc.property(columns, fc.boolean(), (all, isDescending) => {
      const values = valuesOf(all)
      assert.deepEqual(
        all.map((_, place) => values.at(place)),
        all.map((it) => (it === 0 ? 0 : it)),
      )
      const places = Uint32Array.from(all.keys())
      assert.deepEqual([...values.sorted(places, isDescending)], naiveOrder(all, isDescending))
    }),
    { numRuns: propertyRuns },
  )
})

test('a value that changed is another one, and what is not kept as it is makes a column inexact', () => {
  const values = valuesOf([3, undefined, 5])
  values.set(1, 4)
  assert.deepEqual([values.at(0), values.at(1), values.at(2), values.isExact], [3, 4, 5, true])
  values.set(1, 'four')
  assert.deepEqual([values.at(0), values.at(1), values.at(2), values.isExact], ['3', 'four', '5', false])
  assert.equal(valuesOf([true, 'x']).isExact, true)
  assert.equal(valuesOf([['a', 'b']]).at(0), 'a, b')
  assert.equal(valuesOf([['a', 'b']]).isExact, false)
  assert.equal(valuesOf(['x'.repeat(300)]).isExact, false)
})

test('values of several blocks are sorted and marked as plain arrays are', () => {
  const all = Array.from({ length: 20_000 }, (_, at) =>
    at % 7 === 0 ? undefined : ((at * 7919) % 1000) / 8 - 50,
  )
  const values = valuesOf(all)
  const marks = values.marks({ holds: (it) => typeof it === 'number' && it < 0 }, 5, 19_000)
  assert.deepEqual(
    [...marks],
    all.slice(5, 19_000).map((it) => (it !== undefined && it < 0 ? 1 : 0)),
  )
  assert.deepEqual([...values.sorted(Uint32Array.from(all.keys()), true)], naiveOrder(all, true))
})

test('numbers whose higher halves are alike are sorted, in short and in long runs', () => {
  for (const nAlike of [2, 63, 64, 65, 3000]) {
    const all = Array.from({ length: 6001 }, (_, at) => {
      const nth = (at * 7919) % 6001
      return nth % 10 === 0
        ? nth
        : (nth % 2 === 0 ? 1 : -1) * (1e9 + Math.floor(nth / nAlike) + (nth % 97) * 1e-7)
    })
    const places = Uint32Array.from(all.keys())
    for (const isDescending of [false, true])
      assert.deepEqual([...valuesOf(all).sorted(places, isDescending)], naiveOrder(all, isDescending))
  }
})

test('a range marks the numbers that are within it, and what lies beyond the values has none', () => {
  const bound = fc.oneof(
    fc.integer({ min: -3, max: 12 }),
    fc.double({ min: -3, max: 12, noNaN: true }),
    fc.constantFrom(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 2 ** 32 - 1, 2 ** 32),
  )
  const number = fc.oneof(fc.nat({ max: 10 }), fc.constantFrom(2 ** 32 - 2, 2 ** 32 - 1, 2 ** 40, -1, 0.5))
  const value = fc.option(fc.oneof({ weight: 9, arbitrary: number }, fc.constant('text')), { nil: undefined })
  const all = fc.oneof(
    fc.array(fc.option(fc.nat({ max: 10 }), { nil: undefined })),
    fc.array(fc.option(number, { nil: undefined })),
    fc.array(value),
  )
  fc.assert(
    fc.property(
      all,
      bound,
      bound,
      fc.boolean(),
      fc.boolean(),
      (given, from, to, includesFrom, includesTo) => {
        const range = { kind: 'numbers', from, to, includesFrom, includesTo } as const
        const holds = (it: ColumnValue) => typeof it === 'number' && isInRange(it, range)
        const values = valuesOf(given)
        const length = given.length + 3
        const expected = Array.from({ length }, (_, place) => (holds(values.at(place)) ? 1 : 0))
        assert.deepEqual([...values.marks({ holds, range }, 0, length)], expected)
        assert.deepEqual([...values.marks({ holds }, 0, length)], expected)
        assert.deepEqual([...values.marks({ holds, range }, 2, length)], expected.slice(2))
      },
    ),
    { numRuns: Math.min(propertyRuns, 500) },
  )
})

test('values take 4 bytes a sample, and 8 for numbers that need them', () => {
  const size = 100_000
  const of = (value: (index: number) => ColumnValue) =>
    valuesOf(Array.from({ length: size }, (_, index) => value(index))).memory / size
  assert.ok(of((index) => index) < 4.5)
  assert.ok(of((index) => `x${index % 7}`) < 4.5)
  assert.ok(of((index) => index / 2) < 9)
})

test('a query about columns decides by their values as it does by samples', () => {
  const compiled = compileQuery('(turns>=2 OR source:w*) -line:3 score<0.5')
  assert.ok(compiled.kind === 'matcher')
  const { matcher } = compiled
  assert.deepEqual(matcher.columns, ['turns', 'source', 'line', 'score'])
  const samples: readonly Readonly<Record<string, ColumnValue>>[] = [
    { turns: 2, line: 1, score: 0 },
    { source: 'Web', line: 2, score: -1 },
    { turns: 2, line: 3, score: 0 },
    { turns: 2, line: 4 },
    { source: 'forum', line: 5, score: 0 },
  ]
  const columnOf = (name: string) => valuesOf(samples.map((it) => it[name]))
  assert.deepEqual([...matcher.marks({ from: 0, to: 5 }, columnOf)], [1, 1, 0, 0, 0])
  assert.deepEqual([...matcher.marks({ from: 1, to: 3 }, columnOf)], [1, 0])
  for (const text of ['word', 'turns>1 user:x', 'is:broken']) {
    const other = compileQuery(text)
    assert.ok(other.kind === 'matcher' && other.matcher.columns === undefined, text)
  }
})

const range = (from: number, to: number) => ({ kind: 'range', from, to }) as const
const value = (it: string) => ({ kind: 'value', value: it }) as const
const added: readonly (readonly [
  text: string,
  name: string,
  condition: Parameters<typeof queryWithTerm>[2],
  expected: string,
])[] = [
  ['', 'turns', range(2, 4), 'turns:2..4'],
  ['word', 'turns', range(2, 2), 'word turns=2'],
  ['a turns>=9 b', 'turns', range(2, 4), 'a turns:2..4 b'],
  ['turns>=2 turns<=9 b', 'turns', range(3, 4), 'turns:3..4 b'],
  ['a OR b', 'turns', range(2, 4), '(a OR b) turns:2..4'],
  ['-turns:3', 'turns', range(2, 4), '-turns:3 turns:2..4'],
  ['source:x', 'source', value('web forum'), 'source:"web forum"'],
  ['word', 'prompt "length"', range(2, 4), 'word "prompt \\"length\\"":2..4'],
  ['"my col"=3 b', 'my col', value('x'), '"my col":x b'],
  ['"not closed', 'score', range(-1.5, 0.25), 'score:-1.5..0.25'],
]

describe('a condition is added to', () => {
  for (const [text, name, condition, expected] of added)
    test(text || 'an empty query', () => {
      const result = queryWithTerm(text, name, condition)
      assert.equal(result, expected)
      assert.equal(compileQuery(result).kind, 'matcher')
    })
})
