/** Threads that read columns, in Node: all cores but one, so that the editor stays quick (S6). */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { ColumnAnswer, ColumnOrder, ColumnThreads } from './column-work.ts'

const ordersPerThread = 2 // so that a thread never waits for its next one

/** What a thread answers. */
export type ThreadAnswer = { readonly answer: ColumnAnswer } | { readonly failure: string }

/** Starts threads that run `program` as they are needed. */
export function columnThreads(
  program: string,
  most = Math.max(1, availableParallelism() - 1),
): ColumnThreads {
  const threads: Thread[] = []
  return {
    room: ordersPerThread * most,
    answer(order) {
      let thread = threads.find(({ load }) => load === 0)
      if (!thread && threads.length < most) {
        thread = new Thread(program)
        threads.push(thread)
      }
      thread ??= threads.reduce((least, it) => (it.load < least.load ? it : least))
      return thread.answer(order)
    },
    end() {
      for (const it of threads.splice(0)) it.end()
    },
  }
}

interface Waiting {
  done(answer: ColumnAnswer): void
  fail(error: Error): void
}

class Thread {
  readonly #worker: Worker
  /** In the order in which they are answered. */
  readonly #waiting: Waiting[] = []
  #failure: Error | undefined

  constructor(program: string) {
    this.#worker = new Worker(program)
    this.#worker.unref()
    this.#worker.on('message', (it: ThreadAnswer) => {
      const first = this.#waiting.shift()
      if ('answer' in it) first?.done(it.answer)
      else first?.fail(new Error(it.failure))
    })
    this.#worker.on('error', (error) => this.#end(error))
    this.#worker.on('exit', (code) => this.#end(new Error(`The thread ended with ${code}`)))
  }

  get load(): number {
    return this.#waiting.length
  }

  answer(order: ColumnOrder): Promise<ColumnAnswer> {
    return new Promise((done, fail) => {
      if (this.#failure) {
        fail(this.#failure)
        return
      }
      this.#waiting.push({ done, fail })
      this.#worker.postMessage(order)
    })
  }

  end(): void {
    this.#end(new Error('The thread was ended'))
    void this.#worker.terminate()
  }

  #end(error: Error): void {
    this.#failure ??= error
    for (const it of this.#waiting.splice(0)) it.fail(error)
  }
}
