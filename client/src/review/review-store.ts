/** The review file of one dataset: what it says, and what is appended to it, in this window and in others. */

import { Review, type ReviewLine, readReview, writeReviewLine } from '../../../core/src/internal.ts'
import { Turns } from '../in-turn.ts'
import type { ReviewAccess } from './review-access.ts'

const mostTold = 100 // lines that are reported one by one

/** A review file that is in use. */
export class ReviewStore {
  readonly #access: ReviewAccess
  readonly #listeners = new Set<(line?: ReviewLine) => void>()
  #text = ''
  /** What this window appended since the file was read last. */
  #appended = ''
  #review = new Review()
  #nBroken = 0
  #loading: Promise<void> | undefined
  /** What is read is never older than what was written. */
  readonly #turns = new Turns()

  constructor(access: ReviewAccess) {
    this.#access = access
  }

  /** What is said. */
  get review(): Review {
    return this.#review
  }

  /** Lines that cannot be read, and are ignored. */
  get nBroken(): number {
    return this.#nBroken
  }

  /** Reads the file, once. @throws what its file system reports */
  load(): Promise<void> {
    this.#loading ??= this.refresh().catch((error) => {
      this.#loading = undefined
      throw error
    })
    return this.#loading
  }

  /** Reads the file again: another program may have appended to it. @throws what its file system reports */
  refresh(): Promise<void> {
    return this.#turns.take(() => this.#read())
  }

  /** Appends `line`. When this resolves, it is in the file. @throws what the file system reports; then nothing is said */
  append(line: ReviewLine): Promise<void> {
    return this.#turns.take(async () => {
      const text = `${writeReviewLine(line)}\n`
      await this.#access.append(text)
      this.#appended += text
      this.#review.add(line)
      this.#tell(line)
    })
  }

  /** Calls `listener` when something else is said: with a line that was appended, or without one if anything may be different. */
  onChanged(listener: (line?: ReviewLine) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async #read(): Promise<void> {
    const text = (await this.#access.read()) ?? ''
    const [before, appended] = [this.#text, this.#appended]
    if (text === before) return
    this.#text = text
    this.#appended = ''
    const isLonger = (before === '' || before.endsWith('\n')) && text.startsWith(before)
    if (!isLonger) {
      const { review, mistakes } = readReview(text)
      this.#review = review
      this.#nBroken = mistakes.length
      this.#tell()
      return
    }
    const added = text.slice(before.length)
    if (added === appended) return
    // Lines of others, and between them those of this window, which say the same again: the last one counts.
    const { lines, mistakes } = readReview(added, undefined, this.#review)
    this.#nBroken += mistakes.length
    if (lines.length > mostTold) this.#tell()
    else for (const line of lines) this.#tell(line)
  }

  #tell(line?: ReviewLine): void {
    for (const listener of [...this.#listeners]) listener(line)
  }
}
