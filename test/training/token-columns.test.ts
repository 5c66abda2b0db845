/** Tokens as columns are the tokens that were added. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { TokenColumns, type TrainingToken, tokenFlags } from '../../core/src/internal.ts'

const plain = { noNullPrototype: true }
const anyToken = fc.record(
  {
    id: fc.nat({ max: 2 ** 32 - 1 }),
    start: fc.nat(),
    end: fc.nat(),
    isSpecial: fc.boolean(),
    isTrained: fc.boolean(),
    isCut: fc.boolean(),
    part: fc.option(fc.record({ from: fc.nat({ max: 3 }), to: fc.nat({ max: 70_000 }) }, plain), {
      nil: undefined,
    }),
  },
  plain,
)

test('tokens are those that were added, however many', () => {
  fc.assert(
    fc.property(fc.array(anyToken, { minLength: 1 }), fc.constantFrom(1, 20, 1000), (some, times) => {
      const all = Array.from({ length: times }, () => some).flat()
      const tokens = new TokenColumns()
      for (const { id, start, end, isSpecial, part } of all) tokens.push(id, start, end, isSpecial, part)
      for (const [index, { isTrained, isCut }] of all.entries()) {
        if (isTrained) tokens.mark(index, tokenFlags.trained)
        if (isCut) tokens.mark(index, tokenFlags.cut)
      }
      assert.equal(tokens.length, all.length)
      const [found, packed] = [[...tokens], tokens.packed()]
      for (const [index, token] of all.entries()) {
        assert.deepEqual({ part: undefined, ...found[index] }, token)
        assert.deepEqual([tokens.startOf(index), tokens.endOf(index)], [token.start, token.end])
        assert.equal(packed.flags[index], flagsOf(token))
      }
      assert.deepEqual(
        packed.ids,
        found.map(({ id }) => id),
      )
      assert.deepEqual(
        packed.parts,
        all.flatMap(({ part }, index) => (part ? [[index, part.from, part.to]] : [])),
      )
      assert.throws(() => tokens.startOf(all.length), RangeError)
    }),
    { numRuns: 60 },
  )
})

function flagsOf({ isSpecial, isTrained, isCut }: TrainingToken): number {
  return (isSpecial ? 1 : 0) + (isTrained ? 2 : 0) + (isCut ? 4 : 0)
}
