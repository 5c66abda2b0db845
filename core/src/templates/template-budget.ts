/**
 * What a template may use (S15). Work is counted, not timed, so a template that fails does so on every machine: one unit
 * for each expression and statement, for each element of a list, and for each 16 characters that are made or searched.
 */
import { TemplateFault } from './template-problem.ts'

const mostWork = 3_000_000 // a published template takes a few hundred for each message; this many take less than 2 s
/** The most characters that a rendering, or a value on the way to it, may have. */
export const mostText = 64 << 20
const mostDepth = 150 // macros that call each other, and tags inside each other; an expression in parentheses is several deep

/** Counts what one rendering uses. */
export class TemplateBudget {
  /** What is left. */
  units: number
  #depth = 0

  /** @param most units, for one of several renderings that may use no more together */
  constructor(most = mostWork) {
    this.units = Math.min(most, mostWork)
  }

  /** @throws TemplateFault when it is used up, also for a number that is not one */
  spend(units: number): void {
    this.units -= units
    if (!(this.units >= 0)) throw new TemplateFault('limit', 'The template takes too long')
  }

  /** A text of `length` characters is made or searched. @throws TemplateFault if it is too long */
  spendText(length: number): void {
    if (!(length <= mostText)) throw new TemplateFault('limit', 'The template writes more than 64 MB')
    this.spend(1 + (length >>> 4))
  }

  /** The characters of a text of `length` code units become values of their own. @throws TemplateFault */
  spendCharacters(length: number): void {
    this.spend(1 + (length >>> 2))
  }

  /** Does `work` one level deeper. @throws TemplateFault where that is too deep */
  nest<T>(work: () => T): T {
    this.enter()
    try {
      return work()
    } finally {
      this.leave()
    }
  }

  /** Goes one level deeper; {@link leave} goes back. @throws TemplateFault where that is too deep; nothing has to be left then */
  enter(): void {
    if (this.#depth >= mostDepth) throw new TemplateFault('limit', 'The template is nested too deeply')
    this.#depth++
  }

  leave(): void {
    this.#depth--
  }
}
