/** Where each sample of a dataset stands. In typed arrays, 16 bytes a sample, because there may be many millions; 28 in a list. */
import type { Position } from '../../../core/src/index.ts'
import type { ByteRange } from './byte-file.ts'

const block = 1 << 16 // samples: growing never copies what is there

interface Block {
  readonly starts: Float64Array
  readonly lengths: Uint32Array
  readonly numbers: Uint32Array
  /** Of elements of a list, which may begin anywhere. */
  readonly places: { readonly lines: Uint32Array; readonly characters: Float64Array } | undefined
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
    return this.#blocks.length * block * (this.#blocks[0]?.places ? 28 : 16)
  }

  /** Adds the next sample; its number is greater than those before. An element of a list begins at `position`. */
  add(start: number, length: number, number: number, position?: Position): void {
    const at = this.#size % block
    if (at === 0) {
      this.#blocks.push({
        starts: new Float64Array(block),
        lengths: new Uint32Array(block),
        numbers: new Uint32Array(block),
        places: position && { lines: new Uint32Array(block), characters: new Float64Array(block) },
      })
    }
    const last = this.#blocks[this.#blocks.length - 1]
    if (!last) return
    last.starts[at] = start
    last.lengths[at] = length
    last.numbers[at] = number
    if (position && last.places) {
      last.places.lines[at] = position.line
      last.places.characters[at] = position.character
    }
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

  /** Where the sample at `place` begins. Lines are found by their numbers. @throws RangeError if there is none */
  positionOf(place: number): Position {
    const { numbers, places } = this.#blockOf(place)
    const at = place % block
    if (!places) return { line: (numbers[at] ?? 1) - 1, character: 0 }
    return { line: places.lines[at] ?? 0, character: places.characters[at] ?? 0 }
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

  /** The sample at `place` has another length now, and ends elsewhere; what stands behind it moves. */
  resize(
    place: number,
    length: number,
    ends?: { readonly before: Position; readonly after: Position },
  ): void {
    if (ends) this.#move(place + 1, ends)
    const { start, end } = this.rangeOf(place)
    const growth = length - (end - start)
    this.#blockOf(place).lengths[place % block] = length
    if (growth === 0) return
    for (let index = place + 1; index < this.#size; index++) {
      const { starts } = this.#blockOf(index)
      starts[index % block] = (starts[index % block] ?? 0) + growth
    }
  }

  #move(from: number, { before, after }: { readonly before: Position; readonly after: Position }): void {
    for (let place = from; place < this.#size; place++) {
      const { places } = this.#blockOf(place)
      const at = place % block
      const line = places?.lines[at] ?? 0
      if (!places || (line > before.line && before.line === after.line)) return
      places.lines[at] = line + after.line - before.line
      if (line === before.line)
        places.characters[at] = (places.characters[at] ?? 0) + after.character - before.character
    }
  }

  #blockOf(place: number): Block {
    const found = 0 <= place && place < this.#size ? this.#blocks[Math.floor(place / block)] : undefined
    if (!found) throw new RangeError(`Invalid place ${place} among ${this.#size} samples`)
    return found
  }
}
