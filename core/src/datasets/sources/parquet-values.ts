/** Values of Parquet columns as they are in JSON, by the type of their column: decimals keep their digits, times their fractions. */
import type { SchemaElement, TimeUnit } from 'hyparquet'
import { bytesAsText } from '../sample-text.ts'

/** Text that is JSON already. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** For keys of maps. */
  toString(): string {
    return this.text
  }
}

/** A text in UTF-8, if it is valid: it is written as it is, without becoming a string before. */
export class ColumnText {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** For keys of maps, which become members: {@link memberName} is the name that is written. */
  toString(): string {
    const text = bytesAsText(this.bytes)
    if (text === undefined) return notUtf8Member
    return text === '__proto__' ? protoMember : text
  }
}

/** Replace keys that the library's objects can't have. No text contains half a surrogate pair, so no other key is equal to them. */
const protoMember = '\ud800__proto__'
const notUtf8Member = '\ud800'

/** The name of a member as it is written; undefined for a key of a map that is not UTF-8. */
export function memberName(key: string): string | undefined {
  if (key === notUtf8Member) return undefined
  return key === protoMember ? '__proto__' : key
}

/** What the library makes of columns with these types. */
export const columnParsers = {
  timestampFromMilliseconds: (it: bigint) => timeText(it, 3),
  timestampFromMicroseconds: (it: bigint) => timeText(it, 6),
  timestampFromNanoseconds: (it: bigint) => timeText(it, 9),
  dateFromDays: (days: number) =>
    dateText(days * millisecondsOfDay)?.slice(0, -'T00:00:00.000Z'.length) ?? days,
  stringFromBytes: (bytes: Uint8Array | undefined) => bytes && new ColumnText(bytes),
  jsonFromBytes(bytes: Uint8Array | undefined) {
    const text = bytes && bytesAsText(bytes)
    if (text === undefined) return bytes && new ColumnText(bytes)
    try {
      JSON.parse(text)
      return new JsonText(text.replaceAll(/[\r\n]/g, ' ')) // white space: strings have none of these
    } catch {
      return text
    }
  },
}

/** A value as it is stored in a column. */
type StoredValue = number | bigint | Uint8Array

/** The parser of a column that the library doesn't parse, or would lose digits of; undefined for other columns. */
export function parserOf({
  converted_type,
  logical_type,
  scale,
}: SchemaElement): ((value: StoredValue) => unknown) | undefined {
  if (converted_type === 'INTERVAL') return (it) => intervalText(it as Uint8Array) // other values fail there
  if (converted_type === 'DECIMAL') return (it) => decimal(it, scale ?? 0)
  if (logical_type?.type === 'DECIMAL') return (it) => decimal(it, logical_type.scale)
  if (logical_type?.type === 'TIMESTAMP' && !logical_type.isAdjustedToUTC)
    return (it) => localTime(wholeNumber(it), digitsOf[logical_type.unit])
  const unit = logical_type?.type === 'TIME' ? logical_type.unit : timeUnits[converted_type ?? '']
  if (unit) return (it) => timeOfDay(wholeNumber(it), digitsOf[unit])
  return undefined
}

const timeUnits: Readonly<Record<string, TimeUnit>> = { TIME_MILLIS: 'MILLIS', TIME_MICROS: 'MICROS' }

/** Digits after the second. */
const digitsOf: Readonly<Record<TimeUnit, number>> = { MILLIS: 3, MICROS: 6, NANOS: 9 }

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

/** A time since midnight in units of so many digits after the second, as `12:30:00.5`; its number if no day has it. */
function timeOfDay(units: bigint, digits: number): string | bigint {
  const seconds = units / 10n ** BigInt(digits)
  if (units < 0n || seconds >= 86_400n) return units
  return String(timeText(units, digits)).slice('1970-01-01T'.length, -'Z'.length)
}

/** A time without a time zone; its number if no date is so far away. */
function localTime(time: bigint, digits: number): string | bigint {
  const text = timeText(time, digits)
  return typeof text === 'string' ? text.slice(0, -'Z'.length) : text
}

/** An interval, which is three numbers of 32 bits, as a duration of ISO 8601: `P1M2DT3.5S`. */
function intervalText(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [months, days, milliseconds] = [
    view.getUint32(0, true),
    view.getUint32(4, true),
    view.getUint32(8, true),
  ]
  const date = `${months > 0 ? `${months}M` : ''}${days > 0 ? `${days}D` : ''}`
  if (milliseconds === 0 && date !== '') return `P${date}`
  return `P${date}T${milliseconds / 1000}S`
}

const mostZeros = 1000 // that are added to fill up a decimal: the widest type of other programs has 76 digits
const mostBytes = 400 // of a decimal, which has twice as many digits and more: writing them takes more than in proportion

/** A decimal whose last `scale` digits are its fraction: all digits, without zeros at the end of the fraction; one that is too wide as bytes. */
function decimal(stored: StoredValue, scale: number): JsonText | Uint8Array {
  if (stored instanceof Uint8Array && stored.length > mostBytes) return stored
  const unscaled = wholeNumber(stored)
  if (Math.abs(scale) > mostZeros) return new JsonText(`${unscaled}e${-scale}`)
  if (scale <= 0) return new JsonText(String(unscaled * 10n ** BigInt(-scale)))
  const sign = unscaled < 0n ? '-' : ''
  const digits = String(unscaled)
    .slice(sign.length)
    .padStart(scale + 1, '0')
  const fraction = withoutLastZeros(digits.slice(-scale))
  return new JsonText(`${sign}${digits.slice(0, -scale)}${fraction && '.'}${fraction}`)
}

/** The whole number of a value: bytes have it in two's complement, the highest first. */
function wholeNumber(value: StoredValue): bigint {
  if (!(value instanceof Uint8Array)) return BigInt(value)
  let hex = '0x0'
  for (const it of value) hex += it.toString(16).padStart(2, '0')
  return BigInt.asIntN(8 * value.length, BigInt(hex))
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
