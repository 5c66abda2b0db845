/** What several people said about the samples of a dataset (S9). Later lines count more; nothing is ever removed. */
import type { SampleReview } from '../query/sample-view.ts'
import { perValue } from '../text/memo.ts'
import type { Decision } from '../vocabulary/decisions.ts'
import type { ReviewLine } from './review-line.ts'

/** What one person says about a sample now. */
export interface Opinion {
  /** Empty for a person without a name. */
  readonly by: string
  readonly decision: Decision | undefined
  readonly labels: readonly string[]
  /** The branch that the person prefers (S11), of a pair that is kept. */
  readonly branch: string | undefined
  /** About the sample as a whole. */
  readonly note: string | undefined
  /** Notes about messages, in their order. */
  readonly messageNotes: readonly {
    readonly message: number
    readonly branch: string | undefined
    readonly note: string
  }[]
}

/** What is said about a sample. */
export interface SampleOpinions {
  /** In the order in which people first said something. */
  readonly opinions: readonly Opinion[]
  /** True if all this was said about what the sample was before it changed. */
  readonly isStale: boolean
}

/** The lines of a review file, by sample. */
export class Review {
  /** By hash, then by person. */
  readonly #byHash = new Map<string, Map<string, OpinionUnderWay>>()
  /** The hash that was last said something about at a place. */
  readonly #byPlace = new Map<number, string>()
  /** What was asked for: many samples may have one hash, and many people something to say about each. */
  readonly #told = new Map<string, readonly [present: SampleOpinions, changed: SampleOpinions]>()

  /** Takes the next line of the file. */
  add(line: ReviewLine): void {
    const { hash, place, by = '' } = line
    this.#byPlace.set(place, hash)
    const people = this.#byHash.get(hash) ?? new Map<string, OpinionUnderWay>()
    this.#byHash.set(hash, people)
    const opinion = people.get(by) ?? new OpinionUnderWay(by)
    people.set(by, opinion)
    opinion.add(line)
    this.#told.delete(hash)
  }

  /** True if anything was said about the sample with that hash. */
  has(hash: string): boolean {
    return this.#byHash.has(hash)
  }

  /** The hashes of the samples that anything was said about. */
  hashes(): IterableIterator<string> {
    return this.#byHash.keys()
  }

  /** True if anything was said about a sample at `place`. */
  hasPlace(place: number): boolean {
    return this.#byPlace.has(place)
  }

  /** The places that anything was said about, each with the hash of the sample that was there last. */
  get places(): ReadonlyMap<number, string> {
    return this.#byPlace
  }

  /** What every person says about the sample with each hash. */
  *opinions(): IterableIterator<readonly [hash: string, opinions: readonly Opinion[]]> {
    for (const [hash, people] of this.#byHash) yield [hash, [...people.values()].map((it) => it.opinion())]
  }

  /**
   * What is said about the sample at `place` whose conversation has that hash. What was said about another conversation at
   * that place is stale, unless `isPresent` knows that the other one has only moved.
   */
  of(place: number, hash: string, isPresent: (hash: string) => boolean = () => false): SampleOpinions {
    if (this.#byHash.has(hash)) return this.#about(hash)[0]
    const before = this.#byPlace.get(place)
    if (before === undefined || isPresent(before)) return nothingSaid
    return this.#about(before)[1]
  }

  /** What is said about the sample with that hash, and about one that was it and has changed. */
  #about(hash: string): readonly [present: SampleOpinions, changed: SampleOpinions] {
    const known = this.#told.get(hash)
    if (known) return known
    const opinions = [...(this.#byHash.get(hash)?.values() ?? [])].map((it) => it.opinion())
    const isStale = opinions.some(({ decision }) => decision !== undefined)
    const about = [
      { opinions, isStale: false },
      { opinions, isStale },
    ] as const
    this.#told.set(hash, about)
    return about
  }
}

const nothingSaid: SampleOpinions = { opinions: [], isStale: false }

/** The decision in force; different ones of several people, or different preferences, are a `conflict`. */
export function decisionOf({ opinions }: SampleOpinions): Decision | 'conflict' | undefined {
  return commonDecision(opinions)
}

const commonDecision = perValue((opinions: readonly Opinion[]): Decision | 'conflict' | undefined => {
  const decided = opinions.filter(({ decision }) => decision !== undefined)
  const [first] = decided
  return new Set(decided.map(judgementOf)).size > 1 ? 'conflict' : first?.decision
})

/** A decision with the branch that it prefers, as one word: `keep`, `keep chosen`; undefined without a decision. */
export function judgementOf({ decision, branch }: Opinion): string | undefined {
  return branch === undefined ? decision : `${decision} ${branch}`
}

const mostLabels = 1000 // of a sample; more are of no use, and all of them are counted for each sample with that hash

/** What queries and columns see of it. A stale decision decides nothing. */
export const sampleReview = perValue((about: SampleOpinions): SampleReview => {
  const { opinions, isStale } = about
  const noteTexts = opinions.flatMap(({ note, messageNotes }) => [
    ...(note === undefined ? [] : [note]),
    ...messageNotes.map((it) => it.note),
  ])
  return {
    decision: isStale ? undefined : decisionOf(about),
    labels: [...new Set(opinions.flatMap(({ labels }) => labels))].slice(0, mostLabels),
    notes: noteTexts.length,
    noteTexts,
    reviewers: opinions.flatMap(({ by, decision }) => (decision === undefined || by === '' ? [] : [by])),
    isStale,
  }
})

class OpinionUnderWay {
  readonly #by: string
  #decision: Decision | undefined
  #labels: readonly string[] = []
  #branch: string | undefined
  #note: string | undefined
  /** By message and branch. */
  readonly #messageNotes = new Map<string, Opinion['messageNotes'][number]>()

  constructor(by: string) {
    this.#by = by
  }

  add({ decision, labels, note, message, branch }: ReviewLine): void {
    if (message !== undefined) {
      const key = JSON.stringify([message, branch])
      if (note) this.#messageNotes.set(key, { message, branch, note })
      else if (note !== undefined) this.#messageNotes.delete(key)
      return
    }
    if (decision !== undefined) {
      this.#decision = decision ?? undefined
      this.#branch = decision === 'keep' ? branch : undefined
    }
    if (labels !== undefined) this.#labels = labels
    if (note !== undefined) this.#note = note || undefined
  }

  opinion(): Opinion {
    return {
      by: this.#by,
      decision: this.#decision,
      labels: this.#labels,
      branch: this.#branch,
      note: this.#note,
      messageNotes: [...this.#messageNotes.values()].sort((one, other) => one.message - other.message),
    }
  }
}
