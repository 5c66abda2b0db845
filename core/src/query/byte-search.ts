/**
 * Tells from the bytes of a sample that it has none of some words, which is many times faster than reading it. Only what is certain
 * counts: a sample whose texts may differ from its bytes is left to those who read it.
 *
 * A text of a sample is a string of its JSON, a piece of one, or several of them joined. So a run of letters in a text is in the
 * bytes too, unless a letter is escaped, folds to another one, or the run was joined from several strings or around removed tags.
 */

import type { DatasetMapping } from '../vocabulary/dataset-mapping.ts'

const folded = 0x20 // between the cases of a letter
const backslash = 0x5c
const lineFeed = 0x0a

/** What a byte may begin, or be part of. */
const plain = 0
const escaped = 2
const tag = 3
const list = 4
const line = 5
const foreign = 6

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

/** Lists of words that are no texts, and lists of what has texts of its own. */
const wordLists = 'tags labels required enum type'.split(' ')
const objectLists = [
  ...wordLists,
  ...'messages conversations conversation tools functions tool_calls anyOf'.split(' '),
]
const apart: ReadonlySet<string> = new Set(objectLists)
const [wordKeys, objectKeys] = [wordLists.map(bytesOf), objectLists.map(bytesOf)]

/** What a byte may begin, wherever it is. */
const kinds = new Uint8Array(256)
kinds[backslash] = escaped
kinds[0x3c] = tag
kinds[0x5b] = list
kinds[lineFeed] = line
for (const [first = 0] of foreignLetters) kinds[first] = foreign

/** Looks for words in bytes. */
export class ByteSearch {
  readonly #words: readonly Uint8Array[]
  readonly #isBeyondAscii: boolean
  /** Bytes of the shortest word. */
  readonly #width: number
  /** By the last byte of as many: how far the next place is where a word may end; 0 marks one that ends a word. */
  readonly #steps = new Uint8Array(256)

  /** @param words at least one; letters of ASCII in lower case, and letters without case */
  constructor(words: readonly string[]) {
    this.#words = words.map(bytesOf)
    this.#isBeyondAscii = words.some((it) => /[^a-z]/.test(it))
    const width = Math.min(...this.#words.map(({ length }) => length))
    this.#width = width
    const steps = this.#steps.fill(width)
    for (const word of this.#words) {
      for (let at = 0; at < width; at++) {
        const byte = word[at] ?? 0
        const step = Math.min(steps[byte] ?? width, width - 1 - at)
        steps[byte] = step
        if (byte < 0x80) steps[byte ^ folded] = step
      }
    }
  }

  /** False if no text of the sample that `bytes` are has one of the words, its columns being called as `mapping` says. Linear. */
  mayHave(bytes: Uint8Array, mapping?: DatasetMapping): boolean {
    return this.#hasWord(bytes) || this.#isDoubtful(bytes) || (mapping !== undefined && hasOddNames(mapping))
  }

  /** After Boyer, Moore and Horspool: most bytes are not looked at. */
  #hasWord(bytes: Uint8Array): boolean {
    const steps = this.#steps
    const { length } = bytes
    for (let end = this.#width - 1; end < length; ) {
      const step = steps[bytes[end] ?? 0] ?? 1
      if (step === 0 && this.#words.some((word) => isWordAt(bytes, end + 1 - this.#width, word))) return true
      end += step === 0 ? 1 : step
    }
    return false
  }

  /** True if texts may differ from the bytes. */
  #isDoubtful(bytes: Uint8Array): boolean {
    const { length } = bytes
    let at = 0
    // Eight at a time, because nearly all bytes are plain.
    for (const last = length - 8; at <= last; at += 8) {
      const any =
        kindAt(bytes, at) |
        kindAt(bytes, at + 1) |
        kindAt(bytes, at + 2) |
        kindAt(bytes, at + 3) |
        kindAt(bytes, at + 4) |
        kindAt(bytes, at + 5) |
        kindAt(bytes, at + 6) |
        kindAt(bytes, at + 7)
      if (any === plain) continue
      for (let it = at; it < at + 8; it++) if (this.#counts(kindAt(bytes, it), bytes, it)) return true
    }
    for (; at < length; at++) if (this.#counts(kindAt(bytes, at), bytes, at)) return true
    return false
  }

  #counts(kind: number, bytes: Uint8Array, at: number): boolean {
    switch (kind) {
      case escaped:
        return bytes[at + 1] === 0x75 && isDoubtfulCode(codeAt(bytes, at + 2), this.#isBeyondAscii)
      case tag: {
        const from = afterSlashes(bytes, at + 1)
        return tags.some((it) => isAt(bytes, from, it))
      }
      case list:
        return isJoinedList(bytes, at)
      case line:
        return bytes[at + 1] === 0x7b // `{`: the next line of a session
      case foreign:
        return foreignLetters.some((it) => isAt(bytes, at, it))
      default:
        return false
    }
  }
}

/** True if texts have the names that lists of other things usually have. */
function hasOddNames({ columns, tags }: DatasetMapping): boolean {
  const { messages: _, tools: __, ...texts } = columns ?? {}
  return [...Object.values(texts), ...Object.values(tags)].some((it) => apart.has(it))
}

function kindAt(bytes: Uint8Array, at: number): number {
  return kinds[bytes[at] as number] as number // `at` is in the bytes, and each byte has a kind
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
