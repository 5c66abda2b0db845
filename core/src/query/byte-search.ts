/**
 * Finds from the bytes of a sample that it has none of some words, which is many times faster than reading it. Only what is certain
 * counts: a sample whose texts may differ from its bytes is left to those who read it.
 *
 * A text of a sample is a string of its JSON, a piece of one, or several of them joined. So a run of letters in a text is in the
 * bytes too, unless a letter is escaped, folds to another one, or the run was joined from several strings or around removed tags.
 */

import type { DatasetMapping } from '../vocabulary/dataset-mapping.ts'
import { type BytePattern, BytePatterns, SearchedBytes } from './byte-patterns.ts'

const folded = 0x20 // between the cases of a letter
const backslash = 0x5c
const lineFeed = 0x0a

declare const TextEncoder: new () => { encode(text: string): Uint8Array }
const encoder = new TextEncoder()

/** Frames of messages, after `<` and any slash: they are taken out of texts, and make one text of a prompt and its response. */
const frames = ['|', '<', 's>', 'bos', 'eos', 'start_of', 'end_of', '｜'].map(bytesOf)
/** All tags that readers take out of texts. */
const tags = [...frames, ...['think', 'thought', 'reasoning', 'scratch', 'tool'].map(bytesOf)]
/** Columns of prompts (F13), with the quotation mark before them. */
const prompts = ['"prompt', '"question', '"query', '"problem', '"input'].map(bytesOf)
/** The same in brackets. */
const bracketTags = ['INST', 'THINK'].map(bytesOf)
/** Letters of ASCII whose other case is a character beyond it, too: U+0130, U+017F, and U+212A. */
const foreignLetters = new Map([
  ['i', bytesOf('\u0130')],
  ['s', bytesOf('\u017f')],
  ['k', bytesOf('\u212a')],
])

/** Lists of words that are not texts, and lists of what has texts of its own. */
const wordLists = 'tags labels required enum type'.split(' ')
const objectLists = [
  ...wordLists,
  ...'messages conversations conversation tools functions tool_calls anyOf'.split(' '),
]
const apart: ReadonlySet<string> = new Set(objectLists)
const [wordKeys, objectKeys] = [wordLists.map(bytesOf), objectLists.map(bytesOf)]

const longestKey = 16 // bytes of a key with what follows it up to the bracket
const slashes = [backslash, 0x2f]
const blanks = [0x20, 0x09, 0x0a, 0x0d, backslash]
const quotes = [0x22, 0x27] // `"` and `'`
const lessThan = 0x3c
const quote = 0x22
const openBrace = 0x7b
const openBracket = 0x5b

/** Where texts may differ from their bytes: an escape, and other bytes that begin it with those that may follow them. */
const unicodeEscape: BytePattern = [[backslash], [0x75]] // `u`
const doubts: readonly BytePattern[] = [
  [[lessThan], [...firstBytes(tags), ...slashes]],
  [[openBracket], [...firstBytes(bracketTags), ...slashes, ...blanks, ...quotes, openBrace, openBracket]],
]

/** Letters of ASCII, the most frequent ones last. */
const frequent = 'zqjxkvbywgpfmucdlhrsnioate'

/** Looks for words in bytes. */
export class ByteSearch {
  readonly #words: readonly Uint8Array[]
  readonly #isBeyondAscii: boolean
  readonly #foreignLetters: readonly Uint8Array[]
  /** Rare bytes of each word, at the same places in all of them, and doubts. */
  readonly #patterns: BytePatterns
  /** The first of these places. */
  readonly #first: number

  /** @param words at least one; letters of ASCII in lower case, and letters without case */
  constructor(words: readonly string[]) {
    this.#words = words.map(bytesOf)
    this.#isBeyondAscii = words.some((it) => /[^a-z]/.test(it))
    this.#foreignLetters = [...foreignLetters].flatMap(([letter, bytes]) =>
      words.some((it) => it.includes(letter)) ? [bytes] : [],
    )
    const places = rarestPlaces(this.#words)
    this.#first = places[0] ?? 0
    const letters = this.#foreignLetters.map(([first = 0, second = 0]) => [[first], [second]])
    this.#patterns = new BytePatterns([
      {
        patterns: this.#words.map((word) => places.map((it) => casesOf(word[it]))),
        offsets: places.map((it) => it - this.#first),
        nHints: 2,
      },
      { patterns: [unicodeEscape], offsets: [0, 1], nHints: 2 }, // most of its first bytes begin other escapes
      { patterns: [...doubts, ...letters], offsets: [0, 1], nHints: 1 },
    ])
  }

  /** False if no text of the sample that `bytes` are has one of the words, its columns being called as `mapping` says. Linear. */
  mayHave(bytes: Uint8Array, mapping?: DatasetMapping): boolean {
    return hasSecondLine(bytes) || this.in(bytes)(0, bytes.length, mapping)
  }

  /**
   * The same for samples that are parts of `bytes`, from one offset to before another, which come in their order. None of them is a
   * session with a message per line.
   */
  in(bytes: Uint8Array): (start: number, end: number, mapping?: DatasetMapping) => boolean {
    const searched = new SearchedBytes(bytes)
    const sample: SearchedSample = { bytes, start: 0, end: 0, joinsColumns: undefined } // one for all: there may be millions
    let next = -1 // place that decides, perhaps
    return (start, end, mapping) => {
      if (next < start) next = this.#next(searched, start)
      sample.start = start
      sample.end = end
      sample.joinsColumns = mapping === undefined ? undefined : true
      while (next < end) {
        if (this.#decides(sample, next)) return true
        next = this.#next(searched, next + 1)
      }
      return mapping !== undefined && hasOddNames(mapping)
    }
  }

  /** The first place from `from` on that may decide; beyond all offsets if there is none. */
  #next(searched: SearchedBytes, from: number): number {
    const found = this.#patterns.next(searched, from, searched.bytes.length)
    return found === -1 ? Number.POSITIVE_INFINITY : found
  }

  /** True if the bracket at `at` may open a list whose strings are joined, or may be a tag. Other lists are not looked for again. */
  #isJoinedList(bytes: Uint8Array, at: number, start: number, end: number): boolean {
    const key = keyOfOtherList(bytes, at, start, end)
    if (key !== undefined && at - longestKey <= key && key < at)
      this.#patterns.except(bytes.slice(key, at), bytes[at + 1] ?? 0)
    return key === undefined
  }

  /**
   * True if a tag at `at` may be within a word, of which the beginning is before the tag then. White space there may be taken out,
   * too, and is written as itself or as an escape, perhaps within a string in a string.
   */
  #maySplit(bytes: Uint8Array, at: number, start: number): boolean {
    for (let end = at, length = 0; end > start; end -= length) {
      length = blankBefore(bytes, end)
      const isEscape = length === 2 && bytes[end - 2] === backslash && bytes[end - 3] !== backslash
      if (!isEscape && this.#words.some((it) => endsWithBeginning(bytes, start, end, it))) return true
      if (length === 0) return false
    }
    return false
  }

  /** True if a word, or a doubt, is at `at` in `sample`. */
  #decides(sample: SearchedSample, at: number): boolean {
    const { bytes, start, end } = sample
    const wordStart = at - this.#first
    for (const it of this.#words) if (start <= wordStart && isWordAt(bytes, wordStart, it)) return true
    switch (bytes[at]) {
      case openBracket:
        return this.#isJoinedList(bytes, at, start, end)
      case backslash: {
        if (bytes[at + 1] !== 0x75) return false
        const code = codeAt(bytes, at + 2)
        if (code === lessThan) return this.#maySplit(bytes, at, start) || joinsColumns(sample)
        return isDoubtfulCode(code, this.#isBeyondAscii)
      }
      case lessThan: {
        const from = afterSlashes(bytes, at + 1)
        if (!tags.some((it) => isAt(bytes, from, it))) return false
        return (
          this.#maySplit(bytes, at, start) ||
          (frames.some((it) => isAt(bytes, from, it)) && joinsColumns(sample))
        )
      }
      default:
        return this.#foreignLetters.some((it) => isAt(bytes, at, it))
    }
  }
}

/** The sample that is searched. */
interface SearchedSample {
  readonly bytes: Uint8Array
  start: number
  end: number
  /** See {@link joinsColumns}; undefined as long as nobody asked. */
  joinsColumns: boolean | undefined
}

/** True if `sample` may be read as one text that is in several columns: one of them is a prompt, or has any name. */
function joinsColumns(sample: SearchedSample): boolean {
  sample.joinsColumns ??= hasPrompt(sample.bytes.subarray(sample.start, sample.end))
  return sample.joinsColumns
}

/** True if `sample` may have a prompt in a column of its own. */
function hasPrompt(sample: Uint8Array): boolean {
  for (let at = sample.indexOf(quote); at !== -1; at = sample.indexOf(quote, at + 1))
    if (prompts.some((it) => isAt(sample, at, it))) return true
  return false
}

/** True if a line after the first may be one of a session. */
function hasSecondLine(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1))
    if (bytes[at + 1] === openBrace) return true
  return false
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

/** True if the first `length` bytes of `word` are in `bytes` from `from` on, whatever the case of its letters of ASCII. */
function isWordAt(bytes: Uint8Array, from: number, word: Uint8Array, length = word.length): boolean {
  for (let at = 0; at < length; at++) {
    const [byte, wanted] = [bytes[from + at] ?? 0, word[at] ?? 0]
    if (byte !== wanted && (wanted >= 0x80 || (byte | folded) !== wanted)) return false
  }
  return true
}

/** True if the bytes from `start` to before `end` end with a beginning of `word` that is not all of it. */
function endsWithBeginning(bytes: Uint8Array, start: number, end: number, word: Uint8Array): boolean {
  for (let length = Math.min(word.length - 1, end - start); length > 0; length--)
    if (isWordAt(bytes, end - length, word, length)) return true
  return false
}

/** How many bytes before `end` are a character of white space, or what it is escaped with. */
function blankBefore(bytes: Uint8Array, end: number): number {
  if (isBlank(bytes[end - 1])) return 1
  return bytes[end - 2] === backslash && isWhiteEscape(bytes[end - 1]) ? 2 : 0
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
  let code = 0
  for (let at = from; at < from + 4; at++) {
    const byte = bytes[at] ?? 0
    const isDigit = 0x30 <= byte && byte <= 0x39
    const letter = byte | folded
    if (!isDigit && !(0x61 <= letter && letter <= 0x66)) return Number.NaN
    code = 16 * code + (isDigit ? byte - 0x30 : letter - 0x57)
  }
  return code
}

/** True if an escaped character may be part of a word, or changes how other bytes are read. */
function isDoubtfulCode(code: number, isBeyondAscii: boolean): boolean {
  if (!(code >= 0x80)) return !(code === 0x26 || code === 0x27 || code === 0x22 || code === 0x3e)
  return isBeyondAscii || code === 0x130 || code === 0x17f || code === 0x212a
}

/**
 * Undefined if the bracket at `at` of the sample from `start` to before `end` may open a list whose strings are joined, or may be a
 * tag. Otherwise, where the key of the list begins, with its quotation mark, if only that and the byte after the bracket decide; else
 * the offset of the bracket.
 */
function keyOfOtherList(bytes: Uint8Array, at: number, start: number, end: number): number | undefined {
  const afterSlash = afterSlashes(bytes, at + 1)
  if (isBracketTag(bytes, afterSlash)) return undefined
  let next = at + 1
  while (next < end && isBlank(bytes[next]))
    next += bytes[next] === backslash && isWhiteEscape(bytes[next + 1]) ? 2 : 1
  const first = bytes[next]
  const isOfStrings = first === 0x22 || first === 0x27 // `"` and `'`
  if (next >= end || (!isOfStrings && first !== openBrace && first !== openBracket)) return at
  let key = at - 1
  while (key >= start && isBlank(bytes[key])) key--
  if (key < start) return isOfStrings || first === openBracket ? undefined : at
  if (bytes[key] !== 0x3a || first === openBracket) return undefined
  key--
  while (key >= start && (isBlank(bytes[key]) || bytes[key] === 0x22)) key--
  const keys = isOfStrings ? wordKeys : objectKeys
  for (const it of keys)
    if (isKeyBefore(bytes, key + 1, it)) return next === at + 1 ? Math.max(start, key - it.length) : at
  return undefined
}

function isBracketTag(bytes: Uint8Array, at: number): boolean {
  for (const it of bracketTags) if (isAt(bytes, at, it)) return true
  return false
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
