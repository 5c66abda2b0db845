/** Long work in short slices, so that the editor answers in between. */

const sliceMilliseconds = 10 // shorter than a frame

/** What a user does takes several steps, such as a write, and a slice between any two of them would be felt. */
const heldMilliseconds = 200

let heldUntil = 0

/** Long work waits for a moment: a user waits for an answer. */
export function holdSlices(): void {
  heldUntil = performance.now() + heldMilliseconds
}

/** Decides when to pause. */
export class Slices {
  #begun = performance.now()

  /** Lets others work if this slice is over. */
  async pause(): Promise<void> {
    if (performance.now() - this.#begun < sliceMilliseconds) return
    do await new Promise<void>((done) => setTimeout(done, Math.max(0, heldUntil - performance.now())))
    while (performance.now() < heldUntil)
    this.#begun = performance.now()
  }
}
