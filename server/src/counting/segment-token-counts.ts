/**
 * Tokens of the messages of open documents: counted when someone asks, remembered with the message, so that after an
 * edit only the edited message is counted again. The texts are encoded on another thread; what is done here is in slices.
 */
import { type DocumentSettings, openEnd, type Segment, tokenParts } from '../../../core/src/internal.ts'
import type { OpenDocument } from '../open-document.ts'
import { inSlices, type Job, throwIfOutdated, whenIdle } from '../scheduler.ts'
import type { TextCounter } from './text-counter.ts'

/** The tokens of a message. */
export interface MessageCount {
  /** Header, body and terminator. */
  readonly all: number
  /** The body alone. */
  readonly body: number
}

/** A count holds for a text under the settings of the header, and for being at the end or not. */
interface Remembered {
  readonly settings: DocumentSettings
  readonly isOpenEnd: boolean
  readonly count: MessageCount
}

interface Uncounted {
  readonly segment: Segment
  readonly isOpenEnd: boolean
  readonly specials: number
  readonly header: readonly string[]
  readonly body: readonly string[]
}

const batchLength = 65_536 // code units: a few milliseconds of counting, so that what is on the screen never waits long
const longMessage = 262_144 // code units: above, even to take a message apart is felt while typing
const segmentsAtMost = 4096 // in a batch: messages without text cost something too

/** Counts messages, and remembers. */
export class TokenCounts {
  readonly #counter: TextCounter
  readonly #remembered = new WeakMap<Segment, Remembered>()
  readonly #ends = new WeakMap<
    OpenDocument,
    { readonly generation: number; readonly end: Segment | undefined }
  >()

  constructor(counter: TextCounter) {
    this.#counter = counter
  }

  /** What is known of `segment` of `document` without counting. */
  known(document: OpenDocument, segment: Segment): MessageCount | undefined {
    const found = this.#remembered.get(segment)
    if (found?.settings !== document.analysis.settings) return undefined
    return found.isOpenEnd === (segment === this.#endOf(document)) ? found.count : undefined
  }

  /**
   * Counts what is not known of `segments`; false if they can't be counted.
   *
   * @throws ResponseError RequestCancelled or ContentModified
   */
  async count(job: Job, segments: Iterable<Segment>): Promise<boolean> {
    const { document } = job
    const { generation } = document
    const { settings } = document.analysis
    const iterator = segments[Symbol.iterator]()
    for (let isDone = false; !isDone; ) {
      throwIfOutdated(job, generation)
      const batch: Uncounted[] = []
      let length = 0
      let visited = 0
      await inSlices(job, () => {
        const next = iterator.next()
        if (next.done) isDone = true
        else if (!this.known(document, next.value)) {
          const isOpenEnd = next.value === this.#endOf(document)
          const parts = tokenParts(document.analysis, next.value, { isOpenEnd })
          batch.push({ segment: next.value, isOpenEnd, ...parts })
          for (const text of parts.header) length += text.length
          for (const text of parts.body) length += text.length
        }
        return isDone || length >= batchLength || ++visited >= segmentsAtMost
      })
      if (batch.length > 0 && !(await this.#countBatch(batch, settings))) return false
    }
    return true
  }

  /**
   * The tokens of the whole document, counted when nothing is typed; undefined if they can't be counted.
   *
   * @throws ResponseError RequestCancelled or ContentModified
   */
  async total(job: Job): Promise<number | undefined> {
    const { document } = job
    await whenIdle(job)
    if (!(await this.count(job, segmentsOf(document)))) return undefined
    let total = 0
    const iterator = segmentsOf(document)
    await inSlices(job, () => {
      const next = iterator.next()
      if (!next.done) total += this.known(document, next.value)?.all ?? 0
      return next.done === true
    })
    return total
  }

  /**
   * As {@link count}, for what is on the screen: at once, unless a message is so long that it has to wait until typing stops.
   *
   * @throws ResponseError RequestCancelled or ContentModified
   */
  async countVisible(job: Job, segments: readonly Segment[]): Promise<boolean> {
    const isLong = (it: Segment) => it.length > longMessage && !this.known(job.document, it)
    if (segments.some(isLong)) await whenIdle(job)
    return this.count(job, segments)
  }

  async #countBatch(batch: readonly Uncounted[], settings: DocumentSettings): Promise<boolean> {
    const texts = batch.flatMap(({ header, body }) => [...header, ...body])
    const counts = texts.length === 0 ? [] : await this.#counter.count(texts)
    if (!counts) return false
    let at = 0
    const sum = (number: number) => {
      let result = 0
      for (const end = at + number; at < end; at++) result += counts[at] ?? 0
      return result
    }
    for (const { segment, isOpenEnd, specials, header, body } of batch) {
      const ofHeader = sum(header.length)
      const ofBody = sum(body.length)
      const count = { all: specials + ofHeader + ofBody, body: ofBody }
      this.#remembered.set(segment, { settings, isOpenEnd, count })
    }
    return true
  }

  /** Looked for once per state of the document. */
  #endOf(document: OpenDocument): Segment | undefined {
    const { generation } = document
    const known = this.#ends.get(document)
    if (known?.generation === generation) return known.end
    const end = openEnd(document.analysis)
    this.#ends.set(document, { generation, end })
    return end
  }
}

function* segmentsOf({ transcript }: OpenDocument): Generator<Segment, void, undefined> {
  for (const { segment } of transcript.segments()) yield segment
}
