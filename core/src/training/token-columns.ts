/** The tokens of a text as columns of numbers: a text of 10 MB may have millions, and an object takes ten times as much. */
import type { Span } from '../text/range.ts'

/** A token, and what it is of the text: UTF-16 code units. A token that is part of a character has that character. */
export interface TrainingToken {
  readonly id: number
  readonly start: number
  readonly end: number
  /** True for a token that is not made of text, such as `<|im_end|>`. */
  readonly isSpecial: boolean
  /** True if it counts in the loss. */
  readonly isTrained: boolean
  /** True beyond the maximal length. */
  readonly isCut: boolean
  /** Of a token that begins or ends inside of a character: which bytes of the UTF-8 of its characters it is. */
  readonly part?: Span | undefined
}

/** Tokens as lists, by index, which other processes can read. */
export interface PackedTokens {
  readonly ids: readonly number[]
  /** UTF-16 code units of the text. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  /** {@link tokenFlags}, added up. */
  readonly flags: readonly number[]
  /** Of tokens that are not whole characters: index, first byte, and the byte after the last, as of a token's `part`. */
  readonly parts: readonly TokenPart[]
}

/** The index of a token, and which bytes of its characters it is. */
export type TokenPart = readonly [index: number, from: number, to: number]

/** What is true of a token. */
export const tokenFlags = { special: 1, trained: 2, cut: 4 } as const

/** Of a token that is not whole characters; others don't see it. */
const hasPart = 8

/** Tokens in the order of the text. */
export class TokenColumns implements Iterable<TrainingToken> {
  readonly #ids = new Column(Uint32Array)
  readonly #starts = new Column(Uint32Array)
  readonly #ends = new Column(Uint32Array)
  readonly #flags = new Column(Uint8Array)
  /** Of those that {@link hasPart}, in their order. */
  readonly #partStarts = new Column(Uint8Array)
  readonly #partEnds = new Column(Uint32Array)

  get length(): number {
    return this.#ids.length
  }

  /** Adds a token, which is neither trained nor cut. */
  push(id: number, start: number, end: number, isSpecial = false, part?: Span): void {
    this.#ids.push(id)
    this.#starts.push(start)
    this.#ends.push(end)
    this.#flags.push((isSpecial ? tokenFlags.special : 0) | (part ? hasPart : 0))
    if (!part) return
    this.#partStarts.push(part.from)
    this.#partEnds.push(part.to)
  }

  /** Where the token begins. @throws RangeError if `index` is out of range */
  startOf(index: number): number {
    return this.#starts.at(index)
  }

  /** Where the token ends. @throws RangeError if `index` is out of range */
  endOf(index: number): number {
    return this.#ends.at(index)
  }

  /** Adds one of {@link tokenFlags} to a token. @throws RangeError if `index` is out of range */
  mark(index: number, flag: number): void {
    this.#flags.set(index, this.#flags.at(index) | flag)
  }

  *[Symbol.iterator](): Iterator<TrainingToken> {
    let nextPart = 0
    for (let index = 0; index < this.length; index++) {
      const flags = this.#flags.at(index)
      yield {
        id: this.#ids.at(index),
        start: this.#starts.at(index),
        end: this.#ends.at(index),
        isSpecial: (flags & tokenFlags.special) !== 0,
        isTrained: (flags & tokenFlags.trained) !== 0,
        isCut: (flags & tokenFlags.cut) !== 0,
        ...(flags & hasPart && { part: this.#part(nextPart++) }),
      }
    }
  }

  /** The tokens as lists. */
  packed(): PackedTokens {
    const flags = this.#flags.listed()
    const parts: TokenPart[] = []
    for (const [index, its] of flags.entries()) {
      if ((its & hasPart) === 0) continue
      const { from, to } = this.#part(parts.length)
      parts.push([index, from, to])
      flags[index] = its & ~hasPart
    }
    return { ids: this.#ids.listed(), starts: this.#starts.listed(), ends: this.#ends.listed(), flags, parts }
  }

  #part(index: number): Span {
    return { from: this.#partStarts.at(index), to: this.#partEnds.at(index) }
  }
}

type Numbers = Uint8Array | Uint32Array
type NumbersOf = new (length: number) => Numbers

const bits = 12
const inChunk = 1 << bits
const atFirst = 32 // most texts of a dataset are short

/** Numbers without an object or a boxed value for each, in chunks: a list that grows is copied, and twice in memory meanwhile. */
class Column {
  length = 0
  readonly #chunks: Numbers[] = []
  readonly #kind: NumbersOf

  constructor(kind: NumbersOf) {
    this.#kind = kind
  }

  push(value: number): void {
    const index = this.length++
    const chunk = this.#chunks[index >> bits] ?? this.#added(index === 0 ? atFirst : inChunk)
    if (index < chunk.length || index >= inChunk) chunk[index & (inChunk - 1)] = value
    else this.#grown(chunk)[index] = value
  }

  /** @throws RangeError if `index` is out of range */
  at(index: number): number {
    const value = index < this.length ? this.#chunks[index >> bits]?.[index & (inChunk - 1)] : undefined
    if (value === undefined) throw new RangeError(`${index} is out of range: there are ${this.length} tokens`)
    return value
  }

  /** Writes over a number that is there. */
  set(index: number, value: number): void {
    const chunk = this.#chunks[index >> bits]
    if (chunk) chunk[index & (inChunk - 1)] = value
  }

  listed(): number[] {
    const all: number[] = []
    for (let index = 0; index < this.length; index++) all.push(this.at(index))
    return all
  }

  #added(length: number): Numbers {
    const chunk = new this.#kind(length)
    this.#chunks.push(chunk)
    return chunk
  }

  /** The first chunk, twice as long. */
  #grown(chunk: Numbers): Numbers {
    const larger = new this.#kind(chunk.length * 2)
    larger.set(chunk)
    this.#chunks[0] = larger
    return larger
  }
}
