/** Measures packed datasets: what samples of compressed data cost compared with decompressing it, and rows of Parquet compared with decoding columns. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createGunzip, gzipSync } from 'node:zlib'
import { Decompress } from 'fzstd'
import { parquetRead } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { stretchLimits } from '../../cli/src/dataset/stretch.ts'
import { nodeDecompression } from '../../client/disk/decompression.ts'
import { type ByteSource, StretchCutter, unpack } from '../../core/src/internal.ts'
import { datasetLines } from './dataset-lines.ts'
import { duckDbIn } from './duck-db.ts'
import {
  megabytesOf,
  million,
  milliseconds,
  perSecond,
  race,
  times,
  workedMilliseconds,
} from './measuring.ts'
import { assignment, atMost, report } from './row.ts'

const { isQuick, duckdb, megabytes = isQuick ? 20 : 100 } = assignment()
const chunkSize = 1 << 19

const lines = [...datasetLines(megabytes * million)]
const text = Buffer.concat(lines.map((it) => Buffer.from(it))) // which may be longer than a string

await measureCompressed('gzip', gzipSync(text), gunzipAlone)
await measureCompressed('zstd', zstdOf(text), nodeDecompression.zstdFrame ? zstdOfPlatform : fzstdAlone)
await measureParquet()

function zstdOf(bytes: Uint8Array): Uint8Array {
  const { stdout, error } = spawnSync('zstd', ['-q', '-c'], { input: bytes, maxBuffer: 2 ** 30 })
  if (error) throw new Error('`zstd` is missing: install the package zstd', { cause: error })
  return stdout
}

async function measureCompressed(
  name: 'gzip' | 'zstd',
  packed: Uint8Array,
  alone: (packed: Uint8Array) => Promise<number>,
): Promise<void> {
  const time = await race(
    { ours: () => samplesOf({ chunks: () => chunksOf(packed) }), alone: () => alone(packed) },
    { turns: isQuick ? 1 : 3, runs: 2, clock: workedMilliseconds, sweeps: false },
  )
  report({
    what: `Samples of ${megabytesOf(text.length)} of JSONL compressed with ${name}`,
    ours: perSecond(text.length, time.ours),
    peers: `decompressing alone ${perSecond(text.length, time.alone)}`,
    ...atMost(time.ours / time.alone, 3, times),
  })
}

async function* chunksOf(bytes: Uint8Array): AsyncIterableIterator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize)
}

/** Cuts a source into stretches of samples, as `ocm` does. */
async function samplesOf(source: ByteSource): Promise<number> {
  const { packing, chunks } = await unpack(source, nodeDecompression, stretchLimits.sample)
  const cutter = new StretchCutter(packing === 'parquet' ? 'rows' : 'lines', stretchLimits)
  let nSamples = 0
  const take = () => {
    nSamples += cutter.take().places.length
  }
  for await (const chunk of chunks) {
    cutter.push(chunk)
    while (cutter.isFull) take()
  }
  cutter.end()
  while (cutter.hasSamples) take()
  return nSamples
}

async function gunzipAlone(packed: Uint8Array): Promise<number> {
  let length = 0
  const stream = Readable.from(chunksOf(packed)).pipe(createGunzip({ chunkSize: 2 ** 18 }))
  for await (const chunk of stream) length += (chunk as Buffer).length
  return length
}

async function zstdOfPlatform(packed: Uint8Array): Promise<number> {
  let length = 0
  for await (const chunk of nodeDecompression.zstdFrame?.(chunksOf(packed)) ?? []) length += chunk.length
  return length
}

async function fzstdAlone(packed: Uint8Array): Promise<number> {
  let length = 0
  const stream = new Decompress((chunk) => {
    length += chunk.length
  })
  for await (const chunk of chunksOf(packed)) stream.push(chunk)
  stream.push(new Uint8Array(), true)
  return length
}

interface Line {
  readonly id: string
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[]
}

async function measureParquet(): Promise<void> {
  const rows = lines.map((it) => JSON.parse(it) as Line)
  const textColumn = { type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' } as const
  const file = new Uint8Array(
    parquetWriteBuffer({
      schema: [
        { name: 'schema', num_children: 2 },
        { name: 'id', ...textColumn },
        { name: 'messages', num_children: 1, converted_type: 'LIST', repetition_type: 'OPTIONAL' },
        { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
        { name: 'element', num_children: 2, repetition_type: 'OPTIONAL' },
        { name: 'role', ...textColumn },
        { name: 'content', ...textColumn },
      ],
      columnData: [
        { name: 'id', data: rows.map(({ id }) => String(id)) },
        {
          name: 'messages',
          data: rows.map(({ messages }) =>
            messages.map(({ role, content }) => ({
              role,
              content: typeof content === 'string' ? content : null,
            })),
          ),
        },
      ],
      rowGroupSize: 10_000,
    }),
  )
  const random = {
    size: file.length,
    read: async ({ start, end }: { readonly start: number; readonly end: number }) =>
      file.subarray(start, end),
  }
  const source: ByteSource = { chunks: () => chunksOf(file), random }
  const folder = mkdtempSync(join(tmpdir(), 'openchatml-bench-'))
  const [packedPath, linesPath] = [join(folder, 'samples.parquet'), join(folder, 'samples.jsonl')]
  writeFileSync(packedPath, file)
  const duckDb = await duckDbIn(duckdb, 1)
  const time = await race(
    {
      ours: () => samplesOf(source),
      duckDb: () => duckDb.run(`COPY (FROM '${packedPath}') TO '${linesPath}' (FORMAT json)`),
      alone: async () => {
        let nRows = 0
        const slice = (start: number, end = file.length) => file.slice(start, end).buffer as ArrayBuffer
        await parquetRead({
          file: { byteLength: file.length, slice },
          compressors,
          rowFormat: 'object',
          onComplete: (it) => {
            nRows = it.length
          },
        })
        return nRows
      },
      first: async () => {
        const { chunks } = await unpack(source, nodeDecompression, stretchLimits.sample)
        for await (const chunk of chunks) return chunk.length
        return 0
      },
    },
    { turns: isQuick ? 1 : 3, runs: 1, clock: workedMilliseconds, sweeps: false },
  )
  const size = `${megabytesOf(file.length)} of Parquet, ${rows.length.toLocaleString('en')} rows in groups of 10,000`
  report({
    what: `First rows of ${size}`,
    ours: milliseconds(time.first),
    ...atMost(time.first, 3000, milliseconds),
  })
  report({
    what: `Samples of ${size}`,
    ours: perSecond(file.length, time.ours),
    peers: `DuckDB, into JSONL ${perSecond(file.length, time.duckDb)}; hyparquet, rows as objects ${perSecond(file.length, time.alone)}`,
    ...atMost(time.ours / time.duckDb, 4, times),
  })
  duckDb.closeSync()
  rmSync(folder, { recursive: true })
}
