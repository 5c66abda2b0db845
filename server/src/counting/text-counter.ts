/** Counts the tokens of texts on a thread of its own, which is started when the first text comes. */
import { localize } from '../../../core/src/internal.ts'
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
  readonly request: ThreadRequest
  done(answer: ThreadAnswer | undefined | 'late'): void
}

/** For one answer: the largest vocabularies load in a few seconds, and 10 MB of ordinary text take about two. */
const longestWait = 30 // seconds

/**
 * Counts until its thread fails; from then on it answers that it does not know. What takes the thread too long ends it, and
 * the other requests go to another thread: a vocabulary or a text of a stranger can't stall it.
 */
export class TextCounter {
  readonly #start: StartCounting | undefined
  readonly #log: Log
  readonly #waiting = new Map<number, Waiting>()
  #thread: CountThread | undefined
  #deadline: ReturnType<typeof setTimeout> | undefined
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

  /** How many tokens each text has, in the order that was asked; undefined if they can't be counted. Never fails. */
  async count(texts: readonly string[]): Promise<readonly number[] | undefined> {
    const answer = await this.#ask((id) => ({ id, texts }))
    return typeof answer === 'object' && 'counts' in answer ? answer.counts : undefined
  }

  /** A sample as a model is trained on it; undefined if it can't be rendered. Never fails. */
  async render(request: Omit<RenderRequest, 'id'>): Promise<Rendering | undefined> {
    const answer = await this.#ask((id) => ({ ...request, id }))
    if (answer === 'late')
      return { kind: 'tokenizer', problem: localize`rendering takes more than ${longestWait} seconds` }
    return answer && 'rendering' in answer ? answer.rendering : undefined
  }

  #ask(requestOf: (id: number) => ThreadRequest): Promise<ThreadAnswer | undefined | 'late'> {
    const thread = this.#startedThread()
    if (!thread) return Promise.resolve(undefined)
    const id = ++this.#requests
    const request = requestOf(id)
    return new Promise((done) => {
      this.#waiting.set(id, { request, done })
      if (this.#waiting.size === 1) this.#awaitAnswer()
      thread.post(request)
    })
  }

  /** Gives the thread its time for the next answer, if one is due. */
  #awaitAnswer(): void {
    clearTimeout(this.#deadline)
    if (this.#waiting.size > 0) this.#deadline = setTimeout(() => this.#stopLate(), 1000 * longestWait)
  }

  /** Gives up what the thread works on: requests are answered in turn. */
  #stopLate(): void {
    this.#thread?.end()
    this.#thread = undefined
    this.#log(`counting tokens: no answer within ${longestWait} seconds`)
    const [late] = this.#waiting
    if (late) {
      this.#waiting.delete(late[0])
      late[1].done('late')
    }
    this.#awaitAnswer()
    const thread = this.#waiting.size > 0 ? this.#startedThread() : undefined
    for (const { request } of [...this.#waiting.values()]) thread?.post(request)
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
    this.#awaitAnswer()
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
    clearTimeout(this.#deadline)
  }
}
