/**
 * Parquet files as JSON: a row becomes a line. `hyparquet` decodes columns; what it would take on trust is judged here first, from
 * the headers of pages: sizes, so that a small file cannot take much memory, and checksums and counts of values, so that a part of
 * the rows is never taken for all of them.
 */
import type {
  ColumnChunk,
  CompressionCodec,
  Compressors,
  FileMetaData,
  RowGroup,
  SchemaElement,
  SchemaTree,
} from 'hyparquet'
import { localize } from '../../text/localize.ts'
import { type RandomAccess, SourceError } from './byte-source.ts'
import { columnParsers, RowError, RowWriter } from './parquet-json.ts'
import {
  type ColumnShape,
  judgeContent,
  judgeLevels,
  type Page,
  PageError,
  pagesOf,
} from './parquet-pages.ts'
import { ThriftReader } from './parquet-thrift.ts'

declare const TextEncoder: new () => { encode(text: string): Uint8Array }

/** Bytes of a row group, packed as well as decoded (S3). */
const largestGroup = 512 * 2 ** 20
const largestFooter = 64 * 2 ** 20
const mostColumns = 10_000
/** Values of a row group in all columns: each takes some bytes even if the file has one byte for millions of them. */
const mostValues = 2 ** 25
const linesAtOnce = 1 << 18 // UTF-16 code units: long enough that encoding them costs more than asking for them

/**
 * The rows of a Parquet file as JSONL in UTF-8, in chunks of whole lines. A row that cannot be written is a line that no reader takes:
 * one that is longer than `longest` is a line that is longer, and one with text that is not UTF-8 is a line that is not.
 *
 * @param longest bytes of a row that are read
 * @throws SourceError for a file that is damaged, cut off, encrypted, or beyond the limits
 */
export async function* parquetLines(file: RandomAccess, longest: number): AsyncIterableIterator<Uint8Array> {
  const library = await import('hyparquet')
  const { compressors } = await import('./parquet-codecs.ts')
  const metadata = await guarded(async () => {
    const footer = await footerOf(file)
    return library.parquetMetadata(footer, { parsers: columnParsers, geoparquet: false })
  })
  const columns = columnsOf(metadata)
  const schema = await guarded(async () => library.parquetSchema(metadata))
  const encoder = new TextEncoder()
  const writer = new RowWriter(longest)
  let row = 0
  for (const group of metadata.row_groups) {
    const nRows = Number(group.num_rows)
    if (nRows === 0) continue
    const judged = await guarded(() => readGroup(file, group, schema, compressors, row))
    const cells = new Map<string, Cells>()
    await guarded(() =>
      library.parquetRead({
        file: { byteLength: file.size, slice: judged.slice },
        metadata: { ...metadata, row_groups: [judged.group] },
        compressors: judged.compressors,
        parsers: columnParsers,
        utf8: false,
        geoparquet: false,
        onChunk: ({ columnName, columnData }) => {
          const known = cells.get(columnName) ?? new Cells()
          cells.set(columnName, known)
          known.add(columnData)
        },
      }),
    )
    for (const { name } of columns) if (cells.get(name)?.size !== nRows) throw damaged(row)
    let lines = ''
    for (let index = 0; index < nRows; index++) {
      const members = columns.map(({ name, show }) => [name, show(cells.get(name)?.at(index))] as const)
      try {
        lines += `${writer.row(members)}\n`
      } catch (error) {
        if (!(error instanceof RowError)) throw error
        if (lines !== '') yield encoder.encode(lines)
        lines = ''
        yield* error.reason === 'not-utf8' ? [notUtf8] : tooLong(longest)
      }
      if (lines.length < linesAtOnce) continue
      yield encoder.encode(lines)
      lines = ''
    }
    if (lines !== '') yield encoder.encode(lines)
    row += nRows
  }
}

/** A line that is not UTF-8. */
const notUtf8 = Uint8Array.of(0x22, 0xff, 0x22, 0x0a)

/** A line that is longer than `longest`. */
function* tooLong(longest: number): IterableIterator<Uint8Array> {
  const part = new Uint8Array(2 ** 20).fill(0x22)
  for (let length = 0; length <= longest; length += part.length) yield part
  yield Uint8Array.of(0x0a)
}

/** The values of a column in a row group, in the pieces in which they were decoded. */
class Cells {
  readonly #pieces: ArrayLike<unknown>[] = []
  #size = 0
  /** The piece that was asked last, and the index of its first value: rows are asked in their order. */
  #piece = 0
  #first = 0

  get size(): number {
    return this.#size
  }

  add(piece: ArrayLike<unknown>): void {
    this.#pieces.push(piece)
    this.#size += piece.length
  }

  at(index: number): unknown {
    let piece = this.#pieces[this.#piece]
    while (piece && index >= this.#first + piece.length) {
      this.#first += piece.length
      piece = this.#pieces[++this.#piece]
    }
    return piece?.[index - this.#first]
  }
}

/** What the library throws is that the file is damaged, whatever it says. */
async function guarded<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ReadFailure) throw error.cause
    throw error instanceof SourceError ? error : damaged()
  }
}

/** The file could not be read, which is not the fault of what is in it. */
class ReadFailure extends Error {
  override readonly name = 'ReadFailure'
}

function damaged(row?: number): SourceError {
  return new SourceError(
    row === undefined
      ? localize`the Parquet file is damaged`
      : localize`the Parquet file is damaged, from row ${row} on`,
  )
}

/** The footer with its length and the magic number after it, once it is known to be well formed. */
async function footerOf(file: RandomAccess): Promise<Uint8Array> {
  const tail = await readExactly(file, file.size - 8, 8)
  const isEncrypted = tail[4] === 0x50 && tail[5] === 0x41 && tail[6] === 0x52 && tail[7] === 0x45
  if (isEncrypted) throw new SourceError(localize`the Parquet file is encrypted`)
  if (tail[4] !== 0x50 || tail[5] !== 0x41 || tail[6] !== 0x52 || tail[7] !== 0x31)
    throw new SourceError(localize`the Parquet file is cut off: its footer is missing`)
  const length = new DataView(tail.buffer, tail.byteOffset).getUint32(0, true)
  if (length > file.size - 12) throw damaged() // magic numbers and the length are outside of it
  if (length > largestFooter) {
    const most = largestFooter / 2 ** 20
    throw new SourceError(
      localize`the footer of the Parquet file is larger than ${most} MB, which is the limit`,
    )
  }
  const footer = await readExactly(file, file.size - 8 - length, length + 8)
  new ThriftReader(footer.subarray(0, length)).struct()
  return footer
}

async function readExactly({ size, read }: RandomAccess, start: number, length: number): Promise<Uint8Array> {
  if (start < 4 || length < 0 || start + length > size) throw damaged()
  const bytes = await read({ start, end: start + length }).catch((cause: unknown) => {
    throw new ReadFailure('read', { cause })
  })
  if (bytes.length < length) throw new SourceError(localize`the file became shorter while it was read`)
  return bytes
}

/** A column of the file, at the top of its schema. */
interface Column {
  readonly name: string
  /** A value as it is written. */
  show(value: unknown): unknown
}

function columnsOf({ schema }: FileMetaData): readonly Column[] {
  if (schema.length > mostColumns)
    throw new SourceError(localize`the Parquet file has more than ${mostColumns} columns, which is the limit`)
  const columns: Column[] = []
  // The elements are in the order of a walk through the tree, each with the number of its children.
  const open: { left: number; readonly names: Set<string> }[] = []
  for (const element of schema) {
    const parent = open.at(-1)
    if (parent) {
      const { name } = element
      if (parent.names.has(name))
        throw new SourceError(localize`the Parquet file has two columns with the same name`)
      // A member of this name would be none of its object.
      if (name === '__proto__')
        throw new SourceError(localize`the Parquet file has a column named \`${name}\``)
      parent.names.add(name)
      parent.left--
      if (open.length === 1) columns.push({ name, show: shownBy(element) })
    }
    open.push({ left: element.num_children ?? 0, names: new Set() })
    while (open.at(-1)?.left === 0) open.pop()
  }
  return columns
}

function shownBy({ converted_type, logical_type, scale, num_children }: SchemaElement): Column['show'] {
  if (!num_children && converted_type === 'DECIMAL')
    return (value) => (typeof value === 'number' ? Number(value.toFixed(Math.min(100, scale ?? 0))) : value)
  // A time of day somewhere, and not one of the world.
  if (logical_type?.type === 'TIMESTAMP' && !logical_type.isAdjustedToUTC)
    return (value) => (typeof value === 'string' ? value.replace(/Z$/, '') : value)
  return (value) => value
}

/** A row group that can be decoded: pages are judged when they are. */
interface JudgedGroup {
  readonly group: RowGroup
  readonly compressors: Compressors
  slice(start: number, end?: number): ArrayBuffer
}

/** Reads the columns of a row group, and judges their pages. */
async function readGroup(
  file: RandomAccess,
  group: RowGroup,
  schema: SchemaTree,
  codecs: Compressors,
  row: number,
): Promise<JudgedGroup> {
  const pieces: { readonly start: number; readonly bytes: Uint8Array }[] = []
  const compressors: Record<string, NonNullable<Compressors[CompressionCodec]>> = {}
  const columns: ColumnChunk[] = []
  const total: Total = { packed: 0, decoded: 0, values: 0 }
  for (const chunk of group.columns) {
    const { meta_data: column, file_path } = chunk
    if (file_path) throw new SourceError(localize`the Parquet file has columns in other files`)
    if (!column) throw new SourceError(localize`the Parquet file is encrypted`)
    const { codec } = column
    const unpack = codec === 'UNCOMPRESSED' ? (page: Uint8Array) => page : codecs[codec]
    if (!unpack)
      throw new SourceError(
        localize`the Parquet file uses the compression ${codec ?? '?'}, which is not supported`,
      )
    const start = Number(column.dictionary_page_offset || column.data_page_offset)
    const length = Number(column.total_compressed_size)
    total.packed += length
    if (total.packed > largestGroup) throw tooLarge(row)
    const bytes = await readExactly(file, start, length)
    const shape = shapeOf(schema, column.path_in_schema)
    const pages = judgedPages(bytes, shape, total, row)
    const found = pages.reduce((sum, { kind, nValues }) => sum + (kind === 'dictionary' ? 0 : nValues), 0)
    const isFlat = shape.repetition === 0
    if (found !== Number(column.num_values) || (isFlat && found !== Number(group.num_rows)))
      throw damaged(row)
    // A name of its own for each column, so that each page is judged when the library has it decompressed.
    const name = `column ${columns.length}` as CompressionCodec
    const waiting = pages.filter(({ isCompressed }) => isCompressed)[Symbol.iterator]()
    compressors[name] = (packed, size) => {
      const { value: page } = waiting.next()
      const decoded = unpack(packed, size)
      if (!page || decoded.length !== size) throw damaged(row)
      judgeContent(page, decoded, shape)
      return decoded
    }
    columns.push({ ...chunk, meta_data: { ...column, codec: name } })
    pieces.push({ start, bytes })
  }
  return {
    group: { ...group, columns },
    compressors,
    slice: (start, end = file.size) => stretchOf(pieces, start, end),
  }
}

interface Total {
  packed: number
  decoded: number
  values: number
}

/** The pages of a column chunk, within the limits. What is not compressed is judged. */
function judgedPages(bytes: Uint8Array, shape: ColumnShape, total: Total, row: number): readonly Page[] {
  try {
    const pages: Page[] = []
    for (const page of pagesOf(bytes)) {
      total.decoded += page.size
      total.values += page.nValues
      if (total.decoded > largestGroup || total.values > mostValues) throw tooLarge(row)
      judgeLevels(page, shape)
      const { repetition, definition } = page.levels
      if (!page.isCompressed) judgeContent(page, page.packed.subarray(repetition + definition), shape)
      pages.push(page)
    }
    return pages
  } catch (error) {
    if (!(error instanceof PageError)) throw error
    throw new SourceError(
      error.reason === 'checksum'
        ? localize`the Parquet file is damaged: a checksum differs, from row ${row} on`
        : localize`the Parquet file uses the encoding DELTA_BYTE_ARRAY, which is not supported`,
    )
  }
}

/** The levels of the column with that path. @throws RangeError if there is none */
function shapeOf(schema: SchemaTree, path: readonly string[]): ColumnShape {
  let node = schema
  let [repetition, definition] = [0, 0]
  for (const name of path) {
    const child = node.children.find(({ element }) => element.name === name)
    if (!child) throw new RangeError('a column is not in the schema')
    node = child
    if (node.element.repetition_type === 'REPEATED') repetition++
    if (node.element.repetition_type !== 'REQUIRED') definition++
  }
  return { repetition, definition }
}

/** The bytes of a stretch that `pieces` cover; what is between them is zero. The library asks for some columns at once. */
function stretchOf(
  pieces: readonly { readonly start: number; readonly bytes: Uint8Array }[],
  start: number,
  end: number,
): ArrayBuffer {
  const result = new Uint8Array(Math.min(end - start, largestGroup))
  for (const { start: from, bytes } of pieces) {
    const to = from + bytes.length
    if (from < end && start < to)
      result.set(bytes.subarray(Math.max(0, start - from), end - from), Math.max(0, from - start))
  }
  return result.buffer
}

function tooLarge(row: number): SourceError {
  const most = largestGroup / 2 ** 20
  return new SourceError(
    localize`the row group from row ${row} on is larger than ${most} MB when it is decoded, which is the limit`,
  )
}
