/**
 * Unpacks zstd data as a stream. The data is cut into frames and blocks here, so that data that is cut off is always noticed, every
 * frame is read, memory is bounded by the window of a frame, and checksums are compared; blocks are unpacked by the platform or
 * by `fzstd`.
 */
import { localize } from '../../text/localize.ts'
import { joinedBytes } from '../bytes.ts'
import { ByteReader } from './byte-reader.ts'
import { type Decompression, SourceError } from './byte-source.ts'
import { Xxh64 } from './xxh64.ts'

/** Bytes of the largest window of a frame: what the `zstd` program accepts too. */
const largestWindow = 2 ** 27
const largestBlock = 2 ** 17

/** The unpacked bytes of `packed`. @throws SourceError for data that is damaged, cut off, or needs a dictionary */
export async function* unpackZstd(
  packed: AsyncIterable<Uint8Array>,
  { zstdFrame }: Pick<Decompression, 'zstdFrame'>,
): AsyncIterableIterator<Uint8Array> {
  const reader = new ByteReader(packed, cutOff)
  try {
    while (!(await reader.isAtEnd())) {
      const magic = await reader.take(4)
      if (magic[1] === 0x2a && magic[2] === 0x4d && magic[3] === 0x18 && (magic[0] ?? 0) >> 4 === 5) {
        await reader.skip(uint(await reader.take(4)))
        continue
      }
      const isFrame = magic[0] === 0x28 && magic[1] === 0xb5 && magic[2] === 0x2f && magic[3] === 0xfd
      if (!isFrame) throw damaged()
      yield* zstdFrame ? byPlatform(reader, zstdFrame) : frame(reader)
    }
  } finally {
    await reader.close()
  }
}

function cutOff(): SourceError {
  return new SourceError(localize`the zstd data is cut off`)
}

function damaged(): SourceError {
  return new SourceError(localize`the zstd data is damaged`)
}

/** The header of a frame: what follows its magic number. */
interface Header {
  readonly bytes: Uint8Array
  readonly window: number
  /** Bytes of the content; undefined if the frame does not say. */
  readonly content: number | undefined
  readonly hasChecksum: boolean
}

async function headerOf(reader: ByteReader): Promise<Header> {
  const [flags = 0] = await reader.take(1)
  const isSingle = (flags & 0x20) !== 0
  const dictionaryLength = [0, 1, 2, 4][flags & 3] ?? 0
  const contentLength = flags >> 6 === 0 ? Number(isSingle) : 1 << (flags >> 6)
  const rest = await reader.take((isSingle ? 0 : 1) + dictionaryLength + contentLength)
  if ((flags & 8) !== 0) throw damaged()
  const dictionary = rest.subarray(isSingle ? 0 : 1, rest.length - contentLength)
  if (dictionary.some((it) => it !== 0))
    throw new SourceError(localize`the zstd data needs a dictionary, which is not supported`)
  const content =
    contentLength === 0
      ? undefined
      : uint(rest.subarray(rest.length - contentLength)) + (contentLength === 2 ? 256 : 0)
  const [descriptor = 0] = rest
  const base = 2 ** (10 + (descriptor >> 3))
  const window = isSingle ? (content ?? 0) : base + (base / 8) * (descriptor & 7)
  if (window > largestWindow) {
    const [needed, most] = [Math.ceil(window / 2 ** 20), largestWindow / 2 ** 20]
    throw new SourceError(localize`the zstd data needs a window of ${needed} MB. The limit is ${most} MB`)
  }
  return { bytes: joinedBytes([Uint8Array.of(flags), rest]), window, content, hasChecksum: (flags & 4) !== 0 }
}

/** A block with its header. */
async function blockOf(
  reader: ByteReader,
  window: number,
): Promise<{ readonly bytes: Uint8Array; readonly isLast: boolean }> {
  const head = await reader.take(3)
  const word = uint(head)
  const [type, size] = [(word >> 1) & 3, word >> 3]
  if (type === 3 || size > Math.min(largestBlock, Math.max(window, 1024))) throw damaged()
  const body = await reader.take(type === 1 ? 1 : size)
  return { bytes: joinedBytes([head, body]), isLast: (word & 1) === 1 }
}

/** The content of a frame, after its magic number, by `fzstd`. */
async function* frame(reader: ByteReader): AsyncIterableIterator<Uint8Array> {
  const header = await headerOf(reader)
  const unpacked: Uint8Array[] = []
  const { Decompress } = await import('fzstd') // few files need it
  const decompress = new Decompress((bytes) => {
    unpacked.push(bytes)
  })
  const hash = header.hasChecksum ? new Xxh64() : undefined
  let length = 0
  // Checksums are compared here; the library would skip them.
  const [flags = 0] = header.bytes
  header.bytes[0] = flags & ~4
  let pending = joinedBytes([magicNumber, header.bytes])
  for (;;) {
    const { bytes, isLast } = await blockOf(reader, header.window)
    try {
      decompress.push(joinedBytes([pending, bytes]), isLast)
    } catch {
      throw damaged()
    }
    pending = new Uint8Array()
    for (const it of unpacked.splice(0)) {
      if (it.length === 0) continue
      length += it.length
      hash?.update(it)
      yield it
    }
    if (isLast) break
  }
  if (header.content !== undefined && header.content !== length) throw damaged()
  if (hash && hash.digest() !== uint(await reader.take(4))) throw wrongChecksum()
}

function wrongChecksum(): SourceError {
  return new SourceError(localize`the zstd data is damaged: its checksum differs`)
}

/** The same by the platform, which compares checksums itself. */
async function* byPlatform(
  reader: ByteReader,
  unpack: NonNullable<Decompression['zstdFrame']>,
): AsyncIterableIterator<Uint8Array> {
  const header = await headerOf(reader)
  let length = 0
  for await (const bytes of unpack(frameBytes(reader, header))) {
    length += bytes.length
    yield bytes
  }
  if (header.content !== undefined && header.content !== length) throw damaged()
}

async function* frameBytes(
  reader: ByteReader,
  { bytes: head, window, hasChecksum }: Header,
): AsyncIterableIterator<Uint8Array> {
  yield joinedBytes([magicNumber, head])
  for (;;) {
    const { bytes, isLast } = await blockOf(reader, window)
    yield bytes
    if (isLast) break
  }
  if (hasChecksum) yield await reader.take(4)
}

const magicNumber = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd)

function uint(bytes: Uint8Array): number {
  let value = 0
  for (let at = bytes.length - 1; at >= 0; at--) value = value * 256 + (bytes[at] ?? 0)
  return value
}
