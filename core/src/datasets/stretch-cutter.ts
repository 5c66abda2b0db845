/** Cuts a file into stretches of whole samples, with their bytes: pieces of work that hold a part of the file at a time. */
import type { SamplePlace } from './cutter.ts'
import { cutterFor, type DatasetKind } from './dataset-kind.ts'

/** Some samples of a file in a row. It is data, which can be sent to another thread. */
export interface Stretch {
  /** What a sample is: a line, an element of a list, a row of a table, or the whole file. */
  readonly place: 'line' | 'element' | 'row' | 'file'
  /** The bytes from the first sample to the end of the last; none if {@link isTooLong}. */
  readonly bytes: Uint8Array
  /** The offset of these bytes in the file. */
  readonly offset: number
  /** The number of the first sample: of its line, from 1, or of its element, from 0. */
  readonly first: number
  /** For each sample, offsets in `bytes` of its start and end, its number, and the line and the character where it begins. */
  readonly places: Uint32Array
  /** True for one sample that is too long to be read. */
  readonly isTooLong: boolean
  /** Why samples with these numbers must not be read. */
  readonly mistakes?: ReadonlyMap<number, string>
}

/**
 * Looks at some bytes, and says of samples in them whether they are wanted. Of a sample: the offsets of its start and of its end in
 * the bytes, and its number. The samples come in their order.
 */
export type SampleSieve = (bytes: Uint8Array) => (start: number, end: number, number: number) => boolean

/** How a file is cut into stretches. */
export interface StretchLimits {
  /** Bytes of a stretch, about. */
  readonly stretch: number
  /** Bytes of the longest sample that is read. Of a longer one only the place is kept. */
  readonly sample: number
}

const placeLength = 5

/** The places of the samples of `stretch`: offsets are those in its bytes. */
export function* samplePlaces({ places }: Stretch): IterableIterator<SamplePlace> {
  for (let at = 0; at < places.length; at += placeLength) {
    const [start, end] = [places[at] ?? 0, places[at + 1] ?? 0]
    const [number, line, character] = [places[at + 2] ?? 0, places[at + 3] ?? 0, places[at + 4] ?? 0]
    yield { start, end, number, line, character }
  }
}

/** The file with `bytes`, which is one conversation, as a stretch. */
export function fileAsStretch(bytes: Uint8Array, longest: number): Stretch {
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const place = { start: isMarked ? 3 : 0, end: bytes.length, number: 0, line: 0, character: 0 }
  return stretchOf(
    'file',
    [place],
    place.start,
    bytes.length > longest ? undefined : bytes.subarray(place.start),
  )
}

/** Cuts a file that comes in chunks. Of their bytes it holds copies, until they are taken. */
export class StretchCutter {
  readonly #place: Stretch['place']
  readonly #limits: StretchLimits
  readonly #cutter
  readonly #held = new HeldBytes()
  /** Of the samples that are held. */
  #places: SamplePlace[] = []
  readonly #sieve: SampleSieve | undefined
  /** What comes after the bytes that are held, its offset in the file, and what the sieve says of samples in it. */
  #chunk: Uint8Array = nothing
  #chunkStart = 0
  #isWantedInChunk: ReturnType<SampleSieve> | undefined

  /** @param sieve says which samples can be taken; by default all. One that is too long always can. */
  constructor(kind: DatasetKind, limits: StretchLimits, sieve?: SampleSieve) {
    this.#place = kind === 'list' ? 'element' : kind === 'rows' ? 'row' : 'line'
    this.#limits = limits
    this.#sieve = sieve
    this.#cutter = cutterFor(kind, (place) => {
      if (!sieve || this.#isWanted(place, sieve)) this.#places.push(place)
    })
  }

  /** True if there are samples to be taken. */
  get hasSamples(): boolean {
    return this.#places.length > 0
  }

  /** True if there are enough of them, or one that is too long: then they must be taken, so that memory is bounded. */
  get isFull(): boolean {
    const [first, last] = [this.#places[0], this.#places.at(-1)]
    if (!first || !last) return false
    // Of what is sieved, no sample may be wanted for a long time.
    const isEnough = this.#sieve !== undefined || last.end - first.start >= this.#limits.stretch
    return isEnough || this.#isTooLong(first) || this.#isTooLong(last) || this.#isOpenTooLong
  }

  /** How many bytes are held. */
  get held(): number {
    return this.#held.length
  }

  /**
   * Takes the next bytes of the file. The chunk must stay as it is while the cutter is full, and may be reused afterwards.
   *
   * @throws DatasetError; what came before can be taken
   */
  push(chunk: Uint8Array): void {
    this.#hold()
    this.#chunk = chunk
    this.#isWantedInChunk = this.#sieve?.(chunk)
    try {
      this.#cutter.push(chunk)
    } finally {
      if (!this.isFull) this.#hold()
    }
  }

  /** The file ends here. @throws DatasetError as above */
  end(): void {
    this.#cutter.end()
  }

  /** The samples that are held, or the first ones of them. There must be some. */
  take(): Stretch {
    const isTooLong = (it: SamplePlace) => this.#isTooLong(it)
    const tooLong = this.#places.findIndex(isTooLong)
    const taken = this.#places.splice(0, tooLong === 0 ? 1 : tooLong === -1 ? this.#places.length : tooLong)
    const [first, last] = [taken[0], taken.at(-1)]
    if (!first || !last) throw new RangeError('There are no samples to be taken')
    const bytes = tooLong === 0 ? undefined : this.#copied(first.start, last.end)
    if (!this.isFull) this.#hold()
    return stretchOf(this.#place, taken, first.start, bytes)
  }

  #isWanted(place: SamplePlace, sieve: SampleSieve): boolean {
    if (this.#isTooLong(place)) return true
    const { start, end, number } = place
    const from = this.#chunkStart
    if (start >= from && this.#isWantedInChunk) return this.#isWantedInChunk(start - from, end - from, number)
    return sieve(this.#copied(start, end))(0, end - start, number)
  }

  /** A copy of the bytes from `start` to before `end`. */
  #copied(start: number, end: number): Uint8Array {
    const bytes = new Uint8Array(end - start)
    const from = Math.max(start, this.#chunkStart)
    if (start < from) bytes.set(this.#held.part(start, Math.min(from, end)))
    if (from < end)
      bytes.set(this.#chunk.subarray(from - this.#chunkStart, end - this.#chunkStart), from - start)
    return bytes
  }

  /** True if it is longer than what is read, or its first bytes are forgotten for that. */
  #isTooLong({ start, end }: SamplePlace): boolean {
    return end - start > this.#limits.sample || start < this.#held.from
  }

  /** True if the sample that has begun is longer than what is read. */
  get #isOpenTooLong(): boolean {
    return this.#chunkStart + this.#chunk.length - this.#cutter.openStart > this.#limits.sample
  }

  /** Holds what belongs to samples that are held or have begun, unless one that has begun is too long already. */
  #hold(): void {
    const [chunk, start] = [this.#chunk, this.#chunkStart]
    const to = start + chunk.length
    const isForgotten = this.#places.length === 0 && this.#isOpenTooLong
    const from = isForgotten ? to : Math.min(to, this.#places[0]?.start ?? this.#cutter.openStart)
    if (from >= start) this.#held.clear(from)
    else this.#held.forget(from)
    this.#held.add(chunk.subarray(Math.max(0, from - start)))
    this.#chunk = nothing
    this.#chunkStart = to
    this.#isWantedInChunk = undefined
  }
}

const nothing = new Uint8Array()
const leastMemory = 2 ** 16 // bytes

/** Bytes of a file in a row, in memory that is used again. */
class HeldBytes {
  #memory: Uint8Array = new Uint8Array(leastMemory)
  /** Where they are in the memory. */
  #start = 0
  #end = 0
  #from = 0

  /** The offset of the first of them in the file. */
  get from(): number {
    return this.#from
  }

  get length(): number {
    return this.#end - this.#start
  }

  /** Adds the next bytes. */
  add(bytes: Uint8Array): void {
    if (this.#end + bytes.length > this.#memory.length) {
      const needed = this.length + bytes.length
      const memory = 2 * needed > this.#memory.length ? new Uint8Array(2 * needed) : this.#memory
      memory.set(this.#memory.subarray(this.#start, this.#end))
      this.#memory = memory
      this.#end -= this.#start
      this.#start = 0
    }
    this.#memory.set(bytes, this.#end)
    this.#end += bytes.length
  }

  /** Those from offset `start` to before `end`, which must be held, until others are added. */
  part(start: number, end: number): Uint8Array {
    const shift = this.#start - this.#from
    return this.#memory.subarray(start + shift, end + shift)
  }

  /** Forgets those before the offset `from`. */
  forget(from: number): void {
    const count = Math.min(Math.max(0, from - this.#from), this.length)
    this.#start += count
    this.#from += count
  }

  /** Forgets all. The next ones are at the offset `from`. */
  clear(from: number): void {
    this.#start = 0
    this.#end = 0
    this.#from = from
  }
}

function stretchOf(
  place: Stretch['place'],
  places: readonly SamplePlace[],
  offset: number,
  bytes: Uint8Array | undefined,
): Stretch {
  const data = new Uint32Array(places.length * placeLength)
  let at = 0
  for (const { start, end, number, line, character } of places) {
    data[at++] = bytes ? start - offset : 0
    data[at++] = bytes ? end - offset : 0
    data[at++] = number
    data[at++] = line
    data[at++] = character
  }
  const first = places[0]?.number ?? 0
  return { place, bytes: bytes ?? new Uint8Array(), offset, first, places: data, isTooLong: !bytes }
}
