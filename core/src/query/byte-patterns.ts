/**
 * Finds short patterns of bytes, sixteen bytes at a time where the platform has WebAssembly with vectors, and one at a time
 * elsewhere. It is for searches that look at every byte of a large file.
 *
 * A byte has up to eight kinds, looked up by its halves: `low[byte & 15] & high[byte >> 4]`. So a place may be found that has no
 * pattern, but none that has one is missed.
 */

import { type SearchMemory, searchMemory, searchPages } from './search-memory.ts'

/** What the bytes at the places of a pattern may be. */
export type BytePattern = readonly (readonly number[])[]

const width = 16 // bytes of a vector

/** The kinds of bytes, by their lower and their higher half. */
interface Kinds {
  readonly low: Uint8Array
  readonly high: Uint8Array
}

/** Patterns with the same places. */
export interface PatternGroup {
  /** Patterns beyond the eighth share their kind with others. */
  readonly patterns: readonly BytePattern[]
  /** Of the places, from the first one: up to three of them, ascending from 0. */
  readonly offsets: readonly number[]
  /** How many places with one byte, or two that differ in a bit, are looked at first: one where that byte is rare. */
  readonly nHints: 1 | 2
}

/** Patterns that are looked for together, in one pass. */
export class BytePatterns {
  /** The offset of the last place of all groups. */
  readonly last: number
  readonly #groups: readonly Group[]
  /** As the vector code reads them. */
  #exceptions = new Uint8Array()
  #code: { readonly find: Find | undefined } | undefined

  constructor(groups: readonly PatternGroup[]) {
    this.#groups = groups.map(groupOf)
    this.last = Math.max(...this.#groups.map(({ last }) => last))
  }

  /** The vector code that looks for them; undefined where the platform has none. */
  get find(): Find | undefined {
    this.#code ??= { find: compiled(this.#groups) }
    return this.#code.find
  }

  /**
   * From now on, places after `before` whose next byte is `after` need not be found.
   *
   * @param before as many bytes as a vector has, or fewer
   */
  except(before: Uint8Array, after: number): void {
    const exception = new Uint8Array(exceptionSize)
    exception.set(before, width - before.length)
    exception.fill(0xff, 2 * width - before.length, 2 * width)
    exception[2 * width] = after
    if (this.#exceptions.length >= mostExceptions * exceptionSize) return
    this.#exceptions = Uint8Array.from([...this.#exceptions, ...exception])
  }

  /** Where {@link find} finds the exceptions in `memory`, and where they end. */
  exceptionsIn({ exceptions }: SearchMemory): readonly [start: number, end: number] {
    if (excepted !== this.#exceptions) exceptions.set(this.#exceptions)
    excepted = this.#exceptions
    return [exceptions.byteOffset, exceptions.byteOffset + this.#exceptions.length]
  }

  /** The offset of the next place from `from` on that may have a pattern that ends before `to`; -1 if there is none. */
  next(searched: SearchedBytes, from: number, to: number): number {
    const last = to - this.last
    let at = from
    while (last - at >= width) {
      const found = searched.find(this, at, last)
      if (found === undefined) break
      if (found >= 0) return found
      at = -found - 1
    }
    const { bytes } = searched
    for (; at < to; at++)
      for (const it of this.#groups) if (at + it.last < to && hasKindAt(it, bytes, at)) return at
    return -1
  }
}

/** A group as it is looked for. */
interface Group {
  readonly places: readonly Place[]
  /** The offset of the last place. */
  readonly last: number
  /** For each pattern, up to two of its places at which one byte may be, or two that differ in a bit; undefined if one has none. */
  readonly hints: readonly (readonly Hint[])[] | undefined
}

function groupOf(group: PatternGroup): Group {
  const { patterns, offsets } = group
  const places = offsets.map((offset, nth) => {
    const sets = patterns.map((it) => it[nth] ?? [])
    return { offset, ...kindsOf(sets), only: onlyByte(sets.flat()) }
  })
  return { places, last: offsets.at(-1) ?? 0, hints: hintsOf(group) }
}

function hasKindAt({ places }: Group, bytes: Uint8Array, at: number): boolean {
  let kind = 0xff
  for (const { offset, low, high } of places) {
    const byte = bytes[at + offset] ?? 0
    kind &= (low[byte & 15] as number) & (high[byte >> 4] as number) // a half is below 16
  }
  return kind !== 0
}

/** What the bytes at a place of the patterns may be. */
interface Place extends Kinds {
  readonly offset: number
  /** Set if all patterns have the same there. */
  readonly only: Only | undefined
}

/** One byte, or two that differ in a bit: the byte with that bit, and the bit. */
interface Only {
  readonly byte: number
  readonly bit: number
}

/** Where a pattern has one byte, or two. */
interface Hint extends Only {
  readonly offset: number
}

function onlyByte([first = 0, ...others]: readonly number[]): Only | undefined {
  const bit = others.reduce((bits, it) => bits | (first ^ it), 0)
  return (bit & (bit - 1)) === 0 ? { byte: first | bit, bit } : undefined
}

/** Hints of each pattern; undefined if one has none, or if looking for their kinds takes less. */
function hintsOf({ patterns, offsets, nHints }: PatternGroup): readonly (readonly Hint[])[] | undefined {
  const hints = patterns.map((it) =>
    it
      .flatMap((set, nth) => {
        const only = onlyByte(set)
        return only ? [{ offset: offsets[nth] ?? 0, ...only }] : []
      })
      .slice(0, nHints),
  )
  return hints.length <= mostHints && hints.every((it) => it.length > 0) ? hints : undefined
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
  /** From where and up to where they are in the memory of the vector code, and how far from their offsets. */
  #start = 0
  #end = 0
  #shift = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /**
   * The offset of the next of `patterns` that begins before `last`; -1 minus the offset up to which there is none; undefined where
   * the platform has no vectors.
   */
  find(patterns: BytePatterns, from: number, last: number): number | undefined {
    const code = patterns.find
    const { last: longest } = patterns
    const memory = searchMemory()
    if (!code || !memory || longest > longestPattern) return undefined
    if (this.bytes.buffer === memory.object.buffer) {
      this.#shift = this.bytes.byteOffset
      this.#end = this.bytes.length
    } else {
      const needed = Math.min(this.bytes.length, from + width + longest)
      if (holder !== this || from < this.#start || needed > this.#end) this.#load(memory.copies, from)
    }
    const to = Math.min(last, this.#end - longest)
    const found = code(from + this.#shift, to + this.#shift, ...patterns.exceptionsIn(memory))
    return found >= 0 ? found - this.#shift : found + this.#shift
  }

  #load(memory: Uint8Array, from: number): void {
    this.#start = from
    this.#end = Math.min(this.bytes.length, from + memory.length)
    this.#shift = memory.byteOffset - from
    memory.set(this.bytes.subarray(from, this.#end))
    holder = this
  }
}

let holder: SearchedBytes | undefined // of the memory for copies
let excepted: Uint8Array | undefined // what the memory for exceptions has

const mostHints = 8 // patterns: of more, kinds take less
const longestPattern = 256
const exceptionSize = 3 * width // the bytes before, which of them count, and the byte after
const mostExceptions = 16

/**
 * The offset in the memory of the next place from `at` on; -1 minus the offset up to which there is none, if there is none before
 * `last`, or too few bytes for a vector before it. Places with one of the exceptions are passed over.
 */
type Find = (at: number, last: number, exceptions: number, exceptionsEnd: number) => number

declare const WebAssembly:
  | {
      readonly Module: new (code: Uint8Array) => object
      readonly Instance: new (
        module: object,
        imports: object,
      ) => { readonly exports: { readonly find: Find } }
    }
  | undefined

function compiled(groups: readonly Group[]): Find | undefined {
  try {
    const memory = searchMemory()
    if (!memory || typeof WebAssembly === 'undefined') return undefined
    const module = new WebAssembly.Module(program(groups))
    return new WebAssembly.Instance(module, { m: { m: memory.object } }).exports.find
  } catch {
    return undefined // a platform without vectors, or one that allows no code
  }
}

/**
 * The vector code for `groups`: a module that exports {@link Find}. It looks for hints in two vectors at a time, and only where there
 * is one, whether that is a pattern. What hints are compared with is in local variables, which are few enough for the registers of a
 * processor: otherwise it would be loaded again for each vector.
 */
function program(groups: readonly Group[]): Uint8Array {
  const [i32, v128, none] = [0x7f, 0x7b, 0x40]
  const [at, last, exceptions, exceptionsEnd, stop, places, before, exception, bytes] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8,
  ]
  let nLocals = 9
  const get = (local: number) => [0x20, local]
  const set = (local: number) => [0x21, local]
  const tee = (local: number) => [0x22, local]
  const number = (value: number) => [0x41, ...signed(value)]
  const vector = (code: number) => [0xfd, ...unsigned(code)]
  const loadAt = (local: number, offset: number) => [...get(local), ...vector(0x00), 0, ...unsigned(offset)]
  const load = (offset: number) => loadAt(at, offset)
  const byteAt = (local: number, offset: number) => [...get(local), 0x2d, 0, ...unsigned(offset)]
  const constant = (value: Uint8Array) => [...vector(0x0c), ...value]
  const sixteen = (byte: number) => constant(new Uint8Array(width).fill(byte))
  const [add, subtract, isLess, isSame, isZero] = [0x6a, 0x6b, 0x48, 0x46, 0x45]
  const [bothTrue, trailingZeros] = [0x71, 0x68]
  const [block, loop, ifTrue, end, branch, branchIf, giveBack] = [0x02, 0x03, 0x04, 0x0b, 0x0c, 0x0d, 0x0f]
  const [swizzle, equal, notEqual] = [vector(0x0e), vector(0x23), vector(0x24)]
  const [and, or, anyTrue, allTrue] = [vector(0x4e), vector(0x50), vector(0x53), vector(0x63)]
  const bitmask = vector(0x64)
  const shiftRight = vector(0x8d) // of pairs of bytes: what comes from the next byte is masked
  const joined = (parts: readonly (readonly number[])[], join: readonly number[]) =>
    parts.flatMap((it, nth) => [...it, ...(nth === 0 ? [] : join)])
  const isOnly = ({ byte, bit }: Only, loaded: readonly number[], sixteenOf = sixteen) => [
    ...loaded,
    ...(bit === 0 ? [] : [...sixteenOf(bit), ...or]),
    ...[...sixteenOf(byte), ...equal],
  ]
  // Not zero where the byte at the place has a kind; the same bits for the same kinds.
  const kindsAt = ({ offset, low, high, only }: Place, ahead = 0) => {
    const loaded = load(offset + ahead)
    if (only) return isOnly(only, loaded)
    const lowHalf = [...get(bytes), ...sixteen(15), ...and]
    const highHalf = [...get(bytes), ...number(4), ...shiftRight, ...sixteen(15), ...and]
    return [
      ...[...loaded, ...set(bytes), ...constant(low), ...lowHalf, ...swizzle],
      ...[...constant(high), ...highHalf, ...swizzle, ...and],
    ]
  }
  const kindsOfGroup = ({ places }: Group, ahead = 0) =>
    joined(
      places.map((it) => kindsAt(it, ahead)),
      and,
    )
  const isPattern = joined(
    groups.map((it) => [...kindsOfGroup(it), ...sixteen(0), ...notEqual]),
    or,
  )
  const kept = new Map<number, number>() // vectors of sixteen equal bytes, by the byte: their variable
  const sixteenKept = (byte: number) => {
    const local = kept.get(byte) ?? nLocals++
    kept.set(byte, local)
    return get(local)
  }
  const isHint = (ahead: number) => {
    const loaded = new Map<number, number>() // by the offset
    const loadedAt = (offset: number) => {
      const known = loaded.get(offset)
      if (known !== undefined) return get(known)
      loaded.set(offset, nLocals)
      return [...load(offset + ahead), ...tee(nLocals++)]
    }
    const hinted = (hints: readonly Hint[]) =>
      joined(
        hints.map((it) => isOnly(it, loadedAt(it.offset), sixteenKept)),
        and,
      )
    return joined(
      groups.flatMap((it) => it.hints?.map(hinted) ?? [kindsOfGroup(it, ahead)]),
      or,
    )
  }
  const hasHint = [...isHint(0), ...isHint(width), ...or, ...anyTrue]
  const twoVectors = 2 * width
  const isBelow = (size: number) => [...get(last), ...get(at), subtract, ...number(size), isLess]
  const body = [
    ...[...kept].flatMap(([byte, local]) => [...sixteen(byte), ...set(local)]),
    ...[block, none, loop, none, block, none],
    // Two vectors, unless they would reach beyond the last place.
    ...[...get(at), ...number(twoVectors), add, ...set(stop), ...isBelow(twoVectors), branchIf, 0],
    ...[...hasHint, branchIf, 0, ...get(stop), ...set(at), branch, 1, end],
    // One after the other.
    ...[loop, none, ...isBelow(width), branchIf, 2, block, none],
    ...[...isPattern, ...bitmask, ...tee(places), isZero, branchIf, 0],
    ...[
      loop,
      none,
      ...get(at),
      ...get(places),
      trailingZeros,
      add,
      ...number(width),
      subtract,
      ...set(before),
    ],
    ...[...get(exceptions), ...set(exception), block, none, loop, none],
    ...[...get(exception), ...get(exceptionsEnd), isLess, isZero, ifTrue, none],
    ...[...get(before), ...number(width), add, giveBack, end],
    ...[
      ...loadAt(before, 0),
      ...loadAt(exception, width),
      ...and,
      ...loadAt(exception, 0),
      ...equal,
      ...allTrue,
    ],
    ...[...byteAt(before, width + 1), ...byteAt(exception, 2 * width), isSame, bothTrue, branchIf, 1],
    ...[...get(exception), ...number(exceptionSize), add, ...set(exception), branch, 0, end, end],
    ...[
      ...get(places),
      ...get(places),
      ...number(1),
      subtract,
      bothTrue,
      ...tee(places),
      branchIf,
      0,
      end,
      end,
    ],
    ...[...get(at), ...number(width), add, ...tee(at), ...get(stop), isLess, branchIf, 0, end],
    ...[branch, 0, end, end],
    ...[...number(-1), ...get(at), subtract, end],
  ]
  const locals = [2, 4, i32, ...unsigned(nLocals - bytes), v128]
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 4, i32, i32, i32, i32, 1, i32]),
    ...section(2, [
      1,
      ...named('m'),
      ...named('m'),
      2,
      1,
      ...unsigned(searchPages),
      ...unsigned(searchPages),
    ]),
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
