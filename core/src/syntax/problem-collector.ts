/**
 * Collects what is wrong with one message. Of each kind, so many are kept one by one as anyone reads; of the others only how
 * many there are, because a text made for it has millions of them.
 */
import type { SyntaxProblem, SyntaxProblemKind, SyntaxSurplus } from './syntax-problem.ts'

const keptOfEachKind = 1000

/** The problems of one message, in order of the text when asked for. */
export class ProblemCollector {
  readonly #kept: SyntaxProblem[] = []
  /** How many of each kind are kept; only known once there are many. */
  #counts: Map<SyntaxProblemKind, number> | undefined
  #surplus: Map<SyntaxProblemKind, { count: number; from: number; to: number }> | undefined

  /** Takes in a problem, relative to the segment. Those of the same kind come in order of the text. */
  add(kind: SyntaxProblemKind, from: number, to: number): void {
    if (this.#kept.length >= keptOfEachKind && this.#isEnoughOf(kind)) this.#count(kind, from, to)
    else this.#kept.push({ kind, span: { from, to } })
  }

  /** The problems that are kept, in order of the text. */
  get problems(): readonly SyntaxProblem[] {
    return this.#kept.sort((one, other) => one.span.from - other.span.from)
  }

  /** What is only counted. */
  get surplus(): readonly SyntaxSurplus[] {
    if (!this.#surplus) return none
    return [...this.#surplus].map(([kind, { count, from, to }]) => ({ kind, count, span: { from, to } }))
  }

  #isEnoughOf(kind: SyntaxProblemKind): boolean {
    this.#counts ??= countsOf(this.#kept)
    const count = this.#counts.get(kind) ?? 0
    if (count >= keptOfEachKind) return true
    this.#counts.set(kind, count + 1)
    return false
  }

  #count(kind: SyntaxProblemKind, from: number, to: number): void {
    this.#surplus ??= new Map()
    const before = this.#surplus.get(kind)
    if (!before) {
      this.#surplus.set(kind, { count: 1, from, to })
      return
    }
    before.count++
    before.to = to
  }
}

const none: readonly never[] = []

function countsOf(problems: readonly SyntaxProblem[]): Map<SyntaxProblemKind, number> {
  const counts = new Map<SyntaxProblemKind, number>()
  for (const { kind } of problems) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}
