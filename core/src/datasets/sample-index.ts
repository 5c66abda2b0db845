/** Where each sample of a dataset is. In typed arrays, 12 bytes a sample and 16 in a list, because there may be many millions. */
import { countWhile } from '../text/count-while.ts'
import type { Position } from '../text/range.ts'
import type { SamplePlace } from './cutter.ts'
import type { DatasetKind } from './dataset-kind.ts'
import type { StoredArray } from './stored-index.ts'

const block = 1 << 13 // samples: growing never copies what is there, and a small file takes little
const mostUint32 = 2 ** 32 - 1

/** A stretch of a file: offsets of bytes, half-open. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

interface Block {
  /** The offset of its first sample. */
  base: number
  /** From there. Samples of a megabyte each need the wider one. */
  starts: Uint32Array | Float64Array
  /** Up to 4 GB: what is longer is not read anyway. */
  readonly lengths: Uint32Array
  readonly lines: Uint32Array
  /** Of elements of a list, which may begin anywhere. What is above 4 G is taken for that. */
  readonly characters: Uint32Array | undefined
}

/** The samples in order of the file. A sample has a place among the samples, and a number: that of its line, or in its list. */
export class SampleIndex {
  readonly #kind: DatasetKind
  readonly #blocks: Block[] = []
  #size = 0

  /** @param kind of the dataset */
  constructor(kind: DatasetKind) {
    this.#kind = kind
  }

  /** The index that {@link arrays} were of, for a file of so many bytes; undefined for arrays that cannot be such an index. */
  static from(kind: DatasetKind, arrays: readonly StoredArray[], length: number): SampleIndex | undefined {
    const [starts, lengths, lines, characters] = arrays
    const isList = kind === 'list'
    if (!(starts instanceof Float64Array) || arrays.length !== (isList ? 4 : 3)) return undefined
    const others = [lengths, lines, ...(isList ? [characters] : [])]
    if (others.some((it) => !(it instanceof Uint32Array) || it.length !== starts.length)) return undefined
    const index = new SampleIndex(kind)
    let [end, lastLine] = [0, -1]
    for (let place = 0; place < starts.length; place++) {
      const start = starts[place] ?? 0
      const line = lines?.[place] ?? 0
      const isInOrder =
        Number.isInteger(start) && end <= start && (isList ? lastLine <= line : lastLine < line)
      end = start + (lengths?.[place] ?? 0)
      if (!isInOrder || end > length) return undefined
      lastLine = line
      index.add({ start, end, line, character: characters?.[place] ?? 0, number: 0 })
    }
    return index
  }

  /** The index as numbers: starts, lengths, lines, and in a list characters. */
  arrays(): readonly StoredArray[] {
    const starts = new Float64Array(this.#size)
    const others = ['lengths', 'lines', ...(this.#kind === 'list' ? ['characters'] : [])] as const
    const rest = others.map(() => new Uint32Array(this.#size))
    this.#blocks.forEach((it, number) => {
      const first = number * block
      const count = Math.min(block, this.#size - first)
      for (let at = 0; at < count; at++) starts[first + at] = it.base + (it.starts[at] ?? 0)
      rest.forEach((array, other) => {
        const own = it[others[other] as 'lengths' | 'lines' | 'characters']
        if (own) array.set(own.subarray(0, count), first)
      })
    })
    return [starts, ...rest]
  }

  /** How many samples are known. */
  get size(): number {
    return this.#size
  }

  /** Bytes of memory. */
  get memory(): number {
    let sum = 0
    for (const { starts, lengths, lines, characters } of this.#blocks)
      sum += starts.byteLength + lengths.byteLength + lines.byteLength + (characters?.byteLength ?? 0)
    return sum
  }

  /** Adds the next sample: the next line that has one, or the next element. */
  add({ start, end, line, character }: SamplePlace): void {
    const at = this.#size % block
    if (at === 0) {
      this.#blocks.push({
        base: start,
        starts: new Uint32Array(block),
        lengths: new Uint32Array(block),
        lines: new Uint32Array(block),
        characters: this.#kind === 'list' ? new Uint32Array(block) : undefined,
      })
    }
    const last = this.#blocks[this.#blocks.length - 1]
    if (!last) return
    if (start - last.base > mostUint32) widen(last)
    last.starts[at] = start - last.base
    last.lengths[at] = Math.min(end - start, mostUint32)
    last.lines[at] = line
    if (last.characters) last.characters[at] = Math.min(character, mostUint32)
    this.#size++
  }

  /** The bytes of the sample at `place`. @throws RangeError if there is none */
  rangeOf(place: number): ByteRange {
    const { base, starts, lengths } = this.#blockOf(place)
    const start = base + (starts[place % block] ?? 0)
    return { start, end: start + (lengths[place % block] ?? 0) }
  }

  /** The number of the sample at `place`. @throws RangeError if there is none */
  numberOf(place: number): number {
    const { lines } = this.#blockOf(place)
    return this.#kind === 'list' ? place : (lines[place % block] ?? 0) + (this.#kind === 'rows' ? 0 : 1)
  }

  /** Where the sample at `place` begins. @throws RangeError if there is none */
  positionOf(place: number): Position {
    const { lines, characters } = this.#blockOf(place)
    return { line: lines[place % block] ?? 0, character: characters?.[place % block] ?? 0 }
  }

  /** The place of the sample with a number; undefined if there is none. */
  placeOf(number: number): number | undefined {
    const place = countWhile(this.#size, (it) => this.numberOf(it) < number)
    return place < this.#size && this.numberOf(place) === number ? place : undefined
  }

  /** The sample at `place` has another length now, and in a list ends elsewhere; what comes after it moves. */
  resize(
    place: number,
    length: number,
    ends?: { readonly before: Position; readonly after: Position },
  ): void {
    if (ends) this.#moveLines(place + 1, ends)
    const { start, end } = this.rangeOf(place)
    const growth = length - (end - start)
    const first = this.#blockOf(place)
    first.lengths[place % block] = length
    const last = Math.min(block, this.#size - (place - (place % block))) - 1
    if ((first.starts[last] ?? 0) + growth > mostUint32) widen(first)
    for (let at = (place % block) + 1; at <= last; at++) first.starts[at] = (first.starts[at] ?? 0) + growth
    for (const it of this.#blocks.slice(Math.floor(place / block) + 1)) it.base += growth
  }

  #moveLines(from: number, { before, after }: { readonly before: Position; readonly after: Position }): void {
    for (let place = from; place < this.#size; place++) {
      const { lines, characters } = this.#blockOf(place)
      const at = place % block
      const line = lines[at] ?? 0
      if (!characters || (line > before.line && before.line === after.line)) return
      lines[at] = line + after.line - before.line
      if (line === before.line)
        characters[at] = Math.min(mostUint32, (characters[at] ?? 0) + after.character - before.character)
    }
  }

  #blockOf(place: number): Block {
    const found = 0 <= place && place < this.#size ? this.#blocks[Math.floor(place / block)] : undefined
    if (!found) throw new RangeError(`Invalid place ${place} among ${this.#size} samples`)
    return found
  }
}

function widen(it: Block): void {
  if (it.starts instanceof Uint32Array) it.starts = Float64Array.from(it.starts)
}
