/** Lines of the protocol, of which one that is too long doesn't end the session. */

const lineFeed = Buffer.from('\n')

/**
 * `chunks` with an empty line, which is answered with an error, instead of each line of more than `most` bytes.
 *
 * @param onLongLine called for each of these
 */
export async function* boundedLines(
  chunks: AsyncIterable<Buffer>,
  most: number,
  onLongLine: () => void,
): AsyncIterableIterator<Buffer> {
  let length = 0
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; ) {
      const end = chunk.indexOf(lineFeed, start) + 1
      const part = chunk.subarray(start, end === 0 ? chunk.length : end)
      const before = length
      length += part.length
      if (length <= most) yield part
      else if (before <= most) {
        onLongLine()
        yield lineFeed
      }
      if (end > 0) length = 0
      start += part.length
    }
  }
}
