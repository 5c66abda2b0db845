/** Counts the tokens of texts on a thread of its own, which is started when the first text comes. */
import type { Log } from '../guard.ts'
import { describe } from '../guard.ts'
import type { CountAnswer, CountThread, StartCounting } from './count-protocol.ts'

interface Waiting {
  done(counts: readonly number[] | undefined): void
}

/** Counts until its thread fails; from then on it answers that it does not know. */
export class TextCounter {
  readonly #start: StartCounting | undefined
  readonly #log: Log
  readonly #waiting = new Map<number, Waiting>()
  #thread: CountThread | undefined
  #hasFailed = false
  #requests = 0

  /** @param start undefined where no thread can be had */
  constructor(start: StartCounting | undefined, log: Log) {
    this.#start = start
    this.#log = log
  }

  /** True while there is hope for an answer. */
  get canCount(): boolean {
    return this.#start !== undefined && !this.#hasFailed
  }

  /** How many tokens each text has, in the order that was asked; undefined if nobody can tell. Never fails. */
  count(texts: readonly string[]): Promise<readonly number[] | undefined> {
    const thread = this.#startedThread()
    if (!thread) return Promise.resolve(undefined)
    const id = ++this.#requests
    return new Promise((done) => {
      this.#waiting.set(id, { done })
      thread.post({ id, texts })
    })
  }

  /** Ends the thread; the next text starts another one. */
  rest(): void {
    this.#thread?.end()
    this.#thread = undefined
    this.#giveUpWaiting()
  }

  #startedThread(): CountThread | undefined {
    if (this.#thread || !this.canCount) return this.#thread
    try {
      this.#thread = this.#start?.({
        answered: (answer) => this.#answered(answer),
        failed: (error) => this.#failed(error),
      })
    } catch (error) {
      this.#failed(error)
    }
    return this.#thread
  }

  #answered({ id, counts }: CountAnswer): void {
    this.#waiting.get(id)?.done(counts)
    this.#waiting.delete(id)
  }

  #failed(error: unknown): void {
    this.#hasFailed = true
    this.#thread = undefined
    this.#log(describe('counting tokens', error))
    this.#giveUpWaiting()
  }

  #giveUpWaiting(): void {
    for (const { done } of this.#waiting.values()) done(undefined)
    this.#waiting.clear()
  }
}
