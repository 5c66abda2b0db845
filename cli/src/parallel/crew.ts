/** Does pieces of work on all cores, or here where there is too little to do for more. */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { failureText } from '../../../core/src/internal.ts'
import { WorkError } from './failure.ts'
import type { Answer, Order, WorkerSetup } from './thread-messages.ts'
import { type Doing, startWork, type Works } from './work.ts'
import { WorkTime } from './work-time.ts'

/** How a crew works. */
export interface CrewOptions {
  /** How many threads at most, once there is work for them; undefined for as many as there are cores, once the work turns out to be long. */
  readonly jobs: number | undefined
  /** The program that workers run; by default this one. */
  readonly program?: string
}

const longEnough = 150 // milliseconds of CPU time: what it takes to start workers and make them quick
const largeShare = 0.25 // of all CPU time: where the rest takes most, as in a search for a rare word, workers would wait
const largeEnough = 8 * 2 ** 20 // bytes that take longer than that
// With a number of threads, they start earlier; but 15 tiny files take twice as long with threads as without.
const worthThreads = 256 * 2 ** 10 // bytes
const leastPiece = 4 * 2 ** 10 // bytes: what opening a file costs counts, too
const waitingPerWorker = 3 // so that a worker never waits for its next piece

/** Threads that do one kind of work, and this one. */
export class Crew<Name extends keyof Works> {
  readonly #name: Name
  readonly #setup: Works[Name]['setup']
  readonly #jobs: number
  readonly #isNumbered: boolean
  #isLong = false
  /** Bytes so far. */
  #nBytes = 0
  readonly #program: string
  readonly #workers: Member<Works[Name]['result']>[] = []
  #here: Promise<Doing<Works[Name]>> | undefined
  readonly #timeHere = new WorkTime()

  constructor(name: Name, setup: Works[Name]['setup'], { jobs, program }: CrewOptions) {
    this.#name = name
    this.#setup = setup
    this.#jobs = jobs ?? availableParallelism()
    this.#isNumbered = jobs !== undefined
    this.#program = program ?? join(__dirname, 'ocm.js')
  }

  /** How many pieces should be on their way at the moment. */
  get room(): number {
    return this.#isParallel ? waitingPerWorker * this.#jobs : 1
  }

  /** Does one piece, of that many bytes; a stretch of a dataset counts as enough. A bug in it does not end the run: it is the result. */
  async run(input: Works[Name]['input'], bytes?: number): Promise<Works[Name]['result'] | WorkError> {
    this.#nBytes += Math.max(leastPiece, bytes ?? worthThreads)
    if ((bytes ?? 0) > largeEnough || (this.#isNumbered && this.#nBytes >= worthThreads)) this.#isLong = true
    if (!this.#isParallel) return this.runHere(input)
    return new Promise((done) => {
      this.#leastBusy().do({ input, done })
    })
  }

  /** Does one piece in this thread. */
  async runHere(input: Works[Name]['input']): Promise<Works[Name]['result'] | WorkError> {
    this.#here ??= startWork(this.#name, this.#setup)
    const work = await this.#here
    const begun = performance.now()
    const count = () => this.#timeHere.add(performance.now() - begun)
    try {
      const result = work(input)
      if (!(result instanceof Promise))
        count() // before anything else goes on
      else result.finally(count).catch(() => undefined)
      return await result
    } catch (error) {
      return new WorkError(failureText(error))
    }
  }

  /** Ends the threads, whatever they do. */
  async close(): Promise<void> {
    await Promise.all(this.#workers.splice(0).map((it) => it.end()))
  }

  get #isParallel(): boolean {
    this.#isLong ||= this.#jobs > 1 && isLong(this.#timeHere)
    return this.#jobs > 1 && this.#isLong
  }

  #leastBusy(): Member<Works[Name]['result']> {
    const living = this.#workers.filter((it) => it.isAlive)
    const idle = living.find((it) => it.load === 0)
    if (idle) return idle
    if (living.length < this.#jobs) {
      const setup = { name: this.#name, setup: this.#setup }
      const member = new Member<Works[Name]['result']>(this.#program, setup, (orphans) => {
        for (const it of orphans) this.#leastBusy().do(it)
      })
      this.#workers.push(member)
      return member
    }
    return living.reduce((best, it) => (it.load < best.load ? it : best))
  }
}

/** True if workers are worth their start. What is still to do is likely to be as much again, and of that they save about the share. */
function isLong(time: WorkTime): boolean {
  if (time.spent <= longEnough) return false
  const { share } = time
  return share > largeShare && time.spent * share > longEnough
}

/** A piece of work and who waits for it. */
interface Task<Result> {
  readonly input: unknown
  done(result: Result | WorkError): void
}

/** A thread. */
class Member<Result> {
  readonly #worker: Worker
  readonly #onOrphans: (tasks: readonly Task<Result>[]) => void
  /** In the order in which they are done. */
  readonly #tasks = new Map<number, Task<Result>>()
  #nextId = 0
  isAlive = true

  /** @param onOrphans takes what a thread that ended had not begun */
  constructor(program: string, setup: WorkerSetup, onOrphans: (tasks: readonly Task<Result>[]) => void) {
    this.#onOrphans = onOrphans
    this.#worker = new Worker(program, {
      workerData: setup,
      stdout: true, // a thread answers; what else it prints is no result
      // The default of Node 20: with more, the work is hardly faster, and each thread is larger.
      resourceLimits: { maxYoungGenerationSizeMb: 48 },
    })
    this.#worker.stdout.resume()
    this.#worker.on('message', (answer: Answer<Result>) => {
      const task = this.#tasks.get(answer.id)
      this.#tasks.delete(answer.id)
      task?.done('problem' in answer ? new WorkError(answer.problem) : answer.result)
    })
    this.#worker.on('error', (error) => this.#fail(`a worker ended: ${failureText(error)}`))
    this.#worker.on('exit', (code) => this.#fail(`a worker ended with status ${code}`))
  }

  /** How many pieces it has. */
  get load(): number {
    return this.#tasks.size
  }

  do(task: Task<Result>): void {
    const id = this.#nextId++
    this.#tasks.set(id, task)
    const order: Order = { id, input: task.input }
    this.#worker.postMessage(order)
  }

  async end(): Promise<void> {
    this.isAlive = false
    this.#tasks.clear()
    await this.#worker.terminate()
  }

  /** What it was doing has ended it, and fails; the rest is for others. */
  #fail(problem: string): void {
    if (!this.isAlive) return
    this.isAlive = false
    const [first, ...others] = this.#tasks.values()
    this.#tasks.clear()
    first?.done(new WorkError(problem))
    this.#onOrphans(others)
  }
}
