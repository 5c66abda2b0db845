/** Long work in short slices, so that the editor answers in between. */

const sliceMilliseconds = 10 // shorter than a frame

/** Tells when to pause. */
export class Slices {
  #begun = performance.now()

  /** Lets others work if this slice is over. */
  async pause(): Promise<void> {
    if (performance.now() - this.#begun < sliceMilliseconds) return
    await new Promise<void>((done) => setTimeout(done, 0))
    this.#begun = performance.now()
  }
}
