/** Collects bytes, or text as UTF-8, in one buffer: much quicker than encoding it all at the end, and it can be longer than a string. */

const longText = 4096 // code units: of more, bytes are counted, as a third of what they can take is used in most texts

/** A buffer that grows. */
export class ByteCollector {
  #buffer: Buffer
  #length = 0

  /** @param capacity bytes that are there from the start */
  constructor(capacity: number) {
    this.#buffer = Buffer.allocUnsafeSlow(capacity) // of its own, so that it can go to another thread
  }

  /** Adds `text`; half a character becomes U+FFFD. */
  add(text: string): void {
    this.#makeRoomFor(text.length < longText ? 3 * text.length : Buffer.byteLength(text)) // UTF-8 has at most 3 for each code unit
    this.#length += this.#buffer.write(text, this.#length)
  }

  addBytes(bytes: Uint8Array): void {
    this.#makeRoomFor(bytes.length)
    this.#buffer.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** All bytes. Nothing may be added any more. */
  end(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }

  #makeRoomFor(most: number): void {
    const least = this.#length + most
    if (least <= this.#buffer.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(least, 2 * this.#buffer.length))
    this.#buffer.copy(larger, 0, 0, this.#length)
    this.#buffer = larger
  }
}
