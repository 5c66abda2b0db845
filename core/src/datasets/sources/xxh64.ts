/**
 * The hash XXH64, with which zstd frames are checked. Written here because no library that reads zstd in JavaScript checks it, and
 * 64-bit integers of the language are too slow for gigabytes: numbers are pairs of 32 bits.
 */

const prime1 = [0x9e3779b1, 0x85ebca87] as const
const prime2 = [0xc2b2ae3d, 0x27d4eb4f] as const
const prime3 = [0x165667b1, 0x9e3779f9] as const
const prime4 = [0x85ebca77, 0xc2b2ae63] as const
const prime5 = [0x27d4eb2f, 0x165667c5] as const

const stripe = 32 // bytes

/** A 64-bit number. Both halves are signed: their bits count. */
interface Long {
  high: number
  low: number
}

type Prime = readonly [high: number, low: number]

/** Hashes bytes that come in chunks, with the seed 0. */
export class Xxh64 {
  readonly #lanes: readonly Long[] = [
    sum(prime1, prime2),
    long(prime2),
    { high: 0, low: 0 },
    negative(prime1),
  ]
  readonly #pending = new Uint8Array(stripe)
  #nPending = 0
  #length = 0

  /** Takes the next bytes. */
  update(bytes: Uint8Array): void {
    this.#length += bytes.length
    let at = 0
    if (this.#nPending > 0) {
      at = Math.min(stripe - this.#nPending, bytes.length)
      this.#pending.set(bytes.subarray(0, at), this.#nPending)
      this.#nPending += at
      if (this.#nPending < stripe) return
      this.#stripe(view(this.#pending), 0)
      this.#nPending = 0
    }
    const words = view(bytes)
    for (; at + stripe <= bytes.length; at += stripe) this.#stripe(words, at)
    this.#pending.set(bytes.subarray(at))
    this.#nPending = bytes.length - at
  }

  /** The low 32 bits of the hash of all bytes so far, unsigned: what a zstd frame ends with. */
  digest(): number {
    const hash = this.#length >= stripe ? this.#merged() : long(prime5)
    add(hash, Math.floor(this.#length / 2 ** 32) | 0, this.#length | 0)
    const words = view(this.#pending)
    let at = 0
    const word: Long = { high: 0, low: 0 }
    for (; at + 8 <= this.#nPending; at += 8) {
      word.high = 0
      word.low = 0
      round(word, words.getInt32(at + 4, true), words.getInt32(at, true))
      xor(hash, word)
      rotate(hash, 27)
      multiply(hash, prime1)
      add(hash, prime4[0] | 0, prime4[1] | 0)
    }
    if (at + 4 <= this.#nPending) {
      word.high = 0
      word.low = words.getInt32(at, true)
      multiply(word, prime1)
      xor(hash, word)
      rotate(hash, 23)
      multiply(hash, prime2)
      add(hash, prime3[0] | 0, prime3[1] | 0)
      at += 4
    }
    for (; at < this.#nPending; at++) {
      word.high = 0
      word.low = words.getUint8(at)
      multiply(word, prime5)
      xor(hash, word)
      rotate(hash, 11)
      multiply(hash, prime1)
    }
    xor(hash, { high: 0, low: hash.high >>> 1 }) // by 33 bits
    multiply(hash, prime2)
    xor(hash, { high: hash.high >>> 29, low: (hash.low >>> 29) | (hash.high << 3) })
    multiply(hash, prime3)
    xor(hash, { high: 0, low: hash.high })
    return hash.low >>> 0
  }

  #stripe(words: DataView, from: number): void {
    let at = from
    for (const lane of this.#lanes) {
      round(lane, words.getInt32(at + 4, true), words.getInt32(at, true))
      at += 8
    }
  }

  #merged(): Long {
    const hash: Long = { high: 0, low: 0 }
    const turns = [1, 7, 12, 18]
    this.#lanes.forEach((lane, index) => {
      const it = { ...lane }
      rotate(it, turns[index] ?? 0)
      add(hash, it.high, it.low)
    })
    for (const { high, low } of this.#lanes) {
      const word: Long = { high: 0, low: 0 }
      round(word, high, low)
      xor(hash, word)
      multiply(hash, prime1)
      add(hash, prime4[0] | 0, prime4[1] | 0)
    }
    return hash
  }
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function long([high, low]: Prime): Long {
  return { high: high | 0, low: low | 0 }
}

function sum(one: Prime, other: Prime): Long {
  const result = long(one)
  add(result, other[0] | 0, other[1] | 0)
  return result
}

function negative([high, low]: Prime): Long {
  const result = { high: ~high, low: ~low }
  add(result, 0, 1)
  return result
}

/** One round: a word of the input goes into `it`. */
function round(it: Long, high: number, low: number): void {
  const word = roundWord
  word.high = high
  word.low = low
  multiply(word, prime2)
  add(it, word.high, word.low)
  rotate(it, 31)
  multiply(it, prime1)
}

const roundWord: Long = { high: 0, low: 0 } // one for all rounds: an object for each would take most of the time

function add(it: Long, high: number, low: number): void {
  const before = it.low >>> 0
  it.low = (it.low + low) | 0
  it.high = (it.high + high + (it.low >>> 0 < before ? 1 : 0)) | 0
}

function xor(it: Long, { high, low }: Long): void {
  it.high ^= high
  it.low ^= low
}

/** Rotates to the left by less than 32 bits. */
function rotate(it: Long, bits: number): void {
  const high = it.high
  const low = it.low
  it.high = (high << bits) | (low >>> (32 - bits))
  it.low = (low << bits) | (high >>> (32 - bits))
}

/** Multiplies, and keeps the low 64 bits. */
function multiply(it: Long, prime: Prime): void {
  const primeHigh = prime[0]
  const primeLow = prime[1]
  const high = it.high
  const low = it.low
  const a = low & 0xffff
  const b = low >>> 16
  const c = primeLow & 0xffff
  const d = primeLow >>> 16
  const lowest = Math.imul(a, c) >>> 0
  const middle = Math.imul(b, c) + (lowest >>> 16) // 32 bits hold it: the product of two 16-bit numbers leaves room
  const other = Math.imul(a, d) + (middle & 0xffff)
  const carried = (Math.imul(b, d) + (middle >>> 16) + (other >>> 16)) | 0
  it.high = (carried + Math.imul(high, primeLow) + Math.imul(low, primeHigh)) | 0
  it.low = Math.imul(low, primeLow)
}
