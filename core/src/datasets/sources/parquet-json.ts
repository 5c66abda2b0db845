/** Values of Parquet columns as JSON. Whole numbers keep their digits, times their fractions; members that are null are left out. */
import { bytesAsText } from '../sample-text.ts'

/** Text that is JSON already. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Bytes of a column of text that are not UTF-8. */
export class BrokenColumnText {}

/** Why a row is not written. */
export class RowError extends Error {
  override readonly name = 'RowError'
  readonly reason: 'too-long' | 'not-utf8'

  constructor(reason: RowError['reason']) {
    super(reason)
    this.reason = reason
  }
}

/** What the library makes of columns with these types. */
export const columnParsers = {
  timestampFromMilliseconds: (it: bigint) => timeText(it, 3),
  timestampFromMicroseconds: (it: bigint) => timeText(it, 6),
  timestampFromNanoseconds: (it: bigint) => timeText(it, 9),
  dateFromDays: (days: number) =>
    dateText(days * millisecondsOfDay)?.slice(0, -'T00:00:00.000Z'.length) ?? days,
  stringFromBytes: (bytes: Uint8Array | undefined) => bytes && (bytesAsText(bytes) ?? new BrokenColumnText()),
  jsonFromBytes(bytes: Uint8Array | undefined) {
    const text = bytes && bytesAsText(bytes)
    if (text === undefined) return bytes && new BrokenColumnText()
    try {
      JSON.parse(text)
      return new JsonText(text.replaceAll(/[\r\n]/g, ' ')) // white space: strings have none of these
    } catch {
      return text
    }
  },
}

const millisecondsOfDay = 86_400_000

/** A time since 1970 in units of so many digits after the second, as in RFC 3339; its number if no date is so far away. */
function timeText(time: bigint, digits: number): string | bigint {
  const unit = 10n ** BigInt(digits)
  const fraction = ((time % unit) + unit) % unit
  const seconds = (time - fraction) / unit
  const text = dateText(Number(seconds) * 1000)
  if (text === undefined) return time
  const shown = fraction === 0n ? '' : `.${withoutLastZeros(String(fraction).padStart(digits, '0'))}`
  return `${text.slice(0, -'.000Z'.length)}${shown}Z`
}

function withoutLastZeros(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, end)
}

function dateText(milliseconds: number): string | undefined {
  const date = new Date(milliseconds)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

/** Writes a row as one line of JSON. */
export class RowWriter {
  #text = ''
  readonly #longest: number

  /** @param longest UTF-16 code units of a row, about */
  constructor(longest: number) {
    this.#longest = longest
  }

  /** The members that are not null, as an object. @throws RowError */
  row(members: readonly (readonly [key: string, value: unknown])[]): string {
    this.#text = ''
    this.#object(members)
    return this.#text
  }

  #object(members: Iterable<readonly [key: string, value: unknown]>): void {
    let separator = '{'
    for (const [key, value] of members) {
      if (value === null || value === undefined) continue
      this.#add(`${separator}${JSON.stringify(key)}:`)
      this.#value(value)
      separator = ','
    }
    this.#add(separator === '{' ? '{}' : '}')
  }

  #value(value: unknown): void {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        this.#add(JSON.stringify(value))
        return
      case 'number':
        // JSON has no other numbers; the words are those of JavaScript and Python's `json`.
        this.#add(Number.isFinite(value) ? numberText(value) : JSON.stringify(String(value)))
        return
      case 'bigint':
        this.#add(String(value))
        return
      case 'object':
        this.#structure(value)
        return
      default:
        this.#add('null')
    }
  }

  #structure(value: object | null): void {
    if (value === null) this.#add('null')
    else if (value instanceof JsonText) this.#add(value.text)
    else if (value instanceof BrokenColumnText) throw new RowError('not-utf8')
    else if (value instanceof Uint8Array) this.#add(JSON.stringify(bytesAsText(value) ?? base64(value)))
    else if (Array.isArray(value) || ArrayBuffer.isView(value)) this.#list(value as readonly unknown[])
    else if (value instanceof Date) this.#add(JSON.stringify(value))
    else this.#object(Object.entries(value))
  }

  #list(values: readonly unknown[]): void {
    this.#add('[')
    for (let index = 0; index < values.length; index++) {
      if (index > 0) this.#add(',')
      const it = values[index]
      if (it === undefined) this.#add('null')
      else this.#value(it)
    }
    this.#add(']')
  }

  #add(text: string): void {
    if (this.#text.length + text.length > this.#longest) throw new RowError('too-long')
    this.#text += text
  }
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
