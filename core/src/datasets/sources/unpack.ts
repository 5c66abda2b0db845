/** The bytes of a dataset as its samples are read: JSONL or a JSON list, whatever the file is packed in. */
import { localize } from '../../text/localize.ts'
import {
  type ByteSource,
  type Decompression,
  type Packing,
  packingOf,
  SourceError,
  signatureLength,
} from './byte-source.ts'
import { unpackZstd } from './zstd.ts'

/** A source, opened. */
export interface UnpackedSource {
  /** Undefined for bytes that are what they are. */
  readonly packing: Packing | undefined
  /** The bytes unpacked: for Parquet, rows as lines of JSON. They can be asked for once. @throws SourceError while they are read */
  readonly chunks: AsyncIterable<Uint8Array>
}

/**
 * Opens `source`; its first bytes tell how it is packed. Each chunk may be overwritten when the next one is requested.
 *
 * @param longest bytes of the longest sample that is read: of a longer row of Parquet only that it is too long is seen
 */
export async function unpack(
  source: ByteSource,
  decompression: Decompression,
  longest: number,
): Promise<UnpackedSource> {
  const chunks = source.chunks()[Symbol.asyncIterator]()
  const begin: Uint8Array[] = []
  let length = 0
  while (length < signatureLength) {
    const next = await chunks.next()
    if (next.done) break
    begin.push(new Uint8Array(next.value)) // a copy: `slice` of a buffer of Node would be none
    length += next.value.length
  }
  const packing = packingOf(signatureIn(begin))
  const all = continued(begin, chunks)
  switch (packing) {
    case undefined:
      return { packing, chunks: all }
    case 'gzip':
      return { packing, chunks: decompression.gzip(all, source.random) }
    case 'zstd':
      return { packing, chunks: unpackZstd(all, decompression) }
    case 'parquet':
      await chunks.return?.()
      return { packing, chunks: rowsOf(source, longest, decompression) }
  }
}

async function* rowsOf(
  { random }: ByteSource,
  longest: number,
  { isUtf8 }: Decompression,
): AsyncIterableIterator<Uint8Array> {
  if (!random)
    throw new SourceError(localize`a Parquet file cannot be read from a pipe, because its end is read first`)
  const { parquetLines } = await import('./parquet.ts') // loaded only for such a file
  yield* parquetLines(random, longest, isUtf8)
}

function signatureIn(begin: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(begin.flatMap((it) => [...it.subarray(0, signatureLength)]))
}

async function* continued(
  begin: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncIterableIterator<Uint8Array> {
  try {
    yield* begin
    for (;;) {
      const next = await rest.next()
      if (next.done) return
      yield next.value
    }
  } finally {
    await rest.return?.()
  }
}
