/** Byte pair merging with a heap, for pieces too long to search again after each merge. */

const placeBits = 2 ** 32 // a rank and a place make one number that orders by rank, then place

/**
 * The ids of the tokens that `bytes` merge to: again and again the pair with the lowest rank, the leftmost first.
 *
 * @param bytes one character a byte
 */
export function mergeBytes(bytes: string, ranks: ReadonlyMap<string, number>): Int32Array {
  const count = bytes.length
  const next = new Int32Array(count + 1)
  const previous = new Int32Array(count + 1)
  const pairRanks = new Int32Array(count + 1).fill(-1)
  const heap = new NumberHeap()
  const offer = (place: number) => {
    const middle = next[place] ?? count
    const end = middle < count ? (next[middle] ?? count) : -1
    const rank = end === -1 ? undefined : ranks.get(bytes.slice(place, end))
    pairRanks[place] = rank ?? -1
    if (rank !== undefined) heap.push(rank * placeBits + place)
  }
  for (let place = 0; place <= count; place++) {
    next[place] = place + 1
    previous[place] = place - 1
  }
  for (let place = 0; place < count; place++) offer(place)
  for (let best = heap.pop(); best !== undefined; best = heap.pop()) {
    const place = best % placeBits
    if (pairRanks[place] !== Math.floor(best / placeBits)) continue // the pair has changed since
    const middle = next[place] ?? count
    const end = next[middle] ?? count
    next[place] = end
    previous[end] = place
    pairRanks[middle] = -1
    offer(place)
    const before = previous[place] ?? -1
    if (before >= 0) offer(before)
  }
  const ids = previous // no longer needed, and a list of numbers grows to several times its size
  let nIds = 0
  for (let place = 0; place < count; place = next[place] ?? count) {
    ids[nIds++] = ranks.get(bytes.slice(place, next[place])) ?? 0
  }
  return ids.subarray(0, nIds)
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
