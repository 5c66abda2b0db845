/** Seeded choices: repeatable, even, and as small as asked. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SeededSample, seededNumber } from '../../core/src/internal.ts'

test('the same seed and key give the same number, and others spread evenly', () => {
  assert.equal(seededNumber(1, 'data.jsonl:17'), seededNumber(1, 'data.jsonl:17'))
  const counts = new Array<number>(10).fill(0)
  for (let index = 0; index < 20_000; index++) {
    const number = seededNumber(7, `data.jsonl:${index}`)
    assert.ok(number >= 0 && number < 1)
    const bin = Math.floor(number * 10)
    counts[bin] = (counts[bin] ?? 0) + 1
  }
  for (const count of counts) assert.ok(Math.abs(count - 2000) < 200, counts.join(' '))
  let equal = 0
  for (let index = 0; index < 1000; index++)
    if (seededNumber(1, String(index)) < 0.5 === seededNumber(2, String(index)) < 0.5) equal++
  assert.ok(Math.abs(equal - 500) < 80, `${equal} of 1000 choices are alike for two seeds`)
})

test('a sample has the lowest numbers, in the order of the items', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.double({ noNaN: true })), fc.nat(8), (numbers, size) => {
      const sample = new SeededSample<number>(size)
      for (const it of numbers) sample.add(it, it)
      const lowest = new Set(numbers.toSorted((one, other) => one - other).slice(0, size))
      assert.deepEqual(
        sample.items(),
        numbers.filter((it) => lowest.has(it)),
      )
    }),
  )
})
