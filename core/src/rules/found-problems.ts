/** What rules found, per segment and relative to it: nothing here moves when text before it is edited. */
import type { Analysis } from '../semantics/analysis.ts'
import type { Segment } from '../syntax/segment.ts'
import { isEqualData } from '../text/equal-data.ts'
import type { Finding, Rule } from './rule.ts'

/** A finding and the rule that found it. */
export interface RuleFinding {
  readonly rule: Rule
  readonly finding: Finding
}

/** A segment with problems and where it is at the moment; stale after the next edit. */
export interface FlaggedSegment {
  readonly segment: Segment
  /** Zero-based position in the document. */
  readonly index: number
  /** UTF-16 offset of the segment's first code unit in the document. */
  readonly start: number
  /** Compare by identity: the same as long as the segment has the same problems at the same places in it. */
  readonly mark: object
}

const nothing: readonly RuleFinding[] = []

const sortAtMost = 2000 // beyond that, walking the document up to the limit is cheaper than sorting all of it
const keptSegments = 10_000 // with problems: more than anyone reads, and a hostile text has millions

/** The findings in a document. Of segments beyond the first thousands it knows how many, and has them found again if asked. */
export class FoundProblems {
  readonly #findAgain: (segment: Segment) => readonly RuleFinding[]
  /** The findings of a segment, or how many. */
  readonly #found = new Map<Segment, readonly RuleFinding[] | number>()
  #nKept = 0
  #total = 0
  #revision = 0

  /** `findAgain` answers what was found in a segment, which is only known as a number. */
  constructor(findAgain: (segment: Segment) => readonly RuleFinding[]) {
    this.#findAgain = findAgain
  }

  /** How many findings there are. */
  get total(): number {
    return this.#total
  }

  /** Grows whenever the findings change. */
  get revision(): number {
    return this.#revision
  }

  /** What was found in `segment`; known from now on. */
  of(segment: Segment): readonly RuleFinding[] {
    const found = this.look(segment)
    if (typeof this.#found.get(segment) === 'number') this.#put(segment, found)
    return found
  }

  /** What was found in `segment`; if that is only known as a number, it stays so. */
  look(segment: Segment): readonly RuleFinding[] {
    const found = this.#found.get(segment) ?? nothing
    return typeof found === 'number' ? this.#findAgain(segment) : found
  }

  /** The segments with findings, in no particular order. */
  segments(): IterableIterator<Segment> {
    return this.#found.keys()
  }

  /** Puts `found` in the place of what was found in `segment` before. */
  set(segment: Segment, found: readonly RuleFinding[]): void {
    if (found.length === 0 && !this.#found.has(segment)) return
    this.#revision++
    this.#put(segment, found)
  }

  /** Puts what is found at the first look at `segment`; of many segments, only how much it is. */
  setFirst(segment: Segment, found: readonly RuleFinding[]): void {
    if (this.#nKept < keptSegments || found.length === 0) {
      this.set(segment, found)
      return
    }
    this.set(segment, nothing)
    this.#revision++
    this.#found.set(segment, found.length)
    this.#total += found.length
  }

  #put(segment: Segment, found: readonly RuleFinding[]): void {
    const before = this.#found.get(segment) ?? nothing
    const isKnown = typeof before !== 'number'
    this.#total += found.length - (isKnown ? before.length : before)
    if (isKnown && before.length > 0) this.#nKept--
    if (found.length > 0) this.#nKept++
    if (found.length === 0) this.#found.delete(segment)
    else this.#found.set(segment, found)
  }

  /** As {@link set}, but what comes out the same stays the same object. */
  setIfChanged(segment: Segment, found: readonly RuleFinding[]): void {
    const before = this.#found.get(segment) ?? nothing
    if (typeof before === 'number' || !isSame(before, found)) this.set(segment, found)
  }

  /** The segments with findings in order, at least as many as `limit` findings need. */
  inOrder({ transcript }: Analysis, limit: number): readonly FlaggedSegment[] {
    const flagged: FlaggedSegment[] = []
    if (this.#found.size <= sortAtMost) {
      for (const segment of this.#found.keys()) {
        const place = transcript.locate(segment)
        if (place) flagged.push({ segment, index: place.index, start: place.start, mark: this.of(segment) })
      }
      return flagged.sort((one, other) => one.index - other.index)
    }
    let nFound = 0
    for (const { segment, index, start } of transcript.segments()) {
      if (!this.#found.has(segment)) continue
      const mark = this.of(segment)
      flagged.push({ segment, index, start, mark })
      nFound += mark.length
      if (nFound >= limit) break
    }
    return flagged
  }
}

function isSame(before: readonly RuleFinding[], after: readonly RuleFinding[]): boolean {
  if (before.length !== after.length) return false
  return before.every((it, index) => {
    const other = after[index]
    return it.rule === other?.rule && isSameFinding(it.finding, other.finding)
  })
}

/** Compares by part: one on demand is an object of a class. */
function isSameFinding(one: Finding, other: Finding): boolean {
  return findingParts.every((part) => isEqualData(one[part], other[part]))
}

const findingParts = Object.keys({
  span: true,
  message: true,
  severity: true,
  related: true,
  fixes: true,
  isOnTemplate: true,
  tag: true,
} satisfies Record<keyof Finding, true>) as (keyof Finding)[]
