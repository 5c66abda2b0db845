/** Where each sample of a dataset stands. In typed arrays, 16 bytes a sample, because there may be many millions. */
import type { ByteRange } from './byte-file.ts'

const block = 1 << 16 // samples: growing never copies what is there

interface Block {
  readonly starts: Float64Array
  readonly lengths: Uint32Array
  readonly numbers: Uint32Array
}

/** The samples in order of the file. A sample has a place among the samples, and a number: that of its line, or in its list. */
export class SampleIndex {
  readonly #blocks: Block[] = []
  #size = 0

  /** How many samples are known. */
  get size(): number {
    return this.#size
  }

  /** Bytes of memory. */
  get memory(): number {
    return this.#blocks.length * block * 16
  }

  /** Adds the next sample; its number is greater than those before. */
  add(start: number, length: number, number: number): void {
    const at = this.#size % block
    if (at === 0) {
      this.#blocks.push({
        starts: new Float64Array(block),
        lengths: new Uint32Array(block),
        numbers: new Uint32Array(block),
      })
    }
    const last = this.#blocks[this.#blocks.length - 1]
    if (!last) return
    last.starts[at] = start
    last.lengths[at] = length
    last.numbers[at] = number
    this.#size++
  }

  /** The bytes of the sample at `place`. @throws RangeError if there is none */
  rangeOf(place: number): ByteRange {
    const { starts, lengths } = this.#blockOf(place)
    const start = starts[place % block] ?? 0
    return { start, end: start + (lengths[place % block] ?? 0) }
  }

  /** The number of the sample at `place`. @throws RangeError if there is none */
  numberOf(place: number): number {
    return this.#blockOf(place).numbers[place % block] ?? 0
  }

  /** The place of the sample with a number; undefined if there is none. */
  placeOf(number: number): number | undefined {
    let [low, high] = [0, this.#size]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.numberOf(middle) < number) low = middle + 1
      else high = middle
    }
    return low < this.#size && this.numberOf(low) === number ? low : undefined
  }

  /** The sample at `place` has another length now; what stands behind it moves. */
  resize(place: number, length: number): void {
    const { start, end } = this.rangeOf(place)
    const growth = length - (end - start)
    this.#blockOf(place).lengths[place % block] = length
    if (growth === 0) return
    for (let index = place + 1; index < this.#size; index++) {
      const { starts } = this.#blockOf(index)
      starts[index % block] = (starts[index % block] ?? 0) + growth
    }
  }

  #blockOf(place: number): Block {
    const found = 0 <= place && place < this.#size ? this.#blocks[Math.floor(place / block)] : undefined
    if (!found) throw new RangeError(`Invalid place ${place} among ${this.#size} samples`)
    return found
  }
}
