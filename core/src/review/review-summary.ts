/** Adds up what is said about the samples of a dataset, one by one and in any order. */

import type { Decision } from '../vocabulary/decisions.ts'
import { decisionOf, type Review, sampleReview } from './review.ts'

/** How many samples of a dataset are decided on, and how. */
export interface ReviewSummary {
  readonly samples: number
  /** By decision, and `conflict` for samples that people decide on differently. */
  readonly decisions: ReadonlyMap<Decision | 'conflict', number>
  /** Samples that changed after they were decided on. */
  readonly stale: number
  /** Samples without a decision, stale ones not among them. */
  readonly undecided: number
  readonly labels: ReadonlyMap<string, number>
  readonly notes: number
  /** Decisions in force by who made them; empty for people without a name. */
  readonly people: ReadonlyMap<string, number>
}

/** A sample, known by where it is and by its hash. */
interface Candidate {
  readonly place: number
  readonly hash: string
}

/** Takes the samples of a dataset. It remembers only those that the review file may be about. */
export class ReviewCount {
  readonly #review: Review
  /** How many samples have each hash that the review file has. */
  readonly #present = new Map<string, number>()
  readonly #maybeStale: Candidate[] = []
  #samples = 0

  constructor(review: Review) {
    this.#review = review
  }

  /** Takes the next sample. */
  add(place: number, hash: string): void {
    this.#samples++
    if (!this.#review.has(hash)) {
      if (this.#review.hasPlace(place)) this.#maybeStale.push({ place, hash })
      return
    }
    increase(this.#present, hash)
  }

  /** True for the hash of a sample that is in the dataset and in the review file. */
  isPresent = (hash: string): boolean => this.#present.has(hash)

  /** The places of samples that changed after they were decided on, once all samples are known. */
  stalePlaces(): ReadonlySet<number> {
    const stale = this.#maybeStale.filter(
      ({ place, hash }) => this.#review.of(place, hash, this.isPresent).isStale,
    )
    return new Set(stale.map(({ place }) => place))
  }

  /** The sums, once all samples are known. */
  summary(): ReviewSummary {
    const decisions = new Map<Decision | 'conflict', number>()
    const labels = new Map<string, number>()
    const people = new Map<string, number>()
    let notes = 0
    for (const [hash, times] of this.#present) {
      const about = this.#review.of(0, hash) // its place matters only if it has changed
      const own = sampleReview(about)
      const decision = decisionOf(about)
      if (decision !== undefined) increase(decisions, decision, times)
      for (const it of own.labels) increase(labels, it, times)
      notes += times * own.notes
      for (const it of about.opinions) if (it.decision !== undefined) increase(people, it.by, times)
    }
    const decided = [...decisions.values()].reduce((sum, it) => sum + it, 0)
    const stale = this.stalePlaces().size
    return {
      samples: this.#samples,
      decisions,
      stale,
      undecided: this.#samples - decided - stale,
      labels,
      notes,
      people,
    }
  }
}

/** True if every sample is decided on, and nothing is left to fix or to settle. */
export function isReviewDone({ decisions, stale, undecided }: ReviewSummary): boolean {
  return stale + undecided + (decisions.get('conflict') ?? 0) + (decisions.get('fix') ?? 0) === 0
}

function increase<Key>(counts: Map<Key, number>, key: Key, times = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + times)
}
