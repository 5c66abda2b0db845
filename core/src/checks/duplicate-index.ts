/** Finds samples that say the same as an earlier one, or nearly: locality-sensitive hashing of signatures, about 300 bytes a sample. */
import { signatureLength } from './text-digest.ts'

/** What a sample is compared by. */
export interface SampleMark {
  readonly hash: readonly [number, number]
  /** Undefined for a sample that is too short to be nearly like another one. */
  readonly signature: Uint16Array | undefined
}

/** An earlier sample. */
export interface DuplicateOf {
  readonly kind: 'same' | 'near'
  /** The number of the earlier sample, in the order in which they were added. */
  readonly earlier: number
}

/** Of 80 numbers, the estimate of a similarity of 0.8 deviates by 0.04, and what is that similar is to be found. */
const nearFrom = 0.74
const rows = 5 // numbers in a band: with 16 bands, 998 of 1,000 pairs of a similarity of 0.8 share a band
const bands = signatureLength / rows
const chunkLength = 4096 // samples: arrays that grow by doubling would hold twice as much
const probesAtMost = 32 // samples of one band; a text that all share costs no more than that

/** The marks of some samples. */
interface Chunk {
  readonly hashes: Uint32Array
  readonly signatures: Uint16Array
}

/** The samples so far. */
export class DuplicateIndex {
  readonly #hashes = new SlotTable()
  readonly #bands = Array.from({ length: bands }, () => new SlotTable())
  readonly #chunks: Chunk[] = []
  #size = 0

  /** How many samples were added. */
  get size(): number {
    return this.#size
  }

  /** How much memory it holds. */
  get bytes(): number {
    const ofChunks = this.#chunks.length * chunkLength * (8 + 2 * signatureLength)
    return ofChunks + [this.#hashes, ...this.#bands].reduce((sum, it) => sum + it.bytes, 0)
  }

  /** Adds a sample; the earlier one that it repeats, if there is one. */
  add({ hash, signature }: SampleMark): DuplicateOf | undefined {
    const number = this.#size++
    const [high, low] = hash
    this.#store(number, hash, signature)
    const same = this.#hashes.find(low, (it) => this.#hasHash(it, high, low))
    if (same !== undefined) return { kind: 'same', earlier: same }
    this.#hashes.add(low, number, (it) => this.#lowOf(it))
    if (!signature) return undefined
    for (const [band, table] of this.#bands.entries()) {
      let left = probesAtMost
      const near = table.find(this.#keyOf(number, band), (it) => {
        if (left === 0 || !this.#sharesBand(it, number, band)) return false
        left--
        return this.#similarity(it, number) >= nearFrom
      })
      if (near !== undefined) return { kind: 'near', earlier: near }
    }
    for (const [band, table] of this.#bands.entries())
      table.add(this.#keyOf(number, band), number, (it) => this.#keyOf(it, band))
    return undefined
  }

  #store(number: number, [high, low]: readonly [number, number], signature: Uint16Array | undefined): void {
    const place = number % chunkLength
    if (place === 0)
      this.#chunks.push({
        hashes: new Uint32Array(2 * chunkLength),
        signatures: new Uint16Array(signatureLength * chunkLength),
      })
    const chunk = this.#chunkOf(number)
    chunk.hashes.set([high, low], 2 * place)
    if (signature) chunk.signatures.set(signature, signatureLength * place)
  }

  #chunkOf(number: number): Chunk {
    return this.#chunks[Math.floor(number / chunkLength)] as Chunk // samples are added in order
  }

  #lowOf(number: number): number {
    return this.#chunkOf(number).hashes[2 * (number % chunkLength) + 1] as number
  }

  #hasHash(number: number, high: number, low: number): boolean {
    return this.#lowOf(number) === low && this.#chunkOf(number).hashes[2 * (number % chunkLength)] === high
  }

  #keyOf(number: number, band: number): number {
    const { signatures } = this.#chunkOf(number)
    const from = signatureLength * (number % chunkLength) + rows * band
    let key = band
    for (let at = from; at < from + rows; at++) key = Math.imul(key ^ (signatures[at] as number), 0x9e3779b1)
    return (key ^ (key >>> 15)) >>> 0
  }

  #sharesBand(one: number, other: number, band: number): boolean {
    const { signatures: left } = this.#chunkOf(one)
    const { signatures: right } = this.#chunkOf(other)
    const from = signatureLength * (one % chunkLength) + rows * band
    const to = signatureLength * (other % chunkLength) + rows * band
    for (let nth = 0; nth < rows; nth++) if (left[from + nth] !== right[to + nth]) return false
    return true
  }

  #similarity(one: number, other: number): number {
    const { signatures: left } = this.#chunkOf(one)
    const { signatures: right } = this.#chunkOf(other)
    const from = signatureLength * (one % chunkLength)
    const to = signatureLength * (other % chunkLength)
    let equal = 0
    for (let nth = 0; nth < signatureLength; nth++) if (left[from + nth] === right[to + nth]) equal++
    return equal / signatureLength
  }
}

/** Numbers by keys that may be equal: open addressing, 4 bytes a slot. Keys are computed again where they are needed. */
class SlotTable {
  #slots = new Int32Array(64)
  #size = 0

  get bytes(): number {
    return this.#slots.byteLength
  }

  /** The first number near `key` that `isMeant`, which may be asked of numbers under other keys. */
  find(key: number, isMeant: (number: number) => boolean): number | undefined {
    for (let at = this.#placeOf(key); ; at = at + 1 === this.#slots.length ? 0 : at + 1) {
      const slot = this.#slots[at] as number
      if (slot === 0) return undefined
      if (isMeant(slot - 1)) return slot - 1
    }
  }

  add(key: number, number: number, keyOf: (number: number) => number): void {
    if (++this.#size > this.#slots.length * fullest) this.#grow(keyOf)
    this.#put(key, number)
  }

  #put(key: number, number: number): void {
    let at = this.#placeOf(key)
    while (this.#slots[at] !== 0) at = at + 1 === this.#slots.length ? 0 : at + 1
    this.#slots[at] = number + 1
  }

  #placeOf(key: number): number {
    return Math.floor((key / 2 ** 32) * this.#slots.length)
  }

  #grow(keyOf: (number: number) => number): void {
    const before = this.#slots
    this.#slots = new Int32Array(before.length * growth)
    for (const slot of before) if (slot !== 0) this.#put(keyOf(slot - 1), slot - 1)
  }
}

const fullest = 0.85 // of the slots; then 300 bytes a sample are enough
const growth = 1.5
