/** Acts one after the other, in the order in which they were asked for. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  /** Does `act` once those before it are done, whether they failed or not. */
  take<Result>(act: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(act)
    this.#last = result.catch(() => undefined) // the caller gets the error
    return result
  }
}
