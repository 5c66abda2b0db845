/**
 * Finds short patterns of bytes, sixteen bytes at a time where the platform has WebAssembly with vectors, and one at a time
 * elsewhere. It is for searches that look at every byte of a large file.
 *
 * A byte has up to eight kinds, looked up by its halves: `low[byte & 15] & high[byte >> 4]`. So a place may be found that has no
 * pattern, but none that has one is missed.
 */

/** What the bytes at the places of a pattern may be. */
export type BytePattern = readonly (readonly number[])[]

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
  readonly #places: readonly Place[]
  #code: { readonly find: Find | undefined } | undefined

  /**
   * @param patterns patterns beyond the eighth share their kind with others
   * @param offsets up to three of them, ascending from 0
   */
  constructor(patterns: readonly BytePattern[], offsets: readonly number[]) {
    this.offsets = offsets
    const sets = offsets.map((_, nth) => patterns.map((it) => it[nth] ?? []))
    this.#kinds = sets.map(kindsOf)
    this.#places = offsets.map((offset, nth) => ({
      offset,
      ...(this.#kinds[nth] as Kinds), // of the same place
      only: onlyByte((sets[nth] ?? []).flat()),
    }))
  }

  /** The vector code that looks for them; undefined where the platform has none. */
  get find(): Find | undefined {
    this.#code ??= { find: compiled(this.#places) }
    return this.#code.find
  }

  /** The offset of the next place from `from` on that may have a pattern that ends before `to`; -1 if there is none. */
  next(searched: SearchedBytes, from: number, to: number): number {
    const last = to - (this.offsets.at(-1) ?? 0)
    let at = from
    while (last - at >= width) {
      const found = searched.find(this, at, last)
      if (found === undefined) break
      if (found >= 0) return found
      at = -found - 1
    }
    const { bytes } = searched
    for (; at < last; at++) if (this.#hasKindAt(bytes, at)) return at
    return -1
  }

  #hasKindAt(bytes: Uint8Array, at: number): boolean {
    let kind = 0xff
    for (const { offset, low, high } of this.#places) {
      const byte = bytes[at + offset] ?? 0
      kind &= (low[byte & 15] as number) & (high[byte >> 4] as number) // a half is below 16
    }
    return kind !== 0
  }
}

/** What the bytes at a place of the patterns may be. */
interface Place extends Kinds {
  readonly offset: number
  /** Set if they are one byte, or two that differ in a bit: the byte with that bit, and the bit. */
  readonly only: { readonly byte: number; readonly bit: number } | undefined
}

function onlyByte([first = 0, ...others]: readonly number[]): Place['only'] {
  const bit = others.reduce((bits, it) => bits | (first ^ it), 0)
  return (bit & (bit - 1)) === 0 ? { byte: first | bit, bit } : undefined
}

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
    const code = patterns.find
    const third = patterns.offsets.at(-1) ?? 0
    if (!code || !memory || third > longestPattern) return undefined
    const needed = Math.min(this.bytes.length, from + width + third)
    if (holder !== this || from < this.#start || needed > this.#end) this.#load(memory.bytes, from)
    const found = code(from - this.#start, Math.min(last, this.#end - third) - this.#start)
    return found >= 0 ? found + this.#start : found - this.#start
  }

  #load(memory: Uint8Array, from: number): void {
    this.#start = from
    this.#end = Math.min(this.bytes.length, from + memory.length)
    memory.set(this.bytes.subarray(this.#start, this.#end))
    holder = this
  }
}

const longestPattern = 256
const nPages = 16 // of 64 KiB

/**
 * The offset in the memory of the next place from `at` on; -1 minus the offset up to which there is none, if there is none before
 * `last`, or too few bytes for a vector before it.
 */
type Find = (at: number, last: number) => number

interface Memory {
  readonly object: { readonly buffer: ArrayBuffer }
  readonly bytes: Uint8Array
}

// One memory is enough: searching does not wait for anything.
let memory: Memory | undefined
let holder: SearchedBytes | undefined

declare const WebAssembly:
  | {
      readonly Memory: new (size: { readonly initial: number; readonly maximum: number }) => Memory['object']
      readonly Module: new (code: Uint8Array) => object
      readonly Instance: new (
        module: object,
        imports: object,
      ) => { readonly exports: { readonly find: Find } }
    }
  | undefined

function compiled(places: readonly Place[]): Find | undefined {
  try {
    if (typeof WebAssembly === 'undefined') return undefined
    const module = new WebAssembly.Module(program(places))
    if (!memory) {
      const object = new WebAssembly.Memory({ initial: nPages, maximum: nPages })
      memory = { object, bytes: new Uint8Array(object.buffer) }
    }
    return new WebAssembly.Instance(module, { m: { m: memory.object } }).exports.find
  } catch {
    return undefined // a platform without vectors, or one that allows no code
  }
}

/**
 * The vector code for patterns with these `places`: a module that exports {@link Find}. What it compares with is in local variables,
 * which are few enough for the registers of a processor: otherwise it would be loaded again for each vector.
 */
function program(places: readonly Place[]): Uint8Array {
  const [i32, v128, none] = [0x7f, 0x7b, 0x40]
  const [at, last, bytes, found] = [0, 1, 2, 3]
  const get = (local: number) => [0x20, local]
  const set = (local: number) => [0x21, local]
  const tee = (local: number) => [0x22, local]
  const number = (value: number) => [0x41, ...signed(value)]
  const vector = (code: number) => [0xfd, ...unsigned(code)]
  const load = (offset: number) => [...vector(0x00), 0, ...unsigned(offset)]
  const [add, subtract, isLess, isZero, trailingZeros] = [0x6a, 0x6b, 0x48, 0x45, 0x68]
  const [block, loop, end, branch, branchIf, giveBack] = [0x02, 0x03, 0x0b, 0x0c, 0x0d, 0x0f]
  const [swizzle, equal, notEqual, and, or] = [
    vector(0x0e),
    vector(0x23),
    vector(0x24),
    vector(0x4e),
    vector(0x50),
  ]
  const [anyTrue, bitmask] = [vector(0x53), vector(0x64)]
  const shiftRight = vector(0x8d) // of pairs of bytes: what comes from the next byte is masked
  const constants: Uint8Array[] = []
  const constant = (value: Uint8Array) => {
    const known = constants.findIndex((it) => it.every((byte, index) => byte === value[index]))
    return get(found + (known === -1 ? constants.push(value) : known + 1))
  }
  const sixteen = (byte: number) => constant(new Uint8Array(width).fill(byte))
  // Not zero where the byte at the place has a kind; the same bits for the same kinds.
  const kindsAt = ({ offset, low, high, only }: Place) => {
    const loaded = [...get(at), ...load(offset)]
    if (only)
      return [
        ...loaded,
        ...(only.bit === 0 ? [] : [...sixteen(only.bit), ...or]),
        ...sixteen(only.byte),
        ...equal,
      ]
    return [
      ...[...loaded, ...set(bytes), ...constant(low), ...get(bytes), ...sixteen(15), ...and, ...swizzle],
      ...[
        ...constant(high),
        ...get(bytes),
        ...number(4),
        ...shiftRight,
        ...sixteen(15),
        ...and,
        ...swizzle,
        ...and,
      ],
    ]
  }
  const looked = places.flatMap((it, nth) => [...kindsAt(it), ...(nth === 0 ? [] : and)])
  const zero = sixteen(0)
  const body = [
    ...constants.flatMap((it, nth) => [...vector(0x0c), ...it, ...set(found + 1 + nth)]),
    ...[block, none, loop, none],
    // Ends before a vector that would reach beyond the last place.
    ...[...get(last), ...get(at), subtract, ...number(width), isLess, branchIf, 1],
    ...[block, none, ...looked, ...tee(found), ...anyTrue, isZero, branchIf, 0],
    // The first byte with a kind in common.
    ...[...get(at), ...get(found), ...zero, ...notEqual, ...bitmask, trailingZeros, add],
    ...[giveBack, end],
    ...[...get(at), ...number(width), add, ...set(at), branch, 0, end, end],
    ...[...number(-1), ...get(at), subtract, end],
  ]
  const locals = [1, ...unsigned(2 + constants.length), v128]
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 2, i32, i32, 1, i32]),
    ...section(2, [1, ...named('m'), ...named('m'), 2, 1, ...unsigned(nPages), ...unsigned(nPages)]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...named('find'), 0, 0]),
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
