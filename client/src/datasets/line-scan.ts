/** Finds the lines of a file that hold something, chunk by chunk. Line breaks and the byte order mark belong to none. */
import type { SampleIndex } from './sample-index.ts'

const lineFeed = 10
const carriageReturn = 13
const space = 32

/** Finds samples in chunks of a file. */
export interface Scan {
  /** Takes the next chunk. @throws DatasetError if the file cannot be a dataset */
  push(chunk: Uint8Array): void
  /** The file ends here. @throws DatasetError likewise */
  end(): void
}

/** Adds the lines to `index`, numbered from 1. */
export class LineScan implements Scan {
  readonly #index: SampleIndex
  /** Bytes of the chunks before. */
  #offset = 0
  #lineStart = 0
  #number = 1
  /** True once the line has a byte that is no white space. */
  #hasText = false
  #last = 0
  #mark = 0

  constructor(index: SampleIndex) {
    this.#index = index
  }

  push(chunk: Uint8Array): void {
    let from = this.#offset < 3 ? this.#skipMark(chunk) : 0
    for (;;) {
      const end = chunk.indexOf(lineFeed, from)
      const to = end === -1 ? chunk.length : end
      if (!this.#hasText) this.#hasText = hasText(chunk, from, to)
      if (to > from) this.#last = chunk[to - 1] ?? 0
      if (end === -1) break
      this.#endLine(this.#offset + end)
      this.#lineStart = this.#offset + end + 1
      this.#number++
      from = end + 1
    }
    this.#offset += chunk.length
  }

  end(): void {
    this.#endLine(this.#offset)
  }

  #endLine(end: number): void {
    if (this.#hasText) {
      const length = end - this.#lineStart - (this.#last === carriageReturn ? 1 : 0)
      this.#index.add(this.#lineStart, length, this.#number)
    }
    this.#hasText = false
    this.#last = 0
  }

  /** The mark may be cut by the end of a chunk; a file that only begins like one has a line that cannot be read. */
  #skipMark(chunk: Uint8Array): number {
    let from = 0
    while (this.#mark < 3 && this.#offset + from === this.#mark && from < chunk.length) {
      if (chunk[from] !== byteOrderMark[this.#mark]) break
      from++
      this.#mark++
    }
    if (this.#mark === 3 && this.#lineStart === 0) this.#lineStart = 3
    else if (this.#mark > 0 && this.#mark < 3 && from < chunk.length) this.#hasText = true
    return from
  }
}

const byteOrderMark = [0xef, 0xbb, 0xbf]

function hasText(chunk: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if ((chunk[at] ?? 0) > space) return true
  return false
}
