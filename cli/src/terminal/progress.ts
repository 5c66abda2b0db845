/** A line on the terminal that shows the progress of a long run, and that is removed when it ends. */

/** What the line is written to: standard error. */
export interface ProgressStream {
  readonly isTTY?: boolean | undefined
  write(text: string): unknown
}

const interval = 100 // milliseconds: quick enough to be seen to move, slow enough to cost nothing
const eraseLine = '\r\u001b[K'

/** Shows nothing unless a person watches. */
export class Progress {
  readonly #stream: ProgressStream
  readonly #now: () => number
  #isShown = false
  #last: number

  constructor(stream: ProgressStream, now: () => number = () => performance.now()) {
    this.#stream = stream
    this.#now = now
    this.#last = now()
  }

  /** Shows a text, which must have no control characters, unless something was shown a moment ago; only then is it asked for. */
  show(text: () => string): void {
    if (this.#stream.isTTY !== true || this.#now() - this.#last < interval) return
    this.#last = this.#now()
    this.#isShown = true
    this.#stream.write(`${eraseLine}${text()}`)
  }

  /** Takes the line away; to be called before anything else is printed. */
  clear(): void {
    if (!this.#isShown) return
    this.#isShown = false
    this.#stream.write(eraseLine)
  }
}
