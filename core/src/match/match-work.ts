/** How much work a comparison may be: conversations may come from anyone, and with them expressions and long texts. */
import { localize } from '../text/localize.ts'

/** Thrown where two conversations have too much in common, or too little, to be compared. */
export class MatchLimit extends Error {
  override readonly name = 'MatchLimit'

  constructor() {
    super(localize`The conversations are too long to be compared in this mode`)
  }
}

const mostWork = 2_000_000_000 // characters, each times the states of an expression; about ten seconds at worst, see the test

/** The work of one comparison. */
export class MatchWork {
  #left = mostWork

  /** Adds `amount`: characters, each times the states of the expression that it is matched with. @throws MatchLimit */
  spend(amount: number): void {
    this.#left -= amount
    if (this.#left < 0) throw new MatchLimit()
  }
}
