/**
 * How much processor time work takes. The system is asked for that only now and then: where each question is a call out of a sandbox,
 * a question before and after each short piece takes as long as the pieces.
 */

const askedAfter = 10 // milliseconds of work

/** Sums up the processor time of pieces of work. */
export class WorkTime {
  readonly #cpuTime: () => number
  readonly #begun: number
  #spent = 0
  /** The time of the pieces since {@link #asked}, by the clock on the wall. */
  #unasked = 0
  /** The processor time of all threads when the system was last asked. */
  #asked: number

  /** @param cpuTime the processor time of all threads, in milliseconds */
  constructor(cpuTime = processCpuTime) {
    this.#cpuTime = cpuTime
    this.#begun = this.#asked = cpuTime()
  }

  /** Adds a piece of work that took this long by the clock on the wall. */
  add(milliseconds: number): void {
    this.#unasked += milliseconds
    if (this.#unasked < askedAfter) return
    const now = this.#cpuTime()
    this.#spent += Math.min(this.#unasked, now - this.#asked) // on a busy machine, the clock runs for others, too
    this.#unasked = 0
    this.#asked = now
  }

  /** The processor time of the work, in milliseconds: at most a few less than it was. */
  get spent(): number {
    return this.#spent
  }

  /** The share of the work in the processor time of the whole program since the beginning. */
  get share(): number {
    return this.#spent / (this.#cpuTime() - this.#begun)
  }
}

function processCpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
