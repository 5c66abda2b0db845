/** The columns of datasets as a Parquet file, a row for each sample, for DuckDB, pandas, and others. */
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer'
import {
  type Cell,
  type CellKind,
  cellAs,
  columnNamed,
  commonKind,
  isStandardColumn,
  kindOfColumn,
  mostFields,
  type Spool,
  standardColumns,
  type TableData,
} from '../../../core/src/internal.ts'
import { temporarySpool } from '../files/temporary-spool.ts'
import type { Output } from '../terminal/output.ts'

/** The column with the file that a sample is in. */
const fileColumn = 'file'

const mostRows = 100_000 // of a row group
const mostBytes = 32 * 2 ** 20 // of the tables of a row group, as JSON

/** The table of a stretch, in the spool. */
interface StoredTable extends TableData {
  readonly file: string
}

/**
 * Collects tables in a temporary file, because the columns of a Parquet file and their types must be known before its first row, and
 * writes them as row groups. Memory does not grow with the number of rows.
 */
export class StatsParquet {
  readonly #names: readonly string[] | undefined
  readonly #kinds = new Map<string, CellKind | undefined>()
  #spool: Spool | undefined
  #length = 0
  readonly #refused = new Set<string>()
  #hasMoreFields = false

  /** @param names of the columns; by default those of S5 and the side fields of samples */
  constructor(names: readonly string[] | undefined) {
    this.#names = names && [...new Set(names)]
    for (const name of this.#names ?? standardColumns.map((it) => it.name)) {
      const isKnown = isStandardColumn(name)
      this.#kinds.set(name, isKnown ? kindOfColumn(columnNamed(name)) : undefined)
    }
  }

  /** True if samples have more fields than become columns. */
  get hasMoreFields(): boolean {
    return this.#hasMoreFields
  }

  /** Adds the rows of samples in `file`. */
  async add(file: string, table: TableData): Promise<void> {
    if (table.hasMoreFields) this.#hasMoreFields = true
    for (const it of table.refused ?? []) this.#refused.add(it)
    for (const [name, { kind }] of Object.entries(table.columns)) {
      const isNew = !this.#kinds.has(name)
      if (isNew && this.#kinds.size - standardColumns.length >= mostFields) {
        this.#hasMoreFields = true
        continue
      }
      if (!isStandardColumn(name)) this.#kinds.set(name, commonKind(this.#kinds.get(name), kind))
    }
    const stored: StoredTable = { file, ...table }
    const bytes = Buffer.from(JSON.stringify(stored))
    const head = Buffer.alloc(4)
    head.writeUInt32LE(bytes.length)
    this.#spool ??= await temporarySpool()
    await this.#spool.append(Buffer.concat([head, bytes]))
    this.#length += head.length + bytes.length
  }

  /** Writes the file. */
  async writeTo(output: Pick<Output, 'writeBytes'>): Promise<void> {
    const columns = this.#columns()
    const writer = new ByteWriter()
    const parquet = new ParquetWriter({
      writer,
      schema: schemaOf(columns),
      createdBy: 'ocm stats',
    })
    const flush = async () => {
      const bytes = writer.getBytes().slice()
      writer.index = 0
      await output.writeBytes(bytes)
    }
    for await (const tables of this.#groups()) {
      await parquet.write({ columnData: columns.map((it) => ({ name: it.name, data: dataOf(it, tables) })) })
      await flush()
    }
    await parquet.finish()
    await flush()
  }

  /** Removes the temporary file. */
  async close(): Promise<void> {
    await this.#spool?.close()
  }

  /** In the order of the file: where a sample is, standard columns, and fields in the order in which they were met. */
  #columns(): readonly ParquetColumn[] {
    const taken = new Set<string>([fileColumn])
    const columns: ParquetColumn[] = [{ name: fileColumn, source: undefined, kind: 'text' }]
    for (const [source, kind = 'text'] of this.#kinds) {
      if (this.#refused.has(source)) continue
      // SQL ignores the case of letters.
      let name = source
      while (taken.has(name.toLowerCase())) name += '_'
      taken.add(name.toLowerCase())
      columns.push({ name, source, kind })
    }
    return columns
  }

  async *#groups(): AsyncIterableIterator<readonly StoredTable[]> {
    let open: StoredTable[] = []
    let [nRows, nBytes] = [0, 0]
    for (let at = 0; this.#spool && at < this.#length; ) {
      const head = await this.#spool.read({ start: at, end: at + 4 })
      const length = new DataView(head.buffer, head.byteOffset).getUint32(0, true)
      const bytes = await this.#spool.read({ start: at + 4, end: at + 4 + length })
      at += 4 + length
      const table = JSON.parse(new TextDecoder().decode(bytes)) as StoredTable // we wrote it
      if (open.length > 0 && (nRows + table.nRows > mostRows || nBytes + length > mostBytes)) {
        yield open
        open = []
        ;[nRows, nBytes] = [0, 0]
      }
      if (table.nRows > 0) open.push(table)
      nRows += table.nRows
      nBytes += length
    }
    if (open.length > 0) yield open
  }
}

interface ParquetColumn {
  readonly name: string
  /** The name of the column of the tables; undefined for {@link fileColumn}. */
  readonly source: string | undefined
  readonly kind: CellKind
}

const optional = { repetition_type: 'OPTIONAL' } as const
const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', ...optional } as const

function schemaOf(columns: readonly ParquetColumn[]): SchemaElement[] {
  return [{ name: 'samples', num_children: columns.length }, ...columns.flatMap(elementsOf)]
}

function elementsOf({ name, kind }: ParquetColumn): readonly SchemaElement[] {
  switch (kind) {
    case 'integer':
      return [{ name, type: 'INT64', ...optional }]
    case 'number':
      return [{ name, type: 'DOUBLE', ...optional }]
    case 'boolean':
      return [{ name, type: 'BOOLEAN', ...optional }]
    case 'text':
      return [{ name, ...text }]
    case 'texts':
      return [
        { name, num_children: 1, converted_type: 'LIST', ...optional },
        { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
        { name: 'element', ...text },
      ]
  }
}

function dataOf({ source, kind }: ParquetColumn, tables: readonly StoredTable[]): unknown[] {
  const data: unknown[] = []
  for (const { file, nRows, columns } of tables) {
    const column = source !== undefined && Object.hasOwn(columns, source) ? columns[source] : undefined
    for (let row = 0; row < nRows; row++) {
      const cell: Cell = source === undefined ? file : (column?.cells[row] ?? null)
      const value = cellAs(kind, cell)
      data.push(kind === 'integer' && typeof value === 'number' ? BigInt(value) : value)
    }
  }
  return data
}
