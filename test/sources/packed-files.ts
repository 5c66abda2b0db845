/** Files in the packings that people have, made by programs that are not ours. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { parquetWriteBuffer, type SchemaElement } from 'hyparquet-writer'
import type { RandomAccess } from '../../core/src/internal.ts'

/** What `program` makes of `input`. */
export function packedBy(
  program: 'gzip' | 'zstd',
  input: string | Uint8Array,
  ...options: string[]
): Uint8Array {
  const { error, status, stdout, stderr } = spawnSync(program, ['-q', '-c', ...options], {
    input,
    maxBuffer: 2 ** 30,
  })
  assert.ok(!error, `\`${program}\` is missing: install the package ${program}`)
  assert.equal(status, 0, String(stderr))
  return stdout
}

/** A conversation as a row. */
export interface ChatRow {
  readonly id?: bigint | number | null
  readonly messages: readonly {
    readonly role: string
    readonly content: string | null
    readonly name?: string | null
  }[]
  readonly score?: number | null
}

const optional = { repetition_type: 'OPTIONAL' } as const
const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', ...optional } as const

/** The schema of rows as `datasets` of Hugging Face and others write conversations. */
const chatSchema: SchemaElement[] = [
  { name: 'schema', num_children: 3 },
  { name: 'id', type: 'INT64', ...optional },
  { name: 'messages', num_children: 1, converted_type: 'LIST', ...optional },
  { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
  { name: 'element', num_children: 3, ...optional },
  { name: 'role', ...text },
  { name: 'content', ...text },
  { name: 'name', ...text },
  { name: 'score', type: 'DOUBLE', ...optional },
]

/** Compression by Node and by the `zstd` program. */
const compressors = {
  GZIP: (bytes: Uint8Array) => gzipSync(bytes),
  BROTLI: (bytes: Uint8Array) => brotliCompressSync(bytes),
  ZSTD: (bytes: Uint8Array) => packedBy('zstd', bytes),
}

/** Compressions that a test can have pages in. */
export const codecs = ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'BROTLI', 'ZSTD'] as const

/** How rows are put into groups, and groups into pages of so many bytes. */
export interface ParquetLayout {
  readonly rowGroupSize?: number | number[]
  readonly pageSize?: number
}

/** A Parquet file with `rows`, by `hyparquet-writer`. */
export function parquetOf(
  rows: readonly ChatRow[],
  { codec = 'SNAPPY', ...layout }: { readonly codec?: (typeof codecs)[number] } & ParquetLayout = {},
): Uint8Array {
  const column = (name: keyof ChatRow) => ({ name, data: rows.map((it) => it[name] ?? null) })
  const buffer = parquetWriteBuffer({
    schema: chatSchema,
    columnData: [
      { name: 'id', data: rows.map(({ id }) => (id === undefined || id === null ? null : BigInt(id))) },
      column('messages'),
      column('score'),
    ],
    codec,
    compressors,
    ...layout,
  })
  return new Uint8Array(buffer)
}

/** Columns of any type, by `hyparquet-writer`. */
export function parquetWith(
  schema: readonly SchemaElement[],
  data: Readonly<Record<string, readonly unknown[]>>,
  layout: ParquetLayout = {},
): Uint8Array {
  const columnData = Object.entries(data).map(([name, values]) => ({ name, data: [...values] }))
  const root = { name: 'schema', num_children: columnData.length }
  return new Uint8Array(parquetWriteBuffer({ schema: [root, ...schema], columnData, ...layout }))
}

/** Bytes as a file that can be read in ranges. */
export function inMemory(bytes: Uint8Array): RandomAccess {
  return { size: bytes.length, read: async ({ start, end }) => bytes.slice(start, end) }
}
