/** A file that may be compressed or Parquet, as one that can be read in ranges: what is unpacked goes to a temporary place. */
import {
  countWhile,
  type Decompression,
  localize,
  type Packing,
  SourceError,
  type Spool,
  unpack,
} from '../../../core/src/internal.ts'
import type { ByteFile, ByteRange, TextFile } from './byte-file.ts'
import { largestSample } from './listed-sample.ts'

/** What unpacking needs of the world the extension runs in. */
export interface Unpacking {
  readonly decompression: Decompression
  /** An empty place. */
  makeSpool(): Promise<Spool>
}

/** The content of `file`, unpacked. One that is packed is never written: its edits go to `edits`. */
export function unpackedFile(
  file: ByteFile,
  { decompression, makeSpool }: Unpacking,
  edits: TextFile,
): ByteFile {
  let packing: Packing | undefined
  let spool: Spool | undefined
  let nRead = 0
  let isClosed = false
  const close = async () => {
    const last = spool
    spool = undefined
    await last?.close()
  }
  async function* counted() {
    for await (const chunk of file.chunks()) {
      nRead += chunk.length
      yield chunk
    }
  }
  const random = (size: number) => ({
    size,
    async read(range: ByteRange) {
      nRead += range.end - range.start
      return file.read(range)
    },
  })
  return {
    edits,
    get packing() {
      return packing
    },
    get nRead() {
      return packing && nRead
    },
    version: () => file.version(),
    read: (range) => (spool ? spool.read(range) : file.read(range)),
    async *chunks() {
      nRead = 0
      const { size } = await file.version()
      const unpacked = await unpack({ chunks: counted, random: random(size) }, decompression, largestSample)
      packing = unpacked.packing
      await close()
      if (packing === undefined) {
        yield* unpacked.chunks
        return
      }
      const place = await makeSpool()
      spool = place
      let length = 0
      for await (const chunk of unpacked.chunks) {
        length += chunk.length
        if (length > place.most) throw tooLarge(place.most)
        if (spool !== place || isClosed) return
        await place.append(chunk)
        yield chunk
      }
    },
    replace: (changes, expected) => file.replace(changes, expected),
    async close() {
      isClosed = true
      await close()
    },
  }
}

function tooLarge(most: number): SourceError {
  const megabytes = most / 2 ** 20
  return new SourceError(
    localize`it is larger than ${megabytes} MB when unpacked, which is the limit in the editor. The command line has no limit`,
  )
}

/** A spool in memory, for worlds without a disk. */
export async function memorySpool(most: number): Promise<Spool> {
  const pieces: { readonly start: number; readonly bytes: Uint8Array }[] = []
  let size = 0
  return {
    most,
    async append(bytes) {
      pieces.push({ start: size, bytes: bytes.slice() })
      size += bytes.length
    },
    async read({ start, end }) {
      const result = new Uint8Array(Math.max(0, Math.min(end, size) - start))
      const endOf = (index: number) => (pieces[index]?.start ?? 0) + (pieces[index]?.bytes.length ?? 0)
      for (let at = countWhile(pieces.length, (it) => endOf(it) <= start); at < pieces.length; at++) {
        const piece = pieces[at]
        if (!piece || piece.start >= end) break
        const from = Math.max(start, piece.start)
        result.set(piece.bytes.subarray(from - piece.start, end - piece.start), from - start)
      }
      return result
    },
    async close() {
      pieces.length = 0
    },
  }
}
