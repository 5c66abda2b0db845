/** Decompression by Node. */
import * as buffer from 'node:buffer'
import { pipeline, Readable, type Transform, type TransformOptions } from 'node:stream'
import * as zlib from 'node:zlib'
import { type Decompression, localize, SourceError } from '../../core/src/internal.ts'

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
  gzip: (packed) =>
    through(packed, zlib.createGunzip(options), {
      cutOff: localize`the gzip data is cut off`,
      damaged: localize`the gzip data is damaged`,
    }),
  isUtf8,
  ...(createZstdDecompress && {
    zstdFrame: (frame: AsyncIterable<Uint8Array>) =>
      through(frame, createZstdDecompress(options), {
        cutOff: localize`the zstd data is cut off`,
        damaged: localize`the zstd data is damaged`,
      }),
  }),
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
    try {
      // A stream asks for more chunks while the ones before wait.
      for await (const chunk of this.#chunks) yield new Uint8Array(chunk)
    } catch (error) {
      this.failure = error
    }
  }
}
