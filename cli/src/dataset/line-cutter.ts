/** Cuts a stream of bytes into stretches of whole lines. */
import type { Stretch } from './stretch.ts'

const lineFeed = 10

/** What cuts a stream. */
export interface Cutter {
  /** True if there are samples that {@link take} would hand over. */
  readonly hasSamples: boolean
  /** True if there are enough of them to be taken. */
  readonly isFull: boolean
  /** Takes the next bytes of the stream. */
  push(chunk: Uint8Array): void
  /** The whole samples so far. */
  take(): Stretch
  /** What is left at the end. */
  end(): Stretch | undefined
}

/** How a stream is cut. */
export interface CutterLimits {
  /** Bytes of a stretch, about. */
  readonly stretch: number
  /** Bytes of the longest sample that is read. */
  readonly sample: number
}

/** Cuts at line feeds. Of a line that is too long only the number is kept. */
export class LineCutter implements Cutter {
  readonly #limits: CutterLimits
  #held: Uint8Array[] = []
  #length = 0
  /** Behind the last line feed of what is held. */
  #lastLineEnd = 0
  #number = 1
  #skips = false

  constructor(limits: CutterLimits) {
    this.#limits = limits
  }

  get hasSamples(): boolean {
    return this.#lastLineEnd > 0 || this.#isTooLong
  }

  get isFull(): boolean {
    return this.#lastLineEnd >= this.#limits.stretch || this.#isTooLong
  }

  get #isTooLong(): boolean {
    return this.#length - this.#lastLineEnd > this.#limits.sample
  }

  push(chunk: Uint8Array): void {
    const bytes = this.#skips ? this.#behindSkippedLine(chunk) : chunk
    if (bytes.length === 0) return
    const end = bytes.lastIndexOf(lineFeed) + 1
    if (end > 0) this.#lastLineEnd = this.#length + end
    this.#held.push(bytes)
    this.#length += bytes.length
  }

  take(): Stretch {
    const first = this.#number
    if (this.#lastLineEnd === 0) {
      this.#hold([])
      this.#skips = true
      return { bytes: new Uint8Array(), first, place: 'line', isTooLong: true }
    }
    const all = Buffer.concat(this.#held)
    const bytes = all.subarray(0, this.#lastLineEnd)
    this.#hold([all.subarray(this.#lastLineEnd)])
    this.#number += countLineFeeds(bytes)
    return { bytes, first, place: 'line', isTooLong: false }
  }

  end(): Stretch | undefined {
    if (this.#length === 0) return undefined
    const bytes = Buffer.concat(this.#held)
    this.#hold([])
    return { bytes, first: this.#number, place: 'line', isTooLong: false }
  }

  #hold(held: Uint8Array[]): void {
    this.#held = held
    this.#length = held.reduce((sum, it) => sum + it.length, 0)
    this.#lastLineEnd = 0
  }

  #behindSkippedLine(chunk: Uint8Array): Uint8Array {
    const end = chunk.indexOf(lineFeed)
    if (end === -1) return new Uint8Array()
    this.#skips = false
    this.#number++
    return chunk.subarray(end + 1)
  }
}

function countLineFeeds(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) count++
  return count
}
