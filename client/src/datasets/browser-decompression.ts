/** Decompression where there is no Node. */
import { type Decompression, localize, SourceError } from '../../../core/src/internal.ts'

/** What browsers have: gzip. */
export const browserDecompression: Decompression = { gzip }

async function* gzip(packed: AsyncIterable<Uint8Array>): AsyncIterableIterator<Uint8Array> {
  const stream = new DecompressionStream('gzip')
  const writer = stream.writable.getWriter()
  const reader = stream.readable.getReader()
  /** What is wrong with the file, and not with what is in it. */
  let failure: unknown
  const fed = feed(packed, writer, (error) => {
    failure = error
  })
  fed.catch(() => undefined) // the reader fails too
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      yield value
    }
    await fed
  } catch {
    if (failure !== undefined) throw failure
    // Browsers do not say which of these it is.
    throw new SourceError(
      localize`the gzip data is damaged, cut off, or has several members, which browsers do not unpack`,
    )
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

async function feed(
  packed: AsyncIterable<Uint8Array>,
  writer: WritableStreamDefaultWriter<BufferSource>,
  onFailure: (error: unknown) => void,
): Promise<void> {
  const chunks = packed[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await chunks.next().catch((error: unknown) => {
        onFailure(error)
        throw error
      })
      if (next.done) break
      await writer.write(next.value.slice())
    }
    await writer.close()
  } catch (error) {
    await writer.abort(error).catch(() => undefined)
    throw error
  } finally {
    await chunks.return?.()
  }
}
