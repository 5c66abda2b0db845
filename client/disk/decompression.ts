/** Decompression by Node. */
import * as buffer from 'node:buffer'
import { pipeline, Readable, type Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import { type Decompression, localize, SourceError } from '../../core/src/internal.ts'

const outputSize = 2 ** 18 // bytes: with the 16 kB that are usual, most of the time goes into handing them over

// From Node 22.15 on; the types of Node that this is compiled with are older.
const { createZstdDecompress } = zlib as { createZstdDecompress?: typeof zlib.createGunzip }

// Not in all runtimes that are compatible with Node.
const { isUtf8 } = buffer as { isUtf8?: (bytes: Uint8Array) => boolean }

/** zlib, and zstd in the versions of Node that have it. */
export const nodeDecompression: Decompression = {
  gzip: (packed) =>
    through(packed, zlib.createGunzip({ chunkSize: outputSize }), {
      cutOff: localize`the gzip data is cut off`,
      damaged: localize`the gzip data is damaged`,
    }),
  isUtf8,
  ...(createZstdDecompress && {
    zstdFrame: (frame: AsyncIterable<Uint8Array>) =>
      through(frame, createZstdDecompress({ chunkSize: outputSize }), {
        cutOff: localize`the zstd data is cut off`,
        damaged: localize`the zstd data is damaged`,
      }),
  }),
}

async function* through(
  packed: AsyncIterable<Uint8Array>,
  transform: Transform,
  reasons: { readonly cutOff: string; readonly damaged: string },
): AsyncIterableIterator<Uint8Array> {
  pipeline(Readable.from(copies(packed)), transform, () => undefined) // errors come out at the end of it
  try {
    yield* transform
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'Z_BUF_ERROR') throw new SourceError(reasons.cutOff)
    if (/^(?:Z_|ZSTD_)/.test(code)) throw new SourceError(reasons.damaged)
    throw error
  } finally {
    transform.destroy()
  }
}

/** A stream asks for more chunks while the ones before wait. */
async function* copies(chunks: AsyncIterable<Uint8Array>): AsyncIterableIterator<Uint8Array> {
  for await (const chunk of chunks) yield new Uint8Array(chunk)
}
