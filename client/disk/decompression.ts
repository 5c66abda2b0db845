/** Decompression by Node. */
import * as buffer from 'node:buffer'
import { pipeline, Readable, type Transform, type TransformOptions } from 'node:stream'
import * as zlib from 'node:zlib'
import { type Decompression, localize, type RandomAccess, SourceError } from '../../core/src/internal.ts'

/**
 * Output comes in 256 kB: with the 16 kB that are usual, most of the time goes into handing them over. Nothing more is read before
 * it is taken: a stream that fails drops what waits in it.
 */
const options: zlib.ZlibOptions & TransformOptions = {
  chunkSize: 2 ** 18,
  readableHighWaterMark: 1,
  writableHighWaterMark: 1,
}

// From Node 22.15 on; the types of Node that this is compiled with are older.
const { createZstdDecompress } = zlib as { createZstdDecompress?: typeof zlib.createGunzip }

// Not in all runtimes that are compatible with Node.
const { isUtf8 } = buffer as { isUtf8?: (bytes: Uint8Array) => boolean }

/** zlib, and zstd in the versions of Node that have it. */
export const nodeDecompression: Decompression = {
  gzip,
  isUtf8,
  ...(createZstdDecompress && {
    zstdFrame: (frame: AsyncIterable<Uint8Array>) =>
      through(frame, createZstdDecompress(options), {
        cutOff: localize`the zstd data is cut off`,
        damaged: localize`the zstd data is damaged`,
      }),
  }),
}

async function* gzip(
  packed: AsyncIterable<Uint8Array>,
  again?: RandomAccess,
): AsyncIterableIterator<Uint8Array> {
  const reasons = {
    cutOff: localize`the gzip data is cut off`,
    damaged: localize`the gzip data is damaged`,
  }
  const gunzip = zlib.createGunzip(options)
  let length = 0
  try {
    for await (const bytes of through(packed, gunzip, reasons)) {
      length += bytes.length
      yield bytes
    }
  } catch (error) {
    if (again && gunzip.bytesWritten < again.size && error instanceof SourceError) {
      const unpacked = through(beforeDamage(again, gunzip.bytesWritten), zlib.createGunzip(options), reasons)
      yield* withoutFirst(length, unpacked)
    }
    throw error
  }
}

const readAtOnce = 2 ** 18

/**
 * The bytes of `source`: those from `whole` on one by one, because zlib drops all that it made of a chunk with damage. What was made
 * of the bytes up to `whole` is at hand.
 */
async function* beforeDamage(source: RandomAccess, whole: number): AsyncIterableIterator<Uint8Array> {
  for (let start = 0; start < source.size; ) {
    const most = start < whole ? whole : source.size
    const bytes = await source.read({ start, end: Math.min(most, start + readAtOnce) })
    if (bytes.length === 0) return
    if (start < whole) yield bytes
    else for (let at = 0; at < bytes.length; at++) yield bytes.subarray(at, at + 1)
    start += bytes.length
  }
}

/** `chunks` without their first `length` bytes. */
async function* withoutFirst(
  length: number,
  chunks: AsyncIterable<Uint8Array>,
): AsyncIterableIterator<Uint8Array> {
  let left = length
  for await (const chunk of chunks) {
    if (chunk.length > left) yield chunk.subarray(left)
    left = Math.max(0, left - chunk.length)
  }
}

/** What `transform` makes of `packed`. All that was unpacked before an error comes before it. */
async function* through(
  packed: AsyncIterable<Uint8Array>,
  transform: Transform,
  reasons: { readonly cutOff: string; readonly damaged: string },
): AsyncIterableIterator<Uint8Array> {
  const source = new EndingSource(packed)
  pipeline(Readable.from(source), transform, () => undefined) // errors come out at the end of it
  let failure: unknown
  try {
    yield* transform
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'Z_BUF_ERROR') failure = new SourceError(reasons.cutOff)
    else if (/^(?:Z_|ZSTD_)/.test(code)) failure = new SourceError(reasons.damaged)
    else failure = error
  } finally {
    transform.destroy()
  }
  failure = source.failure ?? failure // data that ends early is damaged only because its source failed
  if (failure !== undefined) throw failure
}

/** Chunks that end where reading them fails: a stream would drop what it has of those before. */
class EndingSource implements AsyncIterable<Uint8Array> {
  /** Why the chunks end. */
  failure: unknown
  readonly #chunks: AsyncIterable<Uint8Array>

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    const chunks = this.#chunks[Symbol.asyncIterator]()
    try {
      for (;;) {
        const chunk = await this.#next(chunks)
        if (chunk === undefined) return
        // A stream asks for more chunks while the ones before wait. If it fails, this throws its error.
        yield new Uint8Array(chunk)
      }
    } finally {
      await chunks.return?.()
    }
  }

  async #next(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array | undefined> {
    try {
      const { done, value } = await chunks.next()
      return done ? undefined : value
    } catch (error) {
      this.failure = error
      return undefined
    }
  }
}
