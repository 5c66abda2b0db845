/** Splits: shares, groups, strata, and the same result for the same seed. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { splitPartsIn, splitSamples } from '../../core/src/internal.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'

const parts = [
  { name: 'train', share: 80 },
  { name: 'test', share: 15 },
  { name: 'dev', share: 5 },
]

const texts: readonly (readonly [text: string, parts: string | undefined])[] = [
  ['train 90, test 10', 'train=90 test=10'],
  ['train 0.8,dev 0.1 ,  test 0.1', 'train=0.8 dev=0.1 test=0.1'],
  ['a 90%, b 10 %', 'a=90 b=10'],
  ['all 100', undefined],
  ['train 90, Train 10', undefined],
  ['train 90, test 0', undefined],
  ['train 90 test 10', undefined],
  ['../x 90, test 10', undefined],
  ['', undefined],
]

describe('the parts of', () => {
  for (const [text, expected] of texts)
    test(text || 'an empty text', () => {
      const found = splitPartsIn(text)?.map(({ name, share }) => `${name}=${share}`)
      assert.equal(found?.join(' '), expected)
    })
})

const samples = fc.array(
  fc.record({
    group: fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { nil: undefined }),
    stratum: fc.option(fc.constantFrom('x', 'y', 'z'), { nil: undefined }),
  }),
  { maxLength: 300 },
)

test('each sample has a part, groups stay together, and a seed repeats the split', () => {
  fc.assert(
    fc.property(samples, fc.nat(), (given, seed) => {
      const all = given.map((it, index) => ({ ...it, key: `a.jsonl:${index + 1}` }))
      const split = splitSamples(all, parts, seed)
      assert.equal(split.length, all.length)
      assert.ok(split.every((it) => parts[it] !== undefined))
      assert.deepEqual(splitSamples(all, parts, seed), split)
      for (const name of ['a', 'b', 'c', 'd', 'e']) {
        const own = split.filter((_, index) => all[index]?.group === name)
        assert.ok(new Set(own).size <= 1)
      }
    }),
    { numRuns: propertyRuns },
  )
})

test('without groups, shares are right to the sample, in each stratum as well', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 400 }), fc.nat(), (strata, seed) => {
      const all = strata.map((stratum, index) => ({ stratum, key: `a.jsonl:${index + 1}` }))
      const split = splitSamples(all, parts, seed)
      for (const stratum of [undefined, 'x', 'y', 'z'])
        for (const [part, { share }] of parts.entries()) {
          const own = all.flatMap((it, index) =>
            stratum === undefined || it.stratum === stratum ? [split[index]] : [],
          )
          const count = own.filter((it) => it === part).length
          assert.ok(Math.abs(count - (own.length * share) / 100) <= 2, `${stratum} ${part} ${count}`)
        }
    }),
    { numRuns: propertyRuns },
  )
})

test('another seed gives another split', () => {
  const all = Array.from({ length: 100 }, (_, index) => ({ key: `a.jsonl:${index + 1}` }))
  assert.notDeepEqual(splitSamples(all, parts, 1), splitSamples(all, parts, 2))
})
