/** Rows of Parquet as lines of JSON. Whole numbers keep their digits; members that are null are left out. */
import { bytesAsText } from '../sample-text.ts'
import { validUtf8Length } from '../utf8.ts'
import { ColumnText, JsonText, memberName } from './parquet-values.ts'

/** Why a row is not written. */
export class RowError extends Error {
  override readonly name = 'RowError'
  readonly reason: 'too-long' | 'not-utf8'

  constructor(reason: RowError['reason']) {
    super(reason)
    this.reason = reason
  }
}

declare const TextEncoder: new () => { encode(text: string): Uint8Array }

const encoder = new TextEncoder()
const usualBuffer = 2 ** 19 // bytes
const shortCopy = 48 // bytes
const mostKeys = 10_000 // that are remembered as they are written: a file has few names of columns

/** Writes rows as lines of JSON in UTF-8. */
export class RowWriter {
  readonly #longest: number
  #bytes = new Uint8Array(usualBuffer)
  #length = 0
  /** Where the row that is being written begins. */
  #start = 0
  /** True if a text of that row is not all ASCII. */
  #hasLetters = false
  readonly #keys = new Map<string, Uint8Array>()

  readonly #isUtf8: (bytes: Uint8Array) => boolean

  /**
   * @param longest bytes of a row
   * @param isUtf8 tells texts from other bytes
   */
  constructor(longest: number, isUtf8 = canBeDecoded) {
    this.#longest = longest
    this.#isUtf8 = isUtf8
  }

  /** Bytes of rows that are written, and not taken. */
  get length(): number {
    return this.#length
  }

  /** The rows that are written, in bytes of their own: readers hold them while the next ones are written. */
  take(): Uint8Array {
    const bytes = this.#bytes.slice(0, this.#length)
    // A row that was long once needs no such buffer for ever.
    if (this.#bytes.length > 4 * usualBuffer) this.#bytes = new Uint8Array(usualBuffer)
    this.#length = 0
    return bytes
  }

  /** Adds a row: the members that are not null, as an object. @throws RowError if it is not added */
  add(members: readonly (readonly [key: string, value: unknown])[]): void {
    this.#start = this.#length
    this.#hasLetters = false
    try {
      this.#object(members)
      this.#byte(0x0a)
      // All of the row at once: what is around its texts is ASCII, so that none completes a character of another.
      if (this.#hasLetters && !this.#isUtf8(this.#bytes.subarray(this.#start, this.#length)))
        throw new RowError('not-utf8')
    } catch (error) {
      this.#length = this.#start
      throw error
    }
  }

  #object(members: Iterable<readonly [key: string, value: unknown]>): void {
    this.#byte(0x7b)
    let isFirst = true
    for (const [key, value] of members) {
      if (value === null || value === undefined) continue
      if (!isFirst) this.#byte(0x2c)
      isFirst = false
      this.#key(key)
      this.#value(value)
    }
    this.#byte(0x7d)
  }

  #value(value: unknown): void {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        this.#json(JSON.stringify(value))
        return
      case 'number':
        // JSON has no other numbers; the words are those of JavaScript and Python's `json`.
        this.#json(Number.isFinite(value) ? numberText(value) : JSON.stringify(String(value)))
        return
      case 'bigint':
        this.#json(String(value))
        return
      case 'object':
        this.#structure(value)
        return
      default:
        this.#json('null')
    }
  }

  #structure(value: object | null): void {
    if (value === null) this.#json('null')
    else if (value instanceof ColumnText) this.#text(value.bytes)
    else if (value instanceof JsonText) this.#json(value.text)
    else if (value instanceof Uint8Array) this.#textOrBase64(value)
    else if (Array.isArray(value) || ArrayBuffer.isView(value)) this.#list(value as readonly unknown[])
    else if (value instanceof Date) this.#json(JSON.stringify(value))
    else this.#object(Object.entries(value))
  }

  #list(values: readonly unknown[]): void {
    this.#byte(0x5b)
    for (let index = 0; index < values.length; index++) {
      if (index > 0) this.#byte(0x2c)
      const it = values[index]
      if (it === undefined) this.#json('null')
      else this.#value(it)
    }
    this.#byte(0x5d)
  }

  #textOrBase64(bytes: Uint8Array): void {
    if (this.#isUtf8(bytes)) this.#text(bytes)
    else this.#json(JSON.stringify(base64(bytes)))
  }

  #key(key: string): void {
    let bytes = this.#keys.get(key)
    if (!bytes) {
      const name = memberName(key)
      if (name === undefined) throw new RowError('not-utf8')
      bytes = encoder.encode(`${JSON.stringify(name)}:`)
      if (this.#keys.size < mostKeys) this.#keys.set(key, bytes)
    }
    this.#raw(bytes)
  }

  #json(text: string): void {
    if (text.length > 64) {
      this.#raw(encoder.encode(text))
      return
    }
    const before = this.#length
    this.#reserve(text.length)
    for (let index = 0; index < text.length; index++) {
      const it = text.charCodeAt(index)
      if (it >= 0x80) {
        this.#length = before
        this.#raw(encoder.encode(text))
        return
      }
      this.#bytes[this.#length++] = it
    }
  }

  /** Writes a text in UTF-8 as a string. Stretches without escapes are copied at once: texts are most of a file. */
  #text(text: Uint8Array): void {
    const { length } = text
    const words = length < 16 ? undefined : new DataView(text.buffer, text.byteOffset, length)
    const last = length - 4
    this.#byte(0x22)
    let all = 0
    for (let from = 0; from < length; ) {
      const start = from
      // Four bytes at once, as long as none of them is escaped.
      if (words)
        for (; from <= last; from += 4) {
          const four = words.getInt32(from, true)
          if (mayBeEscaped(four)) break
          all |= four
        }
      let it = 0
      while (from < length) {
        it = text[from] as number // `from` is an index
        if (isEscaped[it] === 1) break
        all |= it
        from++
      }
      if (from - start <= shortCopy) this.#copy(text, start, from)
      else this.#raw(start === 0 && from === length ? text : text.subarray(start, from))
      if (from === length) break
      this.#json(escapes[it] ?? `\\u00${it.toString(16).padStart(2, '0')}`)
      from++
    }
    this.#byte(0x22)
    if ((all & highBits) !== 0) this.#hasLetters = true
  }

  /** A short stretch of `text`: a view of it would cost more than the copy. */
  #copy(text: Uint8Array, from: number, to: number): void {
    this.#reserve(to - from)
    for (let at = from; at < to; at++) this.#bytes[this.#length++] = text[at] as number // `at` is an index
  }

  #raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  #byte(it: number): void {
    this.#reserve(1)
    this.#bytes[this.#length++] = it
  }

  /** Makes room for `length` more bytes. */
  #reserve(length: number): void {
    const wanted = this.#length + length
    if (wanted - this.#start > this.#longest + 1) throw new RowError('too-long')
    if (wanted <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(wanted, 2 * this.#bytes.length))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}

/** What stands for these bytes in a string of JSON. */
const escapes: Readonly<Record<number, string>> = {
  8: '\\b',
  9: '\\t',
  10: '\\n',
  12: '\\f',
  13: '\\r',
  34: '\\"',
  92: '\\\\',
}

function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value)
}

const digits64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Bytes that are not text, as Base64. */
function base64(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += 3) {
    const [one = 0, two, three] = bytes.subarray(at, at + 3)
    const word = (one << 16) | ((two ?? 0) << 8) | (three ?? 0)
    const digit = (shift: number) => digits64[(word >> shift) & 63] ?? ''
    parts.push(
      digit(18) + digit(12) + (two === undefined ? '=' : digit(6)) + (three === undefined ? '=' : digit(0)),
    )
  }
  return parts.join('')
}

const highBits = 0x80808080 | 0 // as a whole number of 32 bits, which needs no conversion

/** True if one of the `four` bytes is escaped: those below a space, and those that are zero next to `"` or `\\`. */
function mayBeEscaped(four: number): boolean {
  const quoted = four ^ 0x22222222
  const slashed = four ^ 0x5c5c5c5c
  const found =
    (((four - 0x20202020) | 0) & ~four) |
    (((quoted - 0x01010101) | 0) & ~quoted) |
    (((slashed - 0x01010101) | 0) & ~slashed)
  return (found & highBits) !== 0
}

const longestDecoded = 2 ** 20 // bytes: what is longer is not made a string only to judge it

function canBeDecoded(bytes: Uint8Array): boolean {
  return bytes.length <= longestDecoded
    ? bytesAsText(bytes) !== undefined
    : validUtf8Length(bytes) === bytes.length
}

/** By byte: 1 if it is not written as it is. */
const isEscaped = Uint8Array.from({ length: 256 }, (_, it) => Number(it < 0x20 || it in escapes))
