/**
 * Parquet files as JSON: a row becomes a line. `hyparquet` decodes pages; what it would take on trust is judged here first, from
 * their headers: sizes, so that a small file cannot take much memory, and checksums and counts of values, so that a part of
 * the rows is never taken for all of them. Of row groups of any size only the pages are in memory whose rows are being written.
 */
import { type FileMetaData, parquetMetadata, parquetSchema, type RowGroup } from 'hyparquet'
import { assembleNested } from 'hyparquet/src/assemble.js'
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js'
import { getTreePath } from 'hyparquet/src/schema.js'
import { localize } from '../../text/localize.ts'
import { type RandomAccess, SourceError } from './byte-source.ts'
import { compressors } from './parquet-codecs.ts'
import { type HeldPages, ParquetColumn } from './parquet-column.ts'
import { footerOf, guarded } from './parquet-file.ts'
import { RowError, RowWriter } from './parquet-json.ts'
import { columnParsers } from './parquet-values.ts'

/** Bytes of pages, decoded, that are in memory at once (S3). */
const mostHeld = 512 * 2 ** 20
/** Their values: each takes some bytes even if the file has one byte for millions of them. */
const mostValues = 2 ** 25
const mostColumns = 10_000
const rowsAtOnce = 1 << 12 // that are assembled together
const readAhead = 1 << 20 // bytes of a column
const mostReadAhead = 1 << 25 // bytes of all columns
const linesAtOnce = 1 << 18 // bytes: long enough that writing them costs more than asking for them

type SchemaTree = ReturnType<typeof parquetSchema>

/**
 * The rows of a Parquet file as JSONL in UTF-8, in chunks of whole lines. A row that cannot be written is a line that no reader takes:
 * one that is longer than `longest` is a line that is longer, and one with text that is not UTF-8 is a line that is not.
 *
 * @param longest bytes of a row that are read
 * @param isUtf8 tells texts from other bytes; by default, they are decoded for that
 * @throws SourceError for a file that is damaged, cut off, encrypted, or beyond the limits, when all rows before that are read
 */
export async function* parquetLines(
  file: RandomAccess,
  longest: number,
  isUtf8?: (bytes: Uint8Array) => boolean,
): AsyncIterableIterator<Uint8Array> {
  const metadata = await guarded(async () => {
    const footer = await footerOf(file)
    return parquetMetadata(footer, { parsers: columnParsers, geoparquet: false })
  })
  const columns = columnsOf(metadata)
  const schema = await guarded(async () => withOwnKeys(parquetSchema(metadata)))
  const writer = new RowWriter(longest, isUtf8)
  let row = 0
  try {
    for (const group of metadata.row_groups) {
      const end = row + Number(group.num_rows)
      const rows = await guarded(async () => new GroupRows(file, group, schema, row), row)
      while (row < end) {
        const { count, cells } = await guarded(() => rows.next(row, end - row), row)
        for (let index = 0; index < count; index++) {
          const members = columns.map((name) => [name, cells.get(name)?.[index]] as const)
          try {
            writer.add(members)
          } catch (error) {
            if (!(error instanceof RowError)) throw error
            if (writer.length > 0) yield writer.take()
            yield* error.reason === 'not-utf8' ? [notUtf8] : tooLong(longest)
          }
          if (writer.length >= linesAtOnce) yield writer.take()
        }
        row += count
      }
      await guarded(() => rows.assertEnd(), row)
    }
  } catch (error) {
    if (writer.length > 0) yield writer.take() // the rows before the damage
    throw error
  }
  if (writer.length > 0) yield writer.take()
}

/** A line that is not UTF-8. */
const notUtf8 = Uint8Array.of(0x22, 0xff, 0x22, 0x0a)

/** A line that is longer than `longest`. */
function* tooLong(longest: number): IterableIterator<Uint8Array> {
  const part = new Uint8Array(2 ** 20).fill(0x22)
  for (let length = 0; length <= longest; length += part.length) yield part
  yield Uint8Array.of(0x0a)
}

/** The names of the columns at the top of the schema. @throws SourceError for a schema that cannot be read */
function columnsOf({ schema }: FileMetaData): readonly string[] {
  if (schema.length > mostColumns)
    throw new SourceError(localize`the Parquet file has more than ${mostColumns} columns, which is the limit`)
  const columns: string[] = []
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
      if (open.length === 1) columns.push(name)
    }
    open.push({ left: element.num_children ?? 0, names: new Set() })
    while (open.at(-1)?.left === 0) open.pop()
  }
  return columns
}

/**
 * The schema with unambiguous paths. The library joins the names of a path with dots, so dots in names are replaced with half a
 * surrogate pair, which no name contains.
 */
function withOwnKeys(tree: SchemaTree, parent: readonly string[] = []): SchemaTree {
  const children = tree.children.map((child) => {
    const path = [...parent, child.element.name.replaceAll('.', '\ud800')]
    return { ...withOwnKeys(child, path), path }
  })
  return { ...tree, children }
}

/** What the library keeps the values at a place in the schema by. */
function keyOf({ path }: SchemaTree): string {
  return path.join('.')
}

/** Rows that are read together, and the values of each column in them. */
interface RowWindow {
  readonly count: number
  readonly cells: ReadonlyMap<string, readonly unknown[]>
}

/** The rows of a row group, in order. */
class GroupRows {
  readonly #schema: SchemaTree
  /** By {@link keyOf} their leaf. */
  readonly #columns = new Map<string, ParquetColumn>()
  readonly #held: HeldPages = { bytes: 0, values: 0 }
  #row: number

  /** @throws SourceError, RangeError */
  constructor(file: RandomAccess, group: RowGroup, schema: SchemaTree, row: number) {
    this.#schema = schema
    this.#row = row
    const ahead = Math.min(readAhead, Math.floor(mostReadAhead / Math.max(1, group.columns.length)))
    for (const { meta_data: column, file_path } of group.columns) {
      if (file_path) throw new SourceError(localize`the Parquet file has columns in other files`)
      if (!column) throw new SourceError(localize`the Parquet file is encrypted`)
      const { codec, path_in_schema } = column
      const unpack = codec === 'UNCOMPRESSED' ? (page: Uint8Array) => page : compressors[codec]
      if (!unpack)
        throw new SourceError(
          localize`the Parquet file uses the compression ${codec ?? '?'}, which is not supported`,
        )
      const schemaPath = getTreePath(schema, path_in_schema)
      const hold = (change: HeldPages) => this.#hold(change)
      const reading = { schemaPath, column, unpack, readAhead: ahead, hold }
      this.#columns.set(keyOf(schemaPath.at(-1) ?? schema), new ParquetColumn(file, reading))
    }
  }

  /** The next rows, from `row` on: one at least, and `most` at most. @throws RangeError, PageError, SourceError */
  async next(row: number, most: number): Promise<RowWindow> {
    this.#row = row
    let count = Math.min(most, rowsAtOnce)
    for (const column of this.#columns.values()) {
      while (column.nRows === 0) {
        if (column.isAtEnd) throw new RangeError('rows are missing')
        await column.readOn()
      }
      count = Math.min(count, column.nRows)
    }
    const taken = new Map<string, unknown[]>()
    for (const [key, column] of this.#columns) taken.set(key, column.take(count))
    const cells = new Map<string, readonly unknown[]>()
    for (const child of this.#schema.children) {
      if (child.children.length > 0) assembleNested(taken, child, { ...DEFAULT_PARSERS, ...columnParsers })
      const values = taken.get(keyOf(child))
      if (values?.length !== count) throw new RangeError('rows are missing')
      cells.set(child.element.name, values)
    }
    return { count, cells }
  }

  /** All rows are read. @throws RangeError if a column has more */
  async assertEnd(): Promise<void> {
    for (const column of this.#columns.values()) {
      while (!column.isAtEnd) await column.readOn()
      if (column.nRows > 0) throw new RangeError('a column has more rows')
    }
  }

  #hold({ bytes, values }: HeldPages): void {
    this.#held.bytes += bytes
    this.#held.values += values
    if (this.#held.bytes <= mostHeld && this.#held.values <= mostValues) return
    const most = mostHeld / 2 ** 20
    throw new SourceError(
      localize`the Parquet file needs more than ${most} MB for the pages from row ${this.#row} on, which is the limit`,
    )
  }
}
