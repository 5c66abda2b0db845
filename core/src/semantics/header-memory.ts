/** Remembers what follows from the header of a message alone, in one pass over many: headers that are alike are read once. */
import type { Segment } from '../syntax/segment.ts'

const headersAtMost = 1000 // without their IDs, a document has a handful

/** Results by the text of a header. */
export class HeaderMemory<Result> {
  readonly #results = new Map<string, Result>()

  /** What `read` answers about `segment`, or answered about another one with the same header. A message that is not plain is always read. */
  of({ text, plainBodyStart }: Segment, read: () => Result): Result {
    if (plainBodyStart === 0) return read()
    const header = text.slice(0, plainBodyStart)
    const known = this.#results.get(header)
    if (known !== undefined || this.#results.has(header)) return known as Result
    const result = read()
    if (this.#results.size < headersAtMost) this.#results.set(header, result)
    return result
  }
}
