/**
 * Finds short patterns of bytes, sixteen bytes at a time where the platform has WebAssembly with vectors, and one at a time
 * elsewhere. It is for searches that look at every byte of a large file.
 *
 * A byte has up to eight kinds, looked up by its halves: `low[byte & 15] & high[byte >> 4]`. So a place may be found that has no
 * pattern, but none that has one is missed.
 */

/** What the bytes at the places of a pattern may be. */
export type BytePattern = readonly (readonly number[])[]

const nPlaces = 3
const width = 16 // bytes of a vector

/** The kinds of bytes, by their lower and their higher half. */
interface Kinds {
  readonly low: Uint8Array
  readonly high: Uint8Array
}

/** Patterns that are looked for together. */
export class BytePatterns {
  /** Of the places, from the first one. */
  readonly offsets: readonly number[]
  readonly #kinds: readonly Kinds[]
  /** The tables of all places, as the vector code reads them. */
  readonly tables = new Uint8Array(tablesLength)

  /**
   * @param patterns patterns beyond the eighth share their kind with others
   * @param offsets up to three of them, ascending from 0
   */
  constructor(patterns: readonly BytePattern[], offsets: readonly number[]) {
    const last = offsets.length - 1
    const places = Array.from({ length: nPlaces }, (_, nth) => Math.min(nth, last))
    this.offsets = places.map((it) => offsets[it] ?? 0)
    this.#kinds = places.map((place) => kindsOf(patterns.map((it) => it[place] ?? [])))
    for (const [nth, { low, high }] of this.#kinds.entries()) {
      this.tables.set(low, 2 * width * nth)
      this.tables.set(high, 2 * width * nth + width)
    }
  }

  /** The offset of the next place from `from` on that may have a pattern that ends before `to`; -1 if there is none. */
  next(searched: SearchedBytes, from: number, to: number): number {
    const [, second = 0, third = 0] = this.offsets
    const last = to - third
    let at = from
    while (last - at >= width) {
      const found = searched.find(this, at, last)
      if (found === undefined) break
      if (found >= 0) return found
      at = -found - 1
    }
    const { bytes } = searched
    for (; at < last; at++) {
      const kind =
        this.#kindOf(0, bytes[at]) & this.#kindOf(1, bytes[at + second]) & this.#kindOf(2, bytes[at + third])
      if (kind !== 0) return at
    }
    return -1
  }

  #kindOf(place: number, byte = 0): number {
    const { low, high } = this.#kinds[place] as Kinds // there are three
    return (low[byte & 15] as number) & (high[byte >> 4] as number) // a half is below 16
  }
}

const tablesLength = 2 * width * nPlaces

function kindsOf(sets: readonly (readonly number[])[]): Kinds {
  const kinds = { low: new Uint8Array(width), high: new Uint8Array(width) }
  for (const [index, set] of sets.entries()) {
    const kind = 1 << (index % 8)
    for (const byte of set) {
      kinds.low[byte & 15] = (kinds.low[byte & 15] ?? 0) | kind
      kinds.high[byte >> 4] = (kinds.high[byte >> 4] ?? 0) | kind
    }
  }
  return kinds
}

/** Bytes that are searched, which must not change meanwhile. */
export class SearchedBytes {
  readonly bytes: Uint8Array
  /** What of them is in the memory of the vector code. */
  #start = 0
  #end = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /**
   * The offset of the next of `patterns` that begins before `last`; -1 minus the offset up to which there is none; undefined where
   * the platform has no vectors.
   */
  find(patterns: BytePatterns, from: number, last: number): number | undefined {
    machine ??= { code: compiled() }
    const { code } = machine
    const [, second = 0, third = 0] = patterns.offsets
    if (!code || third > longestPattern) return undefined
    const needed = Math.min(this.bytes.length, from + width + third)
    if (holder !== this || from < this.#start || needed > this.#end) this.#load(code, from)
    if (tables !== patterns) code.memory.set(patterns.tables, 0)
    tables = patterns
    const move = bytesAt - this.#start
    const found = code.find(from + move, Math.min(last, this.#end - third) + move, second, third)
    return found >= 0 ? found - move : found + move
  }

  #load({ memory }: Vectors, from: number): void {
    this.#start = from
    this.#end = Math.min(this.bytes.length, from + windowLength)
    memory.set(this.bytes.subarray(this.#start, this.#end), bytesAt)
    holder = this
  }
}

const longestPattern = 256
const pageLength = 2 ** 16
const bytesAt = tablesLength
const nPages = 17
const windowLength = (nPages - 1) * pageLength

interface Vectors {
  readonly memory: Uint8Array
  readonly find: (from: number, last: number, second: number, third: number) => number
}

// One memory is enough: searching does not wait for anything.
let machine: { readonly code: Vectors | undefined } | undefined
let holder: SearchedBytes | undefined
let tables: BytePatterns | undefined

interface Instance {
  readonly exports: { readonly memory: { readonly buffer: ArrayBuffer }; readonly find: Vectors['find'] }
}
declare const WebAssembly:
  | { readonly Module: new (code: Uint8Array) => object; readonly Instance: new (module: object) => object }
  | undefined

function compiled(): Vectors | undefined {
  try {
    if (typeof WebAssembly === 'undefined') return undefined
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(program())) as Instance
    return { memory: new Uint8Array(exports.memory.buffer), find: exports.find }
  } catch {
    return undefined // a platform without vectors, or one that allows no code
  }
}

/** The vector code: a module with `memory` and `find(at, last, second, third)`. */
function program(): Uint8Array {
  const [i32, v128, none] = [0x7f, 0x7b, 0x40]
  const [at, last, second, third, bytes, mask, found, firstTable] = [0, 1, 2, 3, 4, 5, 6, 7]
  const get = (local: number) => [0x20, local]
  const set = (local: number) => [0x21, local]
  const number = (value: number) => [0x41, ...signed(value)]
  const vector = (code: number) => [0xfd, ...unsigned(code)]
  const load = (offset: number) => [...vector(0x00), 0, ...unsigned(offset)]
  const [add, subtract, isLess, isZero, trailingZeros] = [0x6a, 0x6b, 0x48, 0x45, 0x68]
  const [block, loop, end, branch, branchIf, giveBack] = [0x02, 0x03, 0x0b, 0x0c, 0x0d, 0x0f]
  const [swizzle, splat, notEqual, and] = [vector(0x0e), vector(0x0f), vector(0x24), vector(0x4e)]
  const [anyTrue, bitmask] = [vector(0x53), vector(0x64)]
  const shiftRight = vector(0x8d) // of pairs of bytes: what comes from the next byte is masked
  const kinds = (place: number) => [
    ...[...get(firstTable + 2 * place), ...get(bytes), ...get(mask), ...and, ...swizzle],
    ...[...get(firstTable + 2 * place + 1), ...get(bytes), ...number(4), ...shiftRight, ...get(mask), ...and],
    ...[...swizzle, ...and],
  ]
  const nextUnlessFound = [...get(found), ...anyTrue, isZero, branchIf, 0]
  const tableLoads = Array.from({ length: 2 * nPlaces }, (_, nth) => [
    ...[...number(0), ...load(width * nth), ...set(firstTable + nth)],
  ]).flat()
  const others = [second, third].flatMap((offset, nth) => [
    ...[...get(at), ...get(offset), add, ...load(0), ...set(bytes)],
    ...[...kinds(nth + 1), ...get(found), ...and, ...set(found), ...nextUnlessFound],
  ])
  const body = [
    ...[...number(15), ...splat, ...set(mask), ...tableLoads],
    ...[block, none, loop, none],
    // Ends before a vector that would reach beyond the last place.
    ...[...get(last), ...get(at), subtract, ...number(width), isLess, branchIf, 1],
    ...[...get(at), ...load(0), ...set(bytes), ...kinds(0), ...set(found)],
    ...[block, none, ...nextUnlessFound, ...others],
    // The first byte with a kind in common.
    ...[...get(at), ...get(found), ...number(0), ...splat, ...notEqual, ...bitmask, trailingZeros, add],
    ...[giveBack, end],
    ...[...get(at), ...number(width), add, ...set(at), branch, 0, end, end],
    ...[...number(-1), ...get(at), subtract, end],
  ]
  const locals = [1, ...unsigned(3 + 2 * nPlaces), v128]
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 4, i32, i32, i32, i32, 1, i32]),
    ...section(3, [1, 0]),
    ...section(5, [1, 1, nPages, nPages]),
    ...section(7, [2, ...named('memory'), 2, 0, ...named('find'), 0, 0]),
    ...section(10, [1, ...sized([...locals, ...body])]),
  ])
}

function section(id: number, content: readonly number[]): readonly number[] {
  return [id, ...sized(content)]
}

function sized(content: readonly number[]): readonly number[] {
  return [...unsigned(content.length), ...content]
}

function named(name: string): readonly number[] {
  return sized([...name].map((it) => it.charCodeAt(0)))
}

function unsigned(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >> 7)]
}

/** A number of -64 to 63. */
function signed(value: number): readonly number[] {
  return [value & 0x7f]
}
