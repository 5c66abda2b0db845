/**
 * Judges the pages of a Parquet column before the library decodes them. The library takes lengths, counts, and runs on trust: a few
 * bytes could make it fill all memory, or never end. Throws RangeError for what no writer writes.
 */
import { crc32 } from './crc32.ts'
import type { ThriftStruct } from './parquet-thrift.ts'

/** What is known of a column chunk from the schema and its metadata. */
export interface ColumnShape {
  /** The highest repetition and definition levels. */
  readonly repetition: number
  readonly definition: number
}

/** A page of a column, by its header. */
export interface Page {
  readonly kind: 'data' | 'dataV2' | 'dictionary'
  readonly packed: Uint8Array
  /** Bytes when it is decoded. */
  readonly size: number
  readonly nValues: number
  readonly encoding: number
  /** Bytes of its levels, which are not compressed; only in the second version. */
  readonly levels: { readonly repetition: number; readonly definition: number }
  /** True if the values are compressed. */
  readonly isCompressed: boolean
}

/** Numbers of fields and kinds, as the format gives them. */
const header = { kind: 1, size: 2, packed: 3, crc: 4, data: 5, dictionary: 7, dataV2: 8 } as const
const kinds = { 0: 'data', 2: 'dictionary', 3: 'dataV2' } as const
const encodings = {
  plainDictionary: 2,
  rle: 3,
  delta: 5,
  deltaLength: 6,
  deltaBytes: 7,
  dictionary: 8,
} as const

/** What is wrong with a file that is well formed. */
export class PageError extends Error {
  override readonly name = 'PageError'
  readonly reason: 'checksum' | 'encoding'

  constructor(reason: PageError['reason']) {
    super(reason)
    this.reason = reason
  }
}

/** The bytes that follow a page header, and those that they are decoded, but for levels. @throws RangeError */
export function sizesOf({ numbers }: ThriftStruct): readonly [packed: number, decoded: number] {
  return [count(numbers.get(header.packed)), count(numbers.get(header.size))]
}

/** The page with that header and these bytes. @throws RangeError, PageError */
export function pageIn({ numbers, structs }: ThriftStruct, packed: Uint8Array): Page {
  const crc = numbers.get(header.crc)
  if (crc !== undefined && crc32(packed) !== crc >>> 0) throw new PageError('checksum')
  const kind = kinds[numbers.get(header.kind) as keyof typeof kinds]
  if (kind) return pageOf(kind, packed, count(numbers.get(header.size)), structs)
  throw new RangeError('unknown page')
}

function pageOf(
  kind: Page['kind'],
  packed: Uint8Array,
  size: number,
  structs: ReadonlyMap<number, ThriftStruct>,
): Page {
  const numbers = structs.get(header[kind])?.numbers ?? new Map<number, number>()
  const nValues = count(numbers.get(1))
  const encoding = count(numbers.get(kind === 'dataV2' ? 4 : 2))
  if (encoding === encodings.deltaBytes) throw new PageError('encoding')
  const page = { kind, packed, size, nValues, encoding }
  if (kind !== 'dataV2') return { ...page, levels: { repetition: 0, definition: 0 }, isCompressed: true }
  const levels = { repetition: count(numbers.get(6)), definition: count(numbers.get(5)) }
  const isWhole = levels.repetition + levels.definition <= Math.min(packed.length, size)
  if (!isWhole || count(numbers.get(2)) > nValues || count(numbers.get(3)) > nValues)
    throw new RangeError('a page contradicts itself')
  return { ...page, levels, isCompressed: numbers.get(7) !== 0 }
}

function count(value: number | undefined): number {
  if (value === undefined || value < 0 || value > 2 ** 31)
    throw new RangeError('a count is missing or invalid')
  return value
}

/** Judges the levels of a page of the second version, which are in front of its values. */
export function judgeLevels({ kind, packed, nValues, levels }: Page, shape: ColumnShape): void {
  if (kind !== 'dataV2') return
  const end = levels.repetition + levels.definition
  if (shape.repetition > 0) judgeRuns(packed, 0, levels.repetition, width(shape.repetition), nValues)
  if (shape.definition > 0) judgeRuns(packed, levels.repetition, end, width(shape.definition), nValues)
}

/** Judges `decoded`, the content of a page but for the levels that {@link judgeLevels} has seen. */
export function judgeContent(page: Page, decoded: Uint8Array, shape: ColumnShape): void {
  if (page.kind === 'dictionary') return // values one after the other, which cannot be longer than the page
  let at = 0
  if (page.kind === 'data') {
    for (const level of [shape.repetition, shape.definition]) {
      if (level === 0) continue
      const length = new DataView(decoded.buffer, decoded.byteOffset, decoded.byteLength).getUint32(at, true)
      at += 4
      if (length > decoded.length - at) throw new RangeError('levels are cut off')
      judgeRuns(decoded, at, at + length, width(level), page.nValues)
      at += length
    }
  }
  switch (page.encoding) {
    case encodings.plainDictionary:
    case encodings.dictionary: {
      if (at >= decoded.length) return
      const bits = decoded[at] ?? 0
      if (bits > 32) throw new RangeError('an index is too wide')
      judgeRuns(decoded, at + 1, decoded.length, bits, page.nValues)
      break
    }
    case encodings.rle:
      judgeRuns(decoded, at + 4, decoded.length, 1, page.nValues) // of booleans, after their length
      break
    case encodings.delta:
    case encodings.deltaLength:
      judgeDeltas(decoded, at, page.nValues)
      break
    default:
  }
}

/** Judges runs of equal values and of packed ones, up to `end` or `nValues` values. */
function judgeRuns(bytes: Uint8Array, from: number, end: number, bits: number, nValues: number): void {
  const cursor = { bytes, at: from }
  for (let seen = 0; seen < nValues && cursor.at < end; ) {
    const head = varint(cursor, 5)
    if (head > 2 ** 32 - 1) throw new RangeError('a run is too long')
    const isPacked = head % 2 === 1
    const length = Math.floor(head / 2) * (isPacked ? 8 : 1)
    // Packed values come in eights, and DuckDB fills the last ones up to a block: what is in the data costs no more than reading it.
    const nBytes = isPacked ? (length / 8) * bits : Math.ceil(bits / 8)
    const isFilledUp = isPacked && bits > 0 && nBytes <= end - cursor.at
    if (length === 0 || (length > nValues - seen + (isPacked ? 7 : 0) && !isFilledUp))
      throw new RangeError('a run is too long')
    cursor.at += nBytes
    seen += length
  }
}

/** Judges blocks of differences. */
function judgeDeltas(bytes: Uint8Array, from: number, nValues: number): void {
  const cursor = { bytes, at: from }
  const [block, nParts, total] = [varint(cursor, 5), varint(cursor, 5), varint(cursor, 5)]
  varint(cursor, 10)
  const part = block / nParts
  if (!Number.isInteger(part) || part % 8 !== 0 || part === 0 || block > 2 ** 16 || total > nValues)
    throw new RangeError('blocks are invalid')
  for (let seen = 1; seen < total; ) {
    varint(cursor, 10)
    const widths = bytes.subarray(cursor.at, cursor.at + nParts)
    if (widths.length < nParts) throw new RangeError('a block is cut off')
    cursor.at += nParts
    for (let nth = 0; nth < nParts && seen < total; nth++) {
      if ((widths[nth] ?? 0) > 64) throw new RangeError('a difference is too wide')
      cursor.at += (part * (widths[nth] ?? 0)) / 8
      seen += part
    }
  }
}

function varint(cursor: { readonly bytes: Uint8Array; at: number }, longest: number): number {
  let value = 0
  for (let nth = 0; nth < longest; nth++) {
    const it = cursor.bytes[cursor.at++]
    if (it === undefined) throw new RangeError('a number is cut off')
    value += (it & 0x7f) * 2 ** (7 * nth)
    if (it < 0x80) return value
  }
  throw new RangeError('a number is too long')
}

/** Bits of the values up to `most`. */
function width(most: number): number {
  return 32 - Math.clz32(most)
}
