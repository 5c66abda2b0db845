/** How far two words are apart. */
import { commonEnds } from './common-ends.ts'

/**
 * Insertions, deletions, replacements and swaps of neighbors that turn `one` into `other`; `limit + 1` if there are more
 * than `limit`. Takes time in the product of the lengths, or of one of them and the limit.
 */
export function editDistance(one: string, other: string, limit = Number.POSITIVE_INFINITY): number {
  const { head, tail } = commonEnds(one, other)
  const [left, right] = [one, other].map((it) => it.slice(head, it.length - tail)) as [string, string]
  const difference = Math.abs(left.length - right.length)
  if (left === '' || right === '' || difference > limit) return Math.min(difference, limit + 1)
  if (limit < lettersTold && leastEdits(left, right) > limit) return limit + 1
  return distanceOfRest(left, right, limit)
}

const lettersTold = 32 // groups of code units

/** As many edits as needed at least: each one takes away or brings in one code unit, and a swap none. */
function leastEdits(one: string, other: string): number {
  const [here, there] = [groupsIn(one), groupsIn(other)]
  return Math.max(countOf(here & ~there), countOf(there & ~here))
}

/** A bit for each group of code units that has one in `word`. */
function groupsIn(word: string): number {
  let groups = 0
  for (let at = 0; at < word.length; at++) groups |= 1 << (word.charCodeAt(at) % lettersTold)
  return groups
}

function countOf(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++
  return count
}

/** The distance of words that begin and end differently. */
function distanceOfRest(one: string, other: string, limit: number): number {
  const tooMany = limit + 1
  const width = other.length + 1
  let beforePrevious = new Array<number>(width).fill(tooMany)
  let previous = Array.from({ length: width }, (_, column) => Math.min(column, tooMany))
  for (let row = 1; row <= one.length; row++) {
    const current = new Array<number>(width).fill(tooMany)
    if (row <= limit) current[0] = row
    let cheapest = current[0] ?? tooMany
    const last = Math.min(other.length, row + limit)
    for (let column = Math.max(1, row - limit); column <= last; column++) {
      const isSame = one.charCodeAt(row - 1) === other.charCodeAt(column - 1)
      let cost = Math.min(
        (previous[column] ?? tooMany) + 1,
        (current[column - 1] ?? tooMany) + 1,
        (previous[column - 1] ?? tooMany) + (isSame ? 0 : 1),
      )
      const isSwap =
        row > 1 &&
        column > 1 &&
        one.charCodeAt(row - 1) === other.charCodeAt(column - 2) &&
        one.charCodeAt(row - 2) === other.charCodeAt(column - 1)
      if (isSwap) cost = Math.min(cost, (beforePrevious[column - 2] ?? tooMany) + 1)
      current[column] = cost
      if (cost < cheapest) cheapest = cost
    }
    // Only cells near the diagonal can be cheap. A swap reaches back over one row, so an expensive row is the end only after another.
    if (cheapest >= tooMany && Math.min(...previous) >= tooMany) return tooMany
    beforePrevious = previous
    previous = current
  }
  return Math.min(previous[other.length] ?? tooMany, tooMany)
}
