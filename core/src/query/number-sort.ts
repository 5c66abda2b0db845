/**
 * Sorts by numbers, in time linear in how many there are: some bits of them at a time, from the lowest ones on. Of numbers of two
 * words, the lower one is looked at only where the higher ones are alike.
 */

const bits = 11 // so many counters stay in the fastest memory
const mask = (1 << bits) - 1
const few = 64 // so many are put in order one by one

/** What is sorted, and the words by which it is. */
interface Records {
  readonly items: Uint32Array
  readonly keys: Uint32Array
}

/** `items` by their `numbers`, which are not NaN; equal ones stay in their order. */
export function sortedByNumber(
  items: Uint32Array,
  numbers: Uint32Array | Float64Array,
  isDescending: boolean,
): Uint32Array {
  const [high, low] = numbers instanceof Uint32Array ? [numbers.slice()] : wordsOf(numbers)
  for (const word of isDescending ? [high, low] : [])
    if (word) for (let at = 0; at < word.length; at++) word[at] = ~(word[at] as number)
  if (!low) return sortedByWord({ items: items.slice(), keys: high }).items
  const indexes = new Uint32Array(items.length)
  for (let at = 0; at < indexes.length; at++) indexes[at] = at
  const sorted = sortedByWord({ items: indexes, keys: high })
  sortAlike(sorted, low)
  const result = sorted.items
  for (let at = 0; at < result.length; at++) result[at] = items[result[at] as number] as number
  return result
}

/** Sorts the items that have the same key by their words in `low`. */
function sortAlike({ items, keys }: Records, low: Uint32Array): void {
  for (let from = 0, to = 1; from < items.length; from = to++) {
    const key = keys[from]
    while (to < keys.length && keys[to] === key) to++
    if (to - from > few) {
      const alike = items.slice(from, to)
      const words = new Uint32Array(alike.length)
      for (let at = 0; at < words.length; at++) words[at] = low[alike[at] as number] as number
      items.set(sortedByWord({ items: alike, keys: words }).items, from)
    } else if (to - from > 1) insertInOrder(items, from, to, low)
  }
}

function insertInOrder(items: Uint32Array, from: number, to: number, low: Uint32Array): void {
  for (let next = from + 1; next < to; next++) {
    const item = items[next] as number
    const word = low[item] as number
    let at = next
    for (; at > from && (low[items[at - 1] as number] as number) > word; at--)
      items[at] = items[at - 1] as number
    items[at] = item
  }
}

/** `from`, which is overwritten, by its keys. */
function sortedByWord(from: Records): Records {
  let sorted = from
  let other: Records = {
    items: new Uint32Array(from.items.length),
    keys: new Uint32Array(from.keys.length),
  }
  for (let shift = 0; shift < 32; shift += bits)
    if (placed(sorted, other, shift)) [sorted, other] = [other, sorted]
  return sorted
}

/** Puts the records of `from` into `to` by some bits; false if these are the same in all, so that nothing is to be done. */
function placed({ items, keys }: Records, to: Records, shift: number): boolean {
  const { length } = keys
  const places = new Uint32Array(mask + 1)
  for (let at = 0; at < length; at++) (places[((keys[at] as number) >>> shift) & mask] as number)++
  if (length === 0 || places[((keys[0] ?? 0) >>> shift) & mask] === length) return false
  let sum = 0
  for (let key = 0; key <= mask; key++) {
    const count = places[key] ?? 0
    places[key] = sum
    sum += count
  }
  for (let at = 0; at < length; at++) {
    const key = keys[at] as number
    const place = (places[(key >>> shift) & mask] as number)++
    to.items[place] = items[at] as number
    to.keys[place] = key
  }
  return true
}

/** The high and the low words of numbers, so that they are in the same order as unsigned numbers. */
function wordsOf(numbers: Float64Array): readonly [high: Uint32Array, low: Uint32Array] {
  const view = new DataView(numbers.buffer, numbers.byteOffset, numbers.byteLength)
  const isLittle = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1
  const [high, low] = [new Uint32Array(numbers.length), new Uint32Array(numbers.length)]
  for (let at = 0; at < numbers.length; at++) {
    const upper = view.getUint32(8 * at + (isLittle ? 4 : 0), isLittle)
    // Positive numbers are in the order of their bits; of negative ones, more is less.
    const flip = upper >>> 31 === 1 ? 0xffffffff : 0
    low[at] = view.getUint32(8 * at + (isLittle ? 0 : 4), isLittle) ^ flip
    high[at] = upper ^ (flip | 0x80000000)
  }
  return [high, low]
}
