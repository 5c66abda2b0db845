/** Random choices that a seed repeats, whatever the number of threads or machines. */

/** A number from 0 up to 1 that depends on `seed` and `key` alone. Equal inputs give equal numbers on every platform. */
export function seededNumber(seed: number, key: string): number {
  let one = 0xdeadbeef ^ seed
  let other = 0x41c6ce57 ^ seed
  for (let at = 0; at < key.length; at++) {
    const code = key.charCodeAt(at)
    one = Math.imul(one ^ code, 0x85ebca77)
    other = Math.imul(other ^ code, 0xc2b2ae3d)
  }
  one = Math.imul(one ^ (one >>> 15), 0x735a2d97) ^ other
  other = Math.imul(other ^ (other >>> 16), 0xcaf649a9) ^ one
  one ^= one >>> 13
  other ^= other >>> 15
  return (2 ** 21 * (one >>> 0) + (other >>> 11)) / 2 ** 53
}

/** Keeps the `size` items with the lowest numbers, in bounded memory. */
export class SeededSample<Item> {
  readonly #size: number
  /** A heap: the item with the highest number is first. */
  readonly #heap: { readonly number: number; readonly order: number; readonly item: Item }[] = []
  #order = 0

  constructor(size: number) {
    this.#size = size
  }

  /** True if an item with this number would be kept now. */
  takes(number: number): boolean {
    return this.#heap.length < this.#size || (this.#size > 0 && number < (this.#heap[0]?.number ?? 0))
  }

  add(number: number, item: Item): void {
    if (!this.takes(number)) return
    const entry = { number, order: this.#order++, item }
    if (this.#heap.length < this.#size) {
      this.#heap.push(entry)
      this.#rise(this.#heap.length - 1)
    } else {
      this.#heap[0] = entry
      this.#sink()
    }
  }

  /** What was kept, in the order in which it was added. */
  items(): readonly Item[] {
    return [...this.#heap].sort((one, other) => one.order - other.order).map(({ item }) => item)
  }

  #rise(start: number): void {
    let at = start
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (this.#number(parent) >= this.#number(at)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  #sink(): void {
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      let highest = at
      if (left < this.#heap.length && this.#number(left) > this.#number(highest)) highest = left
      if (right < this.#heap.length && this.#number(right) > this.#number(highest)) highest = right
      if (highest === at) return
      this.#swap(at, highest)
      at = highest
    }
  }

  #number(at: number): number {
    return this.#heap[at]?.number ?? Number.NEGATIVE_INFINITY
  }

  #swap(one: number, other: number): void {
    const [a, b] = [this.#heap[one], this.#heap[other]]
    if (!a || !b) return
    this.#heap[one] = b
    this.#heap[other] = a
  }
}
