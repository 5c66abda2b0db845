/** Counts the tokens of texts on a thread of its own, which is started when the first text comes. */
import type { Log } from '../guard.ts'
import { describe } from '../guard.ts'
import type {
  CountThread,
  Rendering,
  RenderRequest,
  StartCounting,
  ThreadAnswer,
  ThreadRequest,
} from './count-protocol.ts'

interface Waiting {
  done(answer: ThreadAnswer | undefined): void
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
  async count(texts: readonly string[]): Promise<readonly number[] | undefined> {
    const answer = await this.#ask((id) => ({ id, texts }))
    return answer && 'counts' in answer ? answer.counts : undefined
  }

  /** A sample as a model is trained on it; undefined if nobody can tell. Never fails. */
  async render(request: Omit<RenderRequest, 'id'>): Promise<Rendering | undefined> {
    const answer = await this.#ask((id) => ({ ...request, id }))
    return answer && 'rendering' in answer ? answer.rendering : undefined
  }

  #ask(request: (id: number) => ThreadRequest): Promise<ThreadAnswer | undefined> {
    const thread = this.#startedThread()
    if (!thread) return Promise.resolve(undefined)
    const id = ++this.#requests
    return new Promise((done) => {
      this.#waiting.set(id, { done })
      thread.post(request(id))
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

  #answered(answer: ThreadAnswer): void {
    this.#waiting.get(answer.id)?.done(answer)
    this.#waiting.delete(answer.id)
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
