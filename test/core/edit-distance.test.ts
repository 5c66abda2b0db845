/** Distances of words, compared with the plain table of all beginnings. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { editDistance } from '../../core/src/text/edit-distance.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'

/** Insertions, deletions, replacements, and swaps of neighbors that are not touched again. */
function distanceByTable(one: string, other: string): number {
  const table: number[][] = []
  const at = (row: number, column: number) => table[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 0; row <= one.length; row++) {
    table.push([])
    for (let column = 0; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwap = row > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      const costs = [
        row === 0 || column === 0 ? row + column : Number.POSITIVE_INFINITY,
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (isSame ? 0 : 1),
        isSwap ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      ]
      table[row]?.push(Math.min(...costs))
    }
  }
  return at(one.length, other.length)
}

describe('the distance of words', () => {
  it('is what a table of all beginnings says, up to a limit', () => {
    const word = fc
      .array(fc.constantFrom('a', 'b', 'c', 'A', '_', '1', 'é', '\u0141'), { maxLength: 8 })
      .map((it) => it.join(''))
    fc.assert(
      fc.property(word, word, fc.nat(4), (one, other, limit) => {
        assert.equal(editDistance(one, other, limit), Math.min(distanceByTable(one, other), limit + 1))
        assert.equal(editDistance(one, other), distanceByTable(one, other))
      }),
      { numRuns: propertyRuns * 10 },
    )
  })
})
