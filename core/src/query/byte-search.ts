/**
 * Finds from the bytes of a sample that it has none of some words, which is many times faster than reading it. Only what is certain
 * counts: a sample whose texts may differ from its bytes is left to those who read it.
 *
 * A text of a sample is a string of its JSON, a piece of one, or several of them joined. So a run of letters in a text is in the
 * bytes too, unless a letter is escaped, folds to another one, or the run was joined from several strings or around removed tags.
 */

import type { DatasetMapping } from '../vocabulary/dataset-mapping.ts'
import { BytePatterns, SearchedBytes } from './byte-patterns.ts'

const folded = 0x20 // between the cases of a letter
const backslash = 0x5c
const lineFeed = 0x0a

declare const TextEncoder: new () => { encode(text: string): Uint8Array }
const encoder = new TextEncoder()

/** Tags that readers take out of texts, after `<` and any slash. */
const tags = [
  '|',
  '<',
  's>',
  'bos',
  'eos',
  'think',
  'thought',
  'reasoning',
  'scratch',
  'tool',
  'start_of',
  'end_of',
  '｜',
].map(bytesOf)
/** The same in brackets. */
const bracketTags = ['INST', 'THINK'].map(bytesOf)
/** Characters beyond ASCII whose other case is a letter of ASCII: U+0130, U+017F, and U+212A. */
const foreignLetters = ['İ', 'ſ', 'K'].map(bytesOf)

/** Lists of words that are not texts, and lists of what has texts of its own. */
const wordLists = 'tags labels required enum type'.split(' ')
const objectLists = [
  ...wordLists,
  ...'messages conversations conversation tools functions tool_calls anyOf'.split(' '),
]
const apart: ReadonlySet<string> = new Set(objectLists)
const [wordKeys, objectKeys] = [wordLists.map(bytesOf), objectLists.map(bytesOf)]

const slashes = [backslash, 0x2f]
const blanks = [0x20, 0x09, 0x0a, 0x0d, backslash]
const quotes = [0x22, 0x27] // `"` and `'`
const openBrace = 0x7b
const openBracket = 0x5b

/** Where texts may differ from their bytes: the bytes that begin it, and those that may follow them. */
const doubts = new BytePatterns(
  [
    [[backslash], [0x75]], // `u`
    [[0x3c], [...firstBytes(tags), ...slashes]],
    [[openBracket], [...firstBytes(bracketTags), ...slashes, ...blanks, ...quotes, openBrace, openBracket]],
    [[lineFeed], [openBrace]],
    ...foreignLetters.map(([first = 0, second = 0]) => [[first], [second]]),
  ],
  [0, 1],
)

/** Letters of ASCII, the most frequent ones last. */
const frequent = 'zqjxkvbywgpfmucdlhrsnioate'

/** Looks for words in bytes. */
export class ByteSearch {
  readonly #words: readonly Uint8Array[]
  readonly #isBeyondAscii: boolean
  /** Rare bytes of each word, at the same places in all of them. */
  readonly #patterns: BytePatterns
  /** The first of these places. */
  readonly #first: number

  /** @param words at least one; letters of ASCII in lower case, and letters without case */
  constructor(words: readonly string[]) {
    this.#words = words.map(bytesOf)
    this.#isBeyondAscii = words.some((it) => /[^a-z]/.test(it))
    const places = rarestPlaces(this.#words)
    this.#first = places[0] ?? 0
    this.#patterns = new BytePatterns(
      this.#words.map((word) => places.map((it) => casesOf(word[it]))),
      places.map((it) => it - this.#first),
    )
  }

  /** False if no text of the sample that `bytes` are has one of the words, its columns being called as `mapping` says. Linear. */
  mayHave(bytes: Uint8Array, mapping?: DatasetMapping): boolean {
    return this.in(bytes)(0, bytes.length, mapping)
  }

  /** The same for samples that are parts of `bytes`, from one offset to before another, which come in their order. */
  in(bytes: Uint8Array): (start: number, end: number, mapping?: DatasetMapping) => boolean {
    const searched = new SearchedBytes(bytes)
    const words = new Places((from) => this.#nextWord(searched, from))
    const doubtful = new Places((from) => doubts.next(searched, from, bytes.length))
    const isDoubtful = (start: number, end: number) => {
      let at = doubtful.next(start)
      if (at >= end) return false
      const sample = bytes.subarray(start, end)
      while (at < end && !this.#counts(sample, at - start)) at = doubtful.next(at + 1)
      return at < end
    }
    return (start, end, mapping) =>
      words.next(start) < end || isDoubtful(start, end) || (mapping !== undefined && hasOddNames(mapping))
  }

  /** The offset of the next word from `from` on; -1 if there is none. */
  #nextWord(searched: SearchedBytes, from: number): number {
    const { bytes } = searched
    for (let at = from; ; at++) {
      at = this.#patterns.next(searched, at, bytes.length)
      if (at === -1) return -1
      const start = at - this.#first
      if (start >= from && this.#words.some((it) => isWordAt(bytes, start, it))) return start
    }
  }

  #counts(bytes: Uint8Array, at: number): boolean {
    switch (bytes[at]) {
      case backslash:
        return bytes[at + 1] === 0x75 && isDoubtfulCode(codeAt(bytes, at + 2), this.#isBeyondAscii)
      case 0x3c: {
        const from = afterSlashes(bytes, at + 1)
        return tags.some((it) => isAt(bytes, from, it))
      }
      case openBracket:
        return isJoinedList(bytes, at)
      case lineFeed:
        return bytes[at + 1] === openBrace // the next line of a session
      default:
        return foreignLetters.some((it) => isAt(bytes, at, it))
    }
  }
}

/** Places that are asked for in their order, each of which is looked for once. */
class Places {
  readonly #find: (from: number) => number
  #next = -1

  /** @param find the first place from an offset on; -1 if there is none */
  constructor(find: (from: number) => number) {
    this.#find = find
  }

  /** The first place from `from` on; beyond all offsets if there is none. */
  next(from: number): number {
    if (this.#next < from) {
      const found = this.#find(from)
      this.#next = found === -1 ? Number.POSITIVE_INFINITY : found
    }
    return this.#next
  }
}

/** Up to three places in the shortest of `words`, and so in all, whose bytes are rare; ascending. */
function rarestPlaces(words: readonly Uint8Array[]): readonly number[] {
  const width = Math.min(...words.map(({ length }) => length))
  const frequency = (place: number) =>
    Math.max(...words.map((word) => frequent.lastIndexOf(String.fromCharCode(word[place] ?? 0)) + 1))
  const places = Array.from({ length: width }, (_, place) => place)
  places.sort((one, other) => frequency(one) - frequency(other))
  return places.slice(0, 3).sort((one, other) => one - other)
}

/** The bytes that count as `byte`. */
function casesOf(byte = 0): readonly number[] {
  return 0x61 <= byte && byte <= 0x7a ? [byte, byte ^ folded] : [byte]
}

function firstBytes(texts: readonly Uint8Array[]): readonly number[] {
  return texts.map(([first = 0]) => first)
}

/** True if texts have the names that lists of other things usually have. */
function hasOddNames({ columns, tags }: DatasetMapping): boolean {
  const { messages: _, tools: __, ...texts } = columns ?? {}
  return [...Object.values(texts), ...Object.values(tags)].some((it) => apart.has(it))
}

/** True if `word` is in `bytes` from `from` on, whatever the case of its letters of ASCII. */
function isWordAt(bytes: Uint8Array, from: number, word: Uint8Array): boolean {
  for (let at = 0; at < word.length; at++) {
    const [byte, wanted] = [bytes[from + at] ?? 0, word[at] ?? 0]
    if (byte !== wanted && (wanted >= 0x80 || (byte | folded) !== wanted)) return false
  }
  return true
}

function isAt(bytes: Uint8Array, from: number, wanted: Uint8Array): boolean {
  for (let at = 0; at < wanted.length; at++) if (bytes[from + at] !== wanted[at]) return false
  return true
}

function afterSlashes(bytes: Uint8Array, from: number): number {
  const isSlash = (at: number) => bytes[at] === backslash || bytes[at] === 0x2f
  return isSlash(from) ? (isSlash(from + 1) ? (isSlash(from + 2) ? from + 3 : from + 2) : from + 1) : from
}

/** The four hexadecimal digits at `from`; not a number if there are none. */
function codeAt(bytes: Uint8Array, from: number): number {
  return Number.parseInt(String.fromCharCode(...bytes.subarray(from, from + 4)), 16)
}

/** True if an escaped character may be part of a word, or changes how other bytes are read. */
function isDoubtfulCode(code: number, isBeyondAscii: boolean): boolean {
  if (!(code >= 0x80)) return !(code === 0x26 || code === 0x27 || code === 0x22 || code === 0x3e)
  return isBeyondAscii || code === 0x130 || code === 0x17f || code === 0x212a
}

/** True if the bracket at `at` may open a list whose strings are joined, or may be a tag. */
function isJoinedList(bytes: Uint8Array, at: number): boolean {
  const afterSlash = afterSlashes(bytes, at + 1)
  if (bracketTags.some((it) => isAt(bytes, afterSlash, it))) return true
  let next = at + 1
  while (isBlank(bytes[next])) next += bytes[next] === backslash && isWhiteEscape(bytes[next + 1]) ? 2 : 1
  const first = bytes[next]
  const isOfStrings = first === 0x22 || first === 0x27 // `"` and `'`
  if (!isOfStrings && first !== 0x7b && first !== 0x5b) return false
  let key = at - 1
  while (isBlank(bytes[key])) key--
  if (key < 0) return isOfStrings || first === 0x5b
  if (bytes[key] !== 0x3a) return true
  key--
  while (isBlank(bytes[key]) || bytes[key] === 0x22) key--
  return (
    first === 0x5b || !(isOfStrings ? wordKeys : objectKeys).some((it) => isKeyBefore(bytes, key + 1, it))
  )
}

/** True if the string that ends before `to` is `key`. */
function isKeyBefore(bytes: Uint8Array, to: number, key: Uint8Array): boolean {
  return isAt(bytes, to - key.length, key) && bytes[to - key.length - 1] === 0x22
}

/** Spaces, and the backslashes before quotation marks in a string. */
function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d || byte === backslash
}

/** `n`, `r`, or `t`, which are white space after a backslash. */
function isWhiteEscape(byte: number | undefined): boolean {
  return byte === 0x6e || byte === 0x72 || byte === 0x74
}

function bytesOf(text: string): Uint8Array {
  return encoder.encode(text)
}
