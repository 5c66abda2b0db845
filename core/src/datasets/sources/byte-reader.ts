/** Takes exactly so many bytes at a time from bytes that come in chunks. */

/** Reads chunks. It holds the chunk that is being taken from, and what {@link take} returns. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>
  readonly #cutOff: () => Error
  #chunk: Uint8Array = new Uint8Array()
  #at = 0

  /** @param cutOff makes the error for bytes that are missing */
  constructor(chunks: AsyncIterable<Uint8Array>, cutOff: () => Error) {
    this.#chunks = chunks[Symbol.asyncIterator]()
    this.#cutOff = cutOff
  }

  /** True if there are no more bytes. */
  async isAtEnd(): Promise<boolean> {
    return !(await this.#hasBytes())
  }

  /** The next `length` bytes, copied. Throws if there are fewer. */
  async take(length: number): Promise<Uint8Array> {
    const result = new Uint8Array(length)
    for (let filled = 0; filled < length; ) {
      if (!(await this.#hasBytes())) throw this.#cutOff()
      const part = this.#chunk.subarray(this.#at, this.#at + length - filled)
      result.set(part, filled)
      filled += part.length
      this.#at += part.length
    }
    return result
  }

  /** Skips bytes. Throws if there are fewer. */
  async skip(length: number): Promise<void> {
    for (let left = length; left > 0; ) {
      if (!(await this.#hasBytes())) throw this.#cutOff()
      const step = Math.min(left, this.#chunk.length - this.#at)
      this.#at += step
      left -= step
    }
  }

  /** No more bytes are wanted. */
  async close(): Promise<void> {
    await this.#chunks.return?.()
  }

  async #hasBytes(): Promise<boolean> {
    while (this.#at === this.#chunk.length) {
      const next = await this.#chunks.next()
      if (next.done) return false
      this.#chunk = next.value
      this.#at = 0
    }
    return true
  }
}
