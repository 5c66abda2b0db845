/**
 * Reads a column chunk of a Parquet file page by page, so that of a row group of any size only the pages are in memory whose rows
 * are not written yet. Each page is judged before the library decodes it.
 */
import type { ColumnMetaData, CompressionCodec, Compressors, SchemaElement, SchemaTree } from 'hyparquet'
import { parquetHeader, readPage } from 'hyparquet/src/column.js'
import { convert, DEFAULT_PARSERS } from 'hyparquet/src/convert.js'
import type { ColumnDecoder, DataReader, DecodedArray } from 'hyparquet/src/types.js'
import type { RandomAccess } from './byte-source.ts'
import { readExactly } from './parquet-file.ts'
import { type ColumnShape, judgeContent, judgeLevels, type Page, pageIn, sizesOf } from './parquet-pages.ts'
import { ThriftReader, type ThriftStruct } from './parquet-thrift.ts'
import { columnParsers, JsonText, parserOf } from './parquet-values.ts'

/** Bytes and values of pages that are in memory at once, in all columns. */
export interface HeldPages {
  bytes: number
  values: number
}

/** What a column chunk is read with. */
export interface ColumnReading {
  /** From the column at the top of the schema to the leaf. */
  readonly schemaPath: readonly SchemaTree[]
  readonly column: ColumnMetaData
  readonly unpack: NonNullable<Compressors[CompressionCodec]>
  /** Bytes that are read at once, at least. */
  readonly readAhead: number
  /** Counts what all columns hold. @throws SourceError if it is too much */
  readonly hold: (change: HeldPages) => void
}

const longestHeader = 2 ** 24 // bytes: statistics with long texts may be in it
const objectsOfList = 4 // values that a list in memory costs as much as
const codec = 'of the file' as CompressionCodec // whatever it is: pages are decompressed by `unpack`

/** The values of a leaf of the schema, row by row. */
export class ParquetColumn {
  readonly #bytes: ChunkBytes
  readonly #shape: ColumnShape
  readonly #decoder: ColumnDecoder
  readonly #nValues: number
  readonly #hold: ColumnReading['hold']
  #dictionary: DecodedArray | undefined
  /** The page that is being decoded. */
  #page: Page | undefined
  /** Rows from `#head` on are not taken yet; the last one goes on in the next page if values repeat. */
  #rows: unknown[] = []
  #head = 0
  /** Pages whose rows are not all taken: the number of rows up to their end, in `#rows`. */
  readonly #held: { end: number; readonly bytes: number; readonly values: number }[] = []
  #nSeen = 0

  constructor(file: RandomAccess, { schemaPath, column, unpack, readAhead, hold }: ColumnReading) {
    this.#bytes = new ChunkBytes(file, ...stretchOf(column), readAhead)
    this.#shape = shapeOf(schemaPath)
    this.#nValues = Number(column.num_values)
    this.#hold = hold
    const leaf = schemaPath.at(-1)
    if (!leaf) throw new RangeError('a column is not in the schema')
    this.#decoder = {
      pathInSchema: column.path_in_schema,
      type: column.type,
      schemaPath: [...schemaPath],
      codec,
      ...parsingOf(schemaPath, leaf.element),
      compressors: {
        [codec]: (packed: Uint8Array, size: number) => {
          const decoded = unpack(packed, size)
          if (!this.#page || decoded.length !== size) throw new RangeError('a page has another length')
          judgeContent(this.#page, decoded, this.#shape)
          return decoded
        },
      },
      utf8: false,
    }
  }

  /** True if all pages are read. */
  get isAtEnd(): boolean {
    return this.#bytes.left <= 1
  }

  /** Rows that are complete, and not taken. */
  get nRows(): number {
    const isLastOpen = this.#shape.repetition > 0 && !this.isAtEnd && this.#rows.length > this.#head
    return this.#rows.length - this.#head - Number(isLastOpen)
  }

  /** Decodes the next page. @throws RangeError, PageError, SourceError */
  async readOn(): Promise<void> {
    const header = await this.#header()
    const [packedSize, size] = sizesOf(header.struct)
    this.#hold({ bytes: Math.max(packedSize, size), values: 0 })
    const packed = await this.#bytes.take(packedSize)
    const page = pageIn(header.struct, packed)
    const values = page.nValues * (1 + objectsOfList * this.#shape.repetition)
    this.#hold({ bytes: size - Math.max(packedSize, size), values })
    if (page.nValues === 0 && page.kind !== 'dictionary') return
    judgeLevels(page, this.#shape)
    const { repetition, definition } = page.levels
    if (!page.isCompressed) judgeContent(page, packed.subarray(repetition + definition), this.#shape)
    this.#page = page
    const isNested = this.#shape.repetition > 0
    const { data } = readPage(
      readerOf(packed),
      parquetHeader(readerOf(header.bytes)),
      this.#decoder,
      this.#dictionary,
      isNested ? this.#rows : undefined,
      0,
    )
    this.#page = undefined // which has the packed bytes
    if (page.kind === 'dictionary') {
      this.#dictionary = convert(data ?? [], this.#decoder)
      return
    }
    this.#nSeen += page.nValues
    if (data && data !== this.#rows) for (const it of data) this.#rows.push(it)
    this.#held.push({ end: this.#rows.length, bytes: size, values })
    if (this.isAtEnd && this.#nSeen !== this.#nValues) throw new RangeError('values are missing')
  }

  /** The next `count` rows, which are complete. */
  take(count: number): unknown[] {
    const end = this.#head + count
    const rows = this.#rows.slice(this.#head, end)
    this.#head = end
    while (this.#held[0] && this.#held[0].end <= end) {
      const { bytes, values } = this.#held.shift() as HeldPages // which was there
      this.#hold({ bytes: -bytes, values: -values })
    }
    // What is taken is let go as often as that costs no more than taking it.
    if (this.#head > this.#rows.length / 2) {
      this.#rows = this.#rows.slice(this.#head)
      for (const it of this.#held) it.end -= this.#head
      this.#head = 0
    }
    return rows
  }

  /** The header of the next page, which is passed, and the bytes of the page that follow it. */
  async #header(): Promise<PageHead> {
    for (let length = usualHeader; ; length *= 16) {
      const bytes = await this.#bytes.peek(length)
      const reader = new ThriftReader(bytes)
      const struct = attempt(() => reader.struct())
      if (struct) {
        await this.#bytes.take(reader.at)
        return { bytes, struct }
      }
      if (bytes.length < length || length >= longestHeader) throw new RangeError('a page header is damaged')
    }
  }
}

function readerOf({ buffer, byteOffset, byteLength }: Uint8Array): DataReader {
  return { view: new DataView(buffer as ArrayBuffer, byteOffset, byteLength), offset: 0 }
}

interface PageHead {
  readonly bytes: Uint8Array
  readonly struct: ThriftStruct
}

const usualHeader = 256 // bytes

/** The result; undefined for data that is cut off, and maybe only because too little of it was read. */
function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/**
 * What the library decodes the values at the end of a path through the schema as, and its parsers. Columns with a parser of ours
 * are declared as timestamps: for those, the library calls the parser with the stored value.
 */
function parsingOf(
  path: readonly SchemaTree[],
  element: SchemaElement,
): Pick<ColumnDecoder, 'element' | 'parsers'> {
  const isInVariant = path.some((it) => it.element.logical_type?.type === 'VARIANT')
  const { stringFromBytes } = isInVariant ? DEFAULT_PARSERS : columnParsers
  const parsers = { ...DEFAULT_PARSERS, ...columnParsers, stringFromBytes }
  const parse = parserOf(element)
  if (!parse) return { element, parsers }
  const { converted_type, ...rest } = element
  return {
    element: { ...rest, logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MILLIS' } },
    parsers: { ...parsers, timestampFromMilliseconds: isInVariant ? (it) => plain(parse(it)) : parse },
  }
}

/** For variants, which the library assembles: it would take an object of ours for one of theirs. */
function plain(value: unknown): unknown {
  return value instanceof JsonText ? Number(value.text) : value
}

/** Where the pages of a column chunk are. Without values, no pages are read: writers leave them out, and the offsets invalid. */
function stretchOf(column: ColumnMetaData): readonly [start: number, end: number] {
  if (Number(column.num_values) === 0) return [4, 4]
  const start = Number(column.dictionary_page_offset || column.data_page_offset)
  return [start, start + Number(column.total_compressed_size)]
}

/** The levels of the values at the end of a path through the schema. */
function shapeOf(path: readonly SchemaTree[]): ColumnShape {
  let [repetition, definition] = [0, 0]
  for (const { element } of path.slice(1)) {
    if (element.repetition_type === 'REPEATED') repetition++
    if (element.repetition_type !== 'REQUIRED') definition++
  }
  return { repetition, definition }
}

const slice = 2 ** 22 // bytes

/** A stretch of a file that is read in order, some of it ahead. */
class ChunkBytes {
  readonly #file: RandomAccess
  readonly #end: number
  readonly #readAhead: number
  #at: number
  /** What is read from `#at` on. */
  #bytes = new Uint8Array()

  constructor(file: RandomAccess, start: number, end: number, readAhead: number) {
    if (start < 4 || end < start || end > file.size) throw new RangeError('a column is outside of the file')
    this.#file = file
    this.#at = start
    this.#end = end
    this.#readAhead = readAhead
  }

  /** Bytes that are not taken yet. */
  get left(): number {
    return this.#end - this.#at
  }

  /** The next bytes; fewer than `length` only at the end. */
  async peek(length: number): Promise<Uint8Array> {
    const wanted = Math.min(length, this.left)
    if (this.#bytes.length < wanted) {
      const end = Math.min(this.#end, this.#at + Math.max(wanted, this.#readAhead))
      const joined = new Uint8Array(end - this.#at)
      joined.set(this.#bytes)
      // In slices: a page can be as long as its column, and what is read is in memory in addition to it.
      for (let at = this.#bytes.length; at < joined.length; at += slice)
        joined.set(await readExactly(this.#file, this.#at + at, Math.min(slice, joined.length - at)), at)
      this.#bytes = joined
    }
    return this.#bytes.subarray(0, wanted)
  }

  /** The next bytes, which are then passed. @throws RangeError if there are fewer */
  async take(length: number): Promise<Uint8Array> {
    if (length > this.left) throw new RangeError('a column is cut off')
    const bytes = await this.peek(length)
    this.#at += length
    const rest = this.#bytes.subarray(length)
    // A few bytes do not keep a long page in memory.
    this.#bytes = rest.length < length ? rest.slice() : rest
    return bytes
  }
}
