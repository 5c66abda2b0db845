/** Lines of the protocol, of which one that is too long doesn't end the session. */
import { ByteCollector } from '../dataset/byte-collector.ts'

const lineFeed = Buffer.from('\n')

/**
 * The lines of `chunks`, each of them whole: the library of the protocol would copy what it has of a line with every chunk. A line
 * of more than `most` bytes is an empty one, which is answered with an error. Bytes without a line break at the end are left out.
 *
 * @param onLongLine called for each line that is too long
 */
export async function* boundedLines(
  chunks: AsyncIterable<Buffer>,
  most: number,
  onLongLine: () => void,
): AsyncIterableIterator<Buffer> {
  let line: ByteCollector | undefined
  let length = 0
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; ) {
      const end = chunk.indexOf(lineFeed, start) + 1
      const part = chunk.subarray(start, end === 0 ? chunk.length : end)
      const before = length
      length += part.length
      if (length <= most) {
        line ??= new ByteCollector(part.length)
        line.addBytes(part)
      } else if (before <= most) {
        onLongLine()
        line = undefined
        yield lineFeed
      }
      if (end > 0) {
        if (line) yield line.end()
        line = undefined
        length = 0
      }
      start += part.length
    }
  }
}
