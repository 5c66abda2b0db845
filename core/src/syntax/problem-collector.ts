/**
 * Collects what is wrong with one message. Of each kind, so many are kept one by one as anyone reads; of the others only how
 * many there are, because a text made for it has millions of them.
 */
import type { Span } from '../text/range.ts'
import type { SyntaxProblem, SyntaxProblemKind, SyntaxSurplus } from './syntax-problem.ts'

/** So many problems of each kind are kept one by one. */
export const keptOfEachKind = 1000

/** How many problems of a kind there are. */
interface KindCount {
  readonly kind: SyntaxProblemKind
  nKept: number
  /** Those that are only counted, and where the first of them is. */
  nOthers: number
  from: number
  to: number
}

/** The problems of one message, in order of the text when asked for. */
export class ProblemCollector {
  readonly #kept: SyntaxProblem[] = []
  /** Those of the kind added last are first. */
  readonly #counts: KindCount[] = []

  /** Takes in a problem, relative to the segment. Those of the same kind come in order of the text. */
  add(kind: SyntaxProblemKind, from: number, to: number): void {
    const first = this.#counts[0]
    const count = first?.kind === kind ? first : this.#countOf(kind)
    if (count.nKept < keptOfEachKind) {
      count.nKept++
      this.#kept.push({ kind, span: { from, to } })
      return
    }
    if (count.nOthers++ > 0) return
    count.from = from
    count.to = to
  }

  /** Takes in `n` problems of a kind of which so many are kept that these are only counted; `span` is that of the first. */
  count(kind: SyntaxProblemKind, n: number, { from, to }: Span): void {
    this.add(kind, from, to)
    this.#countOf(kind).nOthers += n - 1
  }

  /** The problems that are kept, in order of the text. */
  get problems(): readonly SyntaxProblem[] {
    return this.#kept.sort((one, other) => one.span.from - other.span.from)
  }

  /** What is only counted. */
  get surplus(): readonly SyntaxSurplus[] {
    return this.#counts
      .filter(({ nOthers }) => nOthers > 0)
      .sort((one, other) => one.from - other.from)
      .map(({ kind, nOthers, from, to }) => ({ kind, count: nOthers, span: { from, to } }))
  }

  #countOf(kind: SyntaxProblemKind): KindCount {
    const index = this.#counts.findIndex((it) => it.kind === kind)
    const [known] = index === -1 ? [] : this.#counts.splice(index, 1)
    const count = known ?? { kind, nKept: 0, nOthers: 0, from: 0, to: 0 }
    this.#counts.unshift(count)
    return count
  }
}
