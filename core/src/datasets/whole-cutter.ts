/** Takes a file as one sample: the session of an agent has its entries in lines, and is one conversation (F22). */
import type { Cutter, TakeSample } from './cutter.ts'

/** Cuts nothing. */
export class WholeCutter implements Cutter {
  readonly openStart = 0
  readonly #take: TakeSample
  #length = 0

  constructor(take: TakeSample) {
    this.#take = take
  }

  push(chunk: Uint8Array): void {
    this.#length += chunk.length
  }

  end(): void {
    this.#take({ start: 0, end: this.#length, number: 1, line: 0, character: 0 })
  }
}
