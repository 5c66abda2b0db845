/** What rules found, per segment and relative to it: nothing here moves when text before it is edited. */
import type { Analysis } from '../semantics/analysis.ts'
import type { Segment } from '../syntax/segment.ts'
import type { Finding, Rule } from './rule.ts'

/** A finding and the rule that found it. */
export interface RuleFinding {
  readonly rule: Rule
  readonly finding: Finding
}

/** A segment with problems and where it stands at the moment; stale after the next edit. */
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

/** The findings in a document. */
export class FoundProblems {
  readonly #found = new Map<Segment, readonly RuleFinding[]>()
  #total = 0
  #revision = 0

  /** How many findings there are. */
  get total(): number {
    return this.#total
  }

  /** Grows whenever the findings change. */
  get revision(): number {
    return this.#revision
  }

  /** What was found in `segment`. */
  of(segment: Segment): readonly RuleFinding[] {
    return this.#found.get(segment) ?? nothing
  }

  /** True if something was found in `segment`. */
  has(segment: Segment): boolean {
    return this.#found.has(segment)
  }

  /** Puts `found` in the place of what was found in `segment` before. */
  set(segment: Segment, found: readonly RuleFinding[]): void {
    const before = this.of(segment)
    if (found.length === 0 && before.length === 0) return
    this.#revision++
    this.#total += found.length - before.length
    if (found.length === 0) this.#found.delete(segment)
    else this.#found.set(segment, found)
  }

  /** As {@link set}, but what comes out the same stays the same object. */
  setIfChanged(segment: Segment, found: readonly RuleFinding[]): void {
    if (!isSame(this.of(segment), found)) this.set(segment, found)
  }

  /** The segments with findings in order, at least as many as `limit` findings need. */
  inOrder({ transcript }: Analysis, limit: number): readonly FlaggedSegment[] {
    const flagged: FlaggedSegment[] = []
    if (this.#found.size <= sortAtMost) {
      for (const [segment, mark] of this.#found) {
        const place = transcript.locate(segment)
        if (place) flagged.push({ segment, index: place.index, start: place.start, mark })
      }
      return flagged.sort((one, other) => one.index - other.index)
    }
    let nFound = 0
    for (const { segment, index, start } of transcript.segments()) {
      const mark = this.#found.get(segment)
      if (!mark) continue
      flagged.push({ segment, index, start, mark })
      nFound += mark.length
      if (nFound >= limit) break
    }
    return flagged
  }
}

function isSame(before: readonly RuleFinding[], after: readonly RuleFinding[]): boolean {
  if (before.length !== after.length) return false
  return before.every(
    (it, index) => it.rule === after[index]?.rule && isEqual(it.finding, after[index].finding),
  )
}

/** Compares findings in depth, except for segments: they count as the objects that they are. */
function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false
  if (!isPlain(one) || !isPlain(other)) return false
  const keys = Object.keys(one)
  if (keys.length !== Object.keys(other).length) return false
  return keys.every((key) => isEqual(one[key], other[key]))
}

/** True for lists and objects without class, the parts that findings are made of. */
function isPlain(value: object): value is { readonly [key: string]: unknown } {
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === Array.prototype
}
