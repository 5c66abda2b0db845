/** Tokens of a rendering, with the characters that each of them is (S13). */
import { specialTokenIds, type TextEncoding } from '../convert/token-counts.ts'
import { TokenColumns, type TrainingToken } from './token-columns.ts'

/** A text in tokens. */
export interface Tokenization {
  readonly tokens: TokenColumns
  /** False where the tokenizer changes text before it cuts it, and not every token could be found: places are estimates. */
  readonly isExact: boolean
}

/** Cuts text into tokens. */
export interface Tokenizer {
  readonly name: string
  /** What of it this program does differently, if it is known: ids and counts are estimates then. */
  readonly doubt?: string | undefined
  /** The tokens of `text`, in order; what spells a special token is that token. */
  cut(text: string): Tokenization
}

/** An encoding that knows how many bytes each of its tokens has. */
export interface ByteEncoding extends TextEncoding {
  byteLength(id: number): number
}

/** The vocabulary of gpt-oss models. */
export function harmonyTokenizer(encoding: ByteEncoding): Tokenizer {
  return {
    name: 'o200k_harmony',
    cut(text) {
      const tokens = new TokenColumns()
      let at = 0
      for (const { index, 0: spelling } of text.matchAll(specialSpelling)) {
        addTokens(tokens, text.slice(at, index), at, encoding)
        at = index + spelling.length
        tokens.push(specialTokenIds.get(spelling) ?? 0, index, at, true)
      }
      addTokens(tokens, text.slice(at), at, encoding)
      return { tokens, isExact: true }
    },
  }
}

const specialSpelling = /<\|(?:return|constrain|channel|start|end|message|call)\|>/g

/** Adds the tokens of ordinary text that begins at `from`. */
export function addTokens(tokens: TokenColumns, text: string, from: number, encoding: ByteEncoding): void {
  if (text === '') return
  // A byte is a character in most texts.
  const places = ascii.test(text) ? undefined : new BytePlaces(text)
  let bytes = 0
  for (const id of encoding.encode(text)) {
    const first = bytes
    bytes += encoding.byteLength(id)
    if (!places) tokens.push(id, from + first, from + bytes)
    else {
      const { start, end, part } = places.between(first, bytes, from)
      tokens.push(id, start, end, false, part)
    }
  }
}

// Linear: one character class.
const ascii = /^[\0-\x7f]*$/

/** The characters of a text by the bytes of its UTF-8, asked for from front to back. */
export class BytePlaces {
  readonly #text: string
  #unit = 0
  #byte = 0
  constructor(text: string) {
    this.#text = text
  }

  /** Where the character begins that has the byte, which is not before the one asked for last. */
  before(byte: number): number {
    while (this.#unit < this.#text.length) {
      const { units, bytes } = this.#character()
      if (this.#byte + bytes > byte) break
      this.#unit += units
      this.#byte += bytes
    }
    return this.#unit
  }

  /** Where the character ends whose last byte is before `byte`, or that `byte` is inside of. */
  after(byte: number): number {
    const start = this.before(byte)
    return this.#byte === byte || start === this.#text.length ? start : start + this.#character().units
  }

  /** The characters that have the bytes from `first` to `last`, in a text that begins at `origin`. */
  between(first: number, last: number, origin: number): Pick<TrainingToken, 'start' | 'end' | 'part'> {
    const start = origin + this.before(first)
    const startByte = this.#byte
    const end = origin + this.after(last)
    if (first === startByte && (last === this.#byte || this.#unit === this.#text.length))
      return { start, end }
    return { start, end, part: { from: first - startByte, to: last - startByte } }
  }

  #character(): { units: number; bytes: number } {
    const code = this.#text.codePointAt(this.#unit) ?? 0
    if (code < 0x80) return { units: 1, bytes: 1 }
    if (code < 0x800) return { units: 1, bytes: 2 }
    return code < 0x10000 ? { units: 1, bytes: 3 } : { units: 2, bytes: 4 }
  }
}
