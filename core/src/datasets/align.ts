/** What two lists have in common, in order: where an edit left things alone. */
import { countWhile } from '../text/count-while.ts'

/** An item of one list, and the equal one of the other, by their indices. */
export type Pair = readonly [number, number]

/** A stretch of each list that still has to be compared. */
interface Stretch {
  readonly from: number
  readonly to: number
  readonly otherFrom: number
  readonly otherTo: number
  readonly depth: number
}

const exactUpTo = 1 << 18 // pairs to look at: a few milliseconds
const deepest = 40 // each level costs one pass

/**
 * Pairs of equal items of `one` and `other`, in increasing order. As many as there can be where the lists are short; in long
 * lists, items that appear only once are what others are found by. Costs about `n log n`.
 */
export function aligned(one: readonly string[], other: readonly string[]): readonly Pair[] {
  const pairs: Pair[] = []
  const left: Stretch[] = [{ from: 0, to: one.length, otherFrom: 0, otherTo: other.length, depth: 0 }]
  for (let it = left.pop(); it; it = left.pop()) {
    let { from, to, otherFrom, otherTo } = it
    const { depth } = it
    while (from < to && otherFrom < otherTo && one[from] === other[otherFrom])
      pairs.push([from++, otherFrom++])
    while (from < to && otherFrom < otherTo && one[to - 1] === other[otherTo - 1])
      pairs.push([--to, --otherTo])
    if (from === to || otherFrom === otherTo) continue
    const middle = { from, to, otherFrom, otherTo, depth }
    if ((to - from) * (otherTo - otherFrom) <= exactUpTo) {
      pairs.push(...longest(one, other, middle))
      continue
    }
    if (depth === deepest) continue
    const anchors = uniquePairs(one, other, middle)
    if (anchors.length === 0) continue
    for (const [nth, [at, otherAt]] of anchors.entries()) {
      pairs.push([at, otherAt])
      const before = anchors[nth - 1]
      left.push({
        from: before ? before[0] + 1 : from,
        to: at,
        otherFrom: before ? before[1] + 1 : otherFrom,
        otherTo: otherAt,
        depth: depth + 1,
      })
    }
    const [last, otherLast] = anchors.at(-1) ?? [from, otherFrom]
    left.push({ from: last + 1, to, otherFrom: otherLast + 1, otherTo, depth: depth + 1 })
  }
  return pairs.sort(([a], [b]) => a - b)
}

/** The longest common subsequence. */
function longest(one: readonly string[], other: readonly string[], stretch: Stretch): readonly Pair[] {
  const { from, to, otherFrom, otherTo } = stretch
  const width = otherTo - otherFrom + 1
  const lengths = new Uint32Array((to - from + 1) * width)
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = to - from - 1; row >= 0; row--) {
    for (let column = width - 2; column >= 0; column--) {
      lengths[row * width + column] =
        one[from + row] === other[otherFrom + column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
    }
  }
  const pairs: Pair[] = []
  for (let row = 0, column = 0; row < to - from && column < width - 1; ) {
    if (one[from + row] === other[otherFrom + column]) pairs.push([from + row++, otherFrom + column++])
    else if (at(row + 1, column) >= at(row, column + 1)) row++
    else column++
  }
  return pairs
}

/** Items that each stretch has once: the longest run of them that is in the same order in both. */
function uniquePairs(one: readonly string[], other: readonly string[], stretch: Stretch): readonly Pair[] {
  const { from, to, otherFrom, otherTo } = stretch
  const places = new Map<string, { at: number; otherAt: number; count: number; otherCount: number }>()
  const placeOf = (item: string) => {
    const known = places.get(item) ?? { at: 0, otherAt: 0, count: 0, otherCount: 0 }
    places.set(item, known)
    return known
  }
  for (let at = from; at < to; at++) {
    const place = placeOf(one[at] ?? '')
    place.at = at
    place.count++
  }
  for (let at = otherFrom; at < otherTo; at++) {
    const place = placeOf(other[at] ?? '')
    place.otherAt = at
    place.otherCount++
  }
  const unique: Pair[] = []
  for (const { at, otherAt, count, otherCount } of places.values())
    if (count === 1 && otherCount === 1) unique.push([at, otherAt])
  return increasing(unique) // in the order of `one`, as they were met
}

/** The longest subsequence whose second numbers increase. */
function increasing(pairs: readonly Pair[]): readonly Pair[] {
  const ends: number[] = [] // of a sequence of each length, the pair that ends it lowest
  const before: number[] = []
  for (const [index, [, value]] of pairs.entries()) {
    const length = countWhile(ends.length, (it) => (pairs[ends[it] ?? 0]?.[1] ?? 0) < value)
    before[index] = ends[length - 1] ?? -1
    ends[length] = index
  }
  const result: Pair[] = []
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) {
    const pair = pairs[index]
    if (pair) result.push(pair)
  }
  return result.reverse()
}
