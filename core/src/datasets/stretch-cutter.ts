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

/** Cuts a file that comes in chunks, which are held until they are taken. */
export class StretchCutter {
  readonly #place: Stretch['place']
  readonly #limits: StretchLimits
  readonly #cutter
  #held: Uint8Array[] = []
  /** The offsets of what is held. */
  #from = 0
  #to = 0
  /** Of the samples that are held. */
  #places: SamplePlace[] = []
  readonly #sieve: SampleSieve | undefined
  /** The offset of the last chunk, and what the sieve says of samples in it. */
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
    const isLong = this.#isTooLong(first) || this.#isTooLong(last) || this.#isOpenTooLong
    // Of what is sieved, no sample may be wanted for a long time.
    return isLong || (this.#sieve ? this.#to : last.end) - first.start >= this.#limits.stretch
  }

  /** How many bytes are held. */
  get held(): number {
    return this.#to - this.#from
  }

  /** Takes the next bytes of the file, which must not change afterwards. @throws DatasetError; what came before can be taken */
  push(chunk: Uint8Array): void {
    this.#held.push(chunk)
    this.#chunkStart = this.#to
    this.#isWantedInChunk = this.#sieve?.(chunk)
    this.#to += chunk.length
    this.#cutter.push(chunk)
    if (this.#places.length === 0) this.#forget()
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
    if (this.#places.length === 0) this.#forget()
    return stretchOf(this.#place, taken, first.start, bytes)
  }

  #isWanted(place: SamplePlace, sieve: SampleSieve): boolean {
    if (this.#isTooLong(place)) return true
    const { start, end, number } = place
    const from = this.#chunkStart
    if (start >= from && this.#isWantedInChunk) return this.#isWantedInChunk(start - from, end - from, number)
    return sieve(this.#copied(start, end))(0, end - start, number)
  }

  /** True if it is longer than what is read, or its first bytes are forgotten for that. */
  #isTooLong({ start, end }: SamplePlace): boolean {
    return end - start > this.#limits.sample || start < this.#from
  }

  /** True if the sample that has begun is longer than what is read. */
  get #isOpenTooLong(): boolean {
    return this.#to - this.#cutter.openStart > this.#limits.sample
  }

  #copied(start: number, end: number): Uint8Array {
    const bytes = new Uint8Array(end - start)
    let from = this.#from
    for (const chunk of this.#held) {
      const to = from + chunk.length
      if (to > start && from < end)
        bytes.set(chunk.subarray(Math.max(0, start - from), end - from), Math.max(0, from - start))
      from = to
    }
    return bytes
  }

  /** Holds what belongs to the sample that has begun, unless that is too long already. */
  #forget(): void {
    const { openStart } = this.#cutter
    if (this.#isOpenTooLong) {
      this.#held = []
      this.#from = this.#to
    }
    let first = this.#held[0]
    while (first && this.#from + first.length <= openStart) {
      this.#held.shift()
      this.#from += first.length
      first = this.#held[0]
    }
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
