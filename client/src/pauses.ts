/** Waits for a pause: what is asked for again and again is done once, when it is no longer asked for. */

/** Acts by what they concern, such as the address of a document. */
export class Pauses<Key> {
  readonly #milliseconds: number
  readonly #timers = new Map<Key, ReturnType<typeof setTimeout>>()

  /** @param milliseconds how long nothing is asked for before an act is done */
  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds
  }

  /** Does `act` after a pause, in the place of what was asked for `key` before. */
  after(key: Key, act: () => void): void {
    clearTimeout(this.#timers.get(key))
    const run = () => {
      this.#timers.delete(key)
      act()
    }
    this.#timers.set(key, setTimeout(run, this.#milliseconds))
  }

  /** Does nothing that was asked for any more. */
  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }
}
