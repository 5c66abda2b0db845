/** Decompression of Parquet pages, which never makes more bytes than a page says it has. */
import { Decompress, decompress } from 'fzstd'
import type { Compressors } from 'hyparquet'
import { compressors as packaged } from 'hyparquet-compressors'

/** By the name of the compression. A result that is not as long as the page says is refused by the caller. */
export const compressors: Compressors = { ...packaged, ZSTD: unpackZstdPage }

/** The library would reserve what the frame says it has, or its whole window, whatever the page says. */
function unpackZstdPage(packed: Uint8Array, length: number): Uint8Array {
  const { content, window } = frameHeader(packed)
  const result = new Uint8Array(length)
  if (content !== undefined) {
    if (content !== length) throw otherLength()
    return decompress(packed, result)
  }
  if (window > largestWindow) throw new RangeError('The window of a page is too large')
  let at = 0
  const stream = new Decompress((bytes) => {
    if (at + bytes.length > length) throw otherLength()
    result.set(bytes, at)
    at += bytes.length
  })
  stream.push(packed, true)
  if (at !== length) throw otherLength()
  return result
}

const largestWindow = 2 ** 27 // bytes

function otherLength(): RangeError {
  return new RangeError('A page has another length than its header says')
}

/** What the frame says of its length, and of the memory it needs; in bytes. */
function frameHeader(frame: Uint8Array): { readonly content: number | undefined; readonly window: number } {
  const [flags = 0, descriptor = 0] = frame.subarray(4)
  const isSingle = (flags & 0x20) !== 0
  const size = flags >> 6 === 0 ? Number(isSingle) : 1 << (flags >> 6)
  const window = 2 ** (10 + (descriptor >> 3)) * (1 + (descriptor & 7) / 8)
  if (size === 0) return { content: undefined, window }
  const start = 5 + (isSingle ? 0 : 1) + ([0, 1, 2, 4][flags & 3] ?? 0)
  let content = size === 2 ? 256 : 0
  for (let at = 0; at < size; at++) content += (frame[start + at] ?? 0) * 2 ** (8 * at)
  return { content, window }
}
