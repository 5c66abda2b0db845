/** The review file of one dataset: what it says, and what is appended to it, in this window and in others. */
import { Review, type ReviewLine, readReview, writeReviewLine } from '../../../core/src/internal.ts'
import type { ReviewAccess } from './review-access.ts'

/** A review file that is in use. */
export class ReviewStore {
  readonly #access: ReviewAccess
  readonly #listeners = new Set<(line?: ReviewLine) => void>()
  #text = ''
  #review = new Review()
  #nBroken = 0
  #loading: Promise<void> | undefined
  #turn: Promise<void> = Promise.resolve()

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
    return this.#inTurn(() => this.#read())
  }

  /** Appends `line`. When this resolves, it is in the file. @throws what the file system reports; then nothing is said */
  append(line: ReviewLine): Promise<void> {
    return this.#inTurn(async () => {
      await this.#access.append(`${writeReviewLine(line)}\n`)
      this.#review.add(line)
      this.#tell(line)
    })
  }

  /** Calls `listener` when something else is said: with the line that this window appended, or without one. */
  onChanged(listener: (line?: ReviewLine) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async #read(): Promise<void> {
    const text = (await this.#access.read()) ?? ''
    const before = this.#text
    if (text === before) return
    this.#text = text
    // Usually lines were appended: those of this window, which say the same again, and those of others.
    const isLonger = before.endsWith('\n') && text.startsWith(before)
    const { review, mistakes } = isLonger
      ? readReview(text.slice(before.length), undefined, this.#review)
      : readReview(text)
    this.#review = review
    this.#nBroken = mistakes.length + (isLonger ? this.#nBroken : 0)
    this.#tell()
  }

  /** One after the other, so that what is read is never older than what was written. */
  #inTurn(act: () => Promise<void>): Promise<void> {
    const result = this.#turn.then(act)
    this.#turn = result.catch(() => undefined) // who asked is told
    return result
  }

  #tell(line?: ReviewLine): void {
    for (const listener of [...this.#listeners]) listener(line)
  }
}
