/** Byte pair merging with a heap, for words too long to search again after each merge. */

const places = 2 ** 29 // no string is longer; a rank below 2 ** 24 and a place make one number that orders by rank, then place

/**
 * Merges the parts of a word: again and again the two neighbors with the lowest rank, the leftmost first.
 *
 * @param ends where the part ends that begins at a place; its length is that of the word. Those of merged parts are changed.
 * @param rankOf the rank of the parts from `begin` to `middle` and on to `end`; undefined if they are not merged
 */
export function mergeParts(
  ends: Int32Array,
  rankOf: (begin: number, middle: number, end: number) => number | undefined,
): void {
  const count = ends.length
  const previous = new Int32Array(count + 1).fill(-1)
  const pairRanks = new Int32Array(count + 1).fill(-1)
  const heap = new NumberHeap()
  const offer = (place: number) => {
    const middle = ends[place] ?? count
    const end = middle < count ? (ends[middle] ?? count) : -1
    const rank = end === -1 ? undefined : rankOf(place, middle, end)
    pairRanks[place] = rank ?? -1
    if (rank !== undefined) heap.push(rank * places + place)
  }
  forEachPart(ends, (begin, end) => {
    previous[end] = begin
    offer(begin)
  })
  for (let best = heap.pop(); best !== undefined; best = heap.pop()) {
    const place = best % places
    if (pairRanks[place] !== Math.floor(best / places)) continue // the pair has changed since
    const middle = ends[place] ?? count
    const end = ends[middle] ?? count
    ends[place] = end
    previous[end] = place
    pairRanks[middle] = -1
    offer(place)
    const before = previous[place] ?? -1
    if (before >= 0) offer(before)
  }
}

/** Calls `take` with where each part begins and ends. */
export function forEachPart(ends: Int32Array, take: (begin: number, end: number) => void): void {
  for (let begin = 0; begin < ends.length; ) {
    const end = ends[begin] ?? ends.length
    take(begin, end)
    begin = end
  }
}

/** A binary heap: the least number comes first. */
class NumberHeap {
  readonly #items: number[] = []

  push(item: number): void {
    const items = this.#items
    let index = items.length
    items.push(item)
    while (index > 0) {
      const parent = (index - 1) >> 1
      const above = items[parent] ?? 0
      if (above <= item) break
      items[index] = above
      index = parent
    }
    items[index] = item
  }

  pop(): number | undefined {
    const items = this.#items
    const first = items[0]
    const last = items.pop()
    if (last === undefined || items.length === 0) return first
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= items.length) break
      if (child + 1 < items.length && (items[child + 1] ?? 0) < (items[child] ?? 0)) child++
      const below = items[child] ?? 0
      if (below >= last) break
      items[index] = below
      index = child
    }
    items[index] = last
    return first
  }
}
