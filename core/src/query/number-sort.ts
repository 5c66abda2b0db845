/** Sorts by numbers, in time linear in how many there are: some bits of them at a time, from the lowest ones on. */

const bits = 11 // so many counters stay in the fastest memory
const mask = (1 << bits) - 1

/** Items and what they are sorted by: words of 32 bits, the lowest first, all of one length. */
interface Records {
  readonly items: Uint32Array
  readonly words: readonly Uint32Array[]
}

/** `items` by their `numbers`, which are no NaN; equal ones stay in their order. */
export function sortedByNumber(
  items: Uint32Array,
  numbers: Uint32Array | Float64Array,
  isDescending: boolean,
): Uint32Array {
  const words = numbers instanceof Uint32Array ? [numbers.slice()] : wordsOf(numbers)
  if (isDescending)
    for (const word of words) for (let at = 0; at < word.length; at++) word[at] = ~(word[at] ?? 0)
  let from: Records = { items: items.slice(), words }
  let to: Records = {
    items: new Uint32Array(items.length),
    words: words.map((it) => new Uint32Array(it.length)),
  }
  for (let word = 0; word < words.length; word++) {
    for (let shift = 0; shift < 32; shift += bits) if (placed(from, to, word, shift)) [from, to] = [to, from]
  }
  return from.items
}

/** Puts the records of `from` into `to` by some bits of a word; false if these are the same in all, so that nothing is to be done. */
function placed(from: Records, to: Records, word: number, shift: number): boolean {
  const keys = from.words[word] as Uint32Array // `word` is one of them
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
  const [low, high] = from.words as [Uint32Array, Uint32Array | undefined]
  const [toLow, toHigh] = to.words as [Uint32Array, Uint32Array | undefined]
  for (let at = 0; at < length; at++) {
    const key = ((keys[at] as number) >>> shift) & mask
    const place = (places[key] as number)++
    to.items[place] = from.items[at] as number
    toLow[place] = low[at] as number
    if (toHigh) toHigh[place] = high?.[at] as number
  }
  return true
}

/** The low and the high words of numbers, so that they are in the same order as unsigned numbers. */
function wordsOf(numbers: Float64Array): readonly [low: Uint32Array, high: Uint32Array] {
  const view = new DataView(numbers.buffer, numbers.byteOffset, numbers.byteLength)
  const isLittle = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1
  const [low, high] = [new Uint32Array(numbers.length), new Uint32Array(numbers.length)]
  for (let at = 0; at < numbers.length; at++) {
    const upper = view.getUint32(8 * at + (isLittle ? 4 : 0), isLittle)
    // Positive numbers are in the order of their bits; of negative ones, more is less.
    const flip = upper >>> 31 === 1 ? 0xffffffff : 0
    low[at] = view.getUint32(8 * at + (isLittle ? 0 : 4), isLittle) ^ flip
    high[at] = upper ^ (flip | 0x80000000)
  }
  return [low, high]
}
