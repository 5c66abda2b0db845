/** Changes of many stretches of a file, kept outside of memory until they are written, and taken back. */
import type { ByteRange } from './sample-index.ts'

/** Bytes that take the place of others. */
export interface RangeChange {
  /** The offset in the file before all changes. */
  readonly start: number
  readonly before: Uint8Array
  readonly after: Uint8Array
}

/** Changes in the order of the file, which do not overlap. Each loop over them gives all of them. */
export type RangeChanges<Change extends RangeChange = RangeChange> = Iterable<Change> | AsyncIterable<Change>

/** A sample that becomes another one. */
export interface ChangedSample extends RangeChange {
  /** The number that lists and reports name the sample by. */
  readonly number: number
}

/** Bytes that are kept until they are not needed: in a temporary file, or in memory. */
export interface Spool {
  /** The largest number of bytes that it holds. */
  readonly most: number
  /** Adds bytes, which may be overwritten afterwards. */
  append(bytes: Uint8Array): Promise<void>
  /** The bytes of a range; fewer if there are fewer. */
  read(range: ByteRange): Promise<Uint8Array>
  /** Removes the bytes. */
  close(): Promise<void>
}

const headLength = 4 * 8 // number, start, and both lengths

/** Changed samples in their order. Memory does not grow with them. */
export class ChangeLog implements AsyncIterable<ChangedSample> {
  readonly #makeSpool: () => Promise<Spool>
  #spool: Spool | undefined
  #length = 0
  #count = 0

  /** @param makeSpool is called with the first change */
  constructor(makeSpool: () => Promise<Spool>) {
    this.#makeSpool = makeSpool
  }

  /** How many samples there are. */
  get count(): number {
    return this.#count
  }

  /** Adds the next change. @throws Error if the spool is full */
  async add({ number, start, before, after }: ChangedSample): Promise<void> {
    this.#spool ??= await this.#makeSpool()
    const length = headLength + before.length + after.length
    if (this.#length + length > this.#spool.most) throw new Error('The spool is full')
    const record = new Uint8Array(length)
    new Float64Array(record.buffer, 0, 4).set([number, start, before.length, after.length])
    record.set(before, headLength)
    record.set(after, headLength + before.length)
    await this.#spool.append(record)
    this.#length += length
    this.#count++
  }

  async *[Symbol.asyncIterator](): AsyncIterableIterator<ChangedSample> {
    const spool = this.#spool
    if (!spool) return
    for (let at = 0; at < this.#length; ) {
      const head = (await spool.read({ start: at, end: at + headLength })).slice()
      const [number = 0, start = 0, nBefore = 0, nAfter = 0] = new Float64Array(head.buffer, 0, 4)
      const middle = at + headLength + nBefore
      const before = await spool.read({ start: at + headLength, end: middle })
      at = middle + nAfter
      yield { number, start, before, after: await spool.read({ start: middle, end: at }) }
    }
  }

  /** Removes all changes. */
  async close(): Promise<void> {
    const spool = this.#spool
    this.#spool = undefined
    this.#length = 0
    this.#count = 0
    await spool?.close()
  }
}

/** The changes that take `changes` back. */
export function inverse(changes: RangeChanges): AsyncIterable<RangeChange> {
  return {
    async *[Symbol.asyncIterator]() {
      let shift = 0
      for await (const { start, before, after } of changes) {
        yield { start: start + shift, before: after, after: before }
        shift += after.length - before.length
      }
    },
  }
}
