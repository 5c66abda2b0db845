/** Where the bytes of a dataset come from, and how they are packed (S1, S2). What reads samples sees unpacked bytes only. */
import type { ByteRange } from '../sample-index.ts'

/** The bytes of a file or a pipe, as they are stored. */
export interface ByteSource {
  /** All bytes, in order. A chunk may be overwritten when the next one is requested. */
  chunks(): AsyncIterable<Uint8Array>
  /** The size in bytes, and any range of them; absent for a pipe. */
  readonly random?: RandomAccess
}

/** Reads parts of a file. */
export interface RandomAccess {
  /** Bytes of the whole file. */
  readonly size: number
  /** The bytes of a range; fewer if the file ends before. */
  read(range: ByteRange): Promise<Uint8Array>
}

/** Decompression that the platform brings. */
export interface Decompression {
  /**
   * The unpacked bytes of gzip data, of all of its members. Rejects for data that is damaged or cut off.
   *
   * @param again the same data, to find what is whole before damage; without it, the last bytes before damage may be missing
   */
  gzip(packed: AsyncIterable<Uint8Array>, again?: RandomAccess): AsyncIterable<Uint8Array>
  /** The same for a single zstd frame; absent where the platform has no zstd. */
  zstdFrame?(frame: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
  /** True for bytes that are UTF-8: for platforms that know so without making them a string. */
  readonly isUtf8?: ((bytes: Uint8Array) => boolean) | undefined
}

/** How a source is packed. */
export type Packing = 'gzip' | 'zstd' | 'parquet'

/** A source that cannot be read, or only up to some place. The message starts in lower case, so that it can follow a file name. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
}

const signatures: readonly (readonly [packing: Packing, bytes: readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['parquet', [0x50, 0x41, 0x52, 0x31]],
  ['parquet', [0x50, 0x41, 0x52, 0x45]], // with an encrypted footer
]

/** How many bytes {@link packingOf} looks at. */
export const signatureLength = 4

/** How the source that begins with `bytes` is packed; undefined if it is not. */
export function packingOf(bytes: Uint8Array): Packing | undefined {
  for (const [packing, signature] of signatures)
    if (signature.every((byte, index) => bytes[index] === byte)) return packing
  // zstd data may begin with a frame to be skipped.
  const [first = 0, second, third, fourth] = bytes
  const isSkipped = first >> 4 === 5 && second === 0x2a && third === 0x4d && fourth === 0x18
  return isSkipped ? 'zstd' : undefined
}
