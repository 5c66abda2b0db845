/** What the list shows of each sample of a review, and how far the review is: counted once, then kept up to date. */
import type { SampleOpinions } from '../../../core/src/internal.ts'
import type { ReviewMark, ReviewProgress, ToReviewPage } from './review-protocol.ts'
import type { ReviewSessionParts } from './review-session.ts'

/** How many samples have which mark. */
interface CountedMarks {
  /** The samples that are counted, in words. */
  readonly of: string
  readonly counts: Map<ReviewMark, number>
  /** The places that are known to be among them. */
  readonly places: Set<number>
}

/** The marks of a dataset's samples. */
export class ReviewMarks {
  readonly #parts: Pick<ReviewSessionParts, 'dataset' | 'review' | 'listing'>
  readonly #markOf: (about: SampleOpinions | undefined) => ReviewMark | undefined
  /** By place. */
  readonly #marks = new Map<number, ReviewMark>()
  /** The places whose marks are sent next; undefined for all. */
  #unsent: Set<number> | undefined
  /** Whose marks they are, and whether those of others are among them. */
  #of = ''
  #counted: CountedMarks | undefined

  /** @param markOf what the list shows of a sample */
  constructor(
    parts: Pick<ReviewSessionParts, 'dataset' | 'review' | 'listing'>,
    markOf: (about: SampleOpinions | undefined) => ReviewMark | undefined,
  ) {
    this.#parts = parts
    this.#markOf = markOf
  }

  /** What people say about the sample at `place`, or about any sample, changed. */
  changed(place: number | undefined): void {
    if (place === undefined) this.#unsent = undefined
    else this.#unsent?.add(place)
  }

  /** Other samples are reviewed now. */
  recount(): void {
    this.#counted = undefined
  }

  /** The marks that changed since they were last taken; all of them if they are of others now, as `of` says in words. */
  take(of: string): Pick<Extract<ToReviewPage, { readonly kind: 'reviewMarks' }>, 'isAll' | 'marks'> {
    const { known } = this.#parts.review
    if (of !== this.#of) this.#unsent = undefined
    this.#of = of
    const isAll = this.#unsent === undefined
    if (isAll) {
      this.#marks.clear()
      this.#counted = undefined
    }
    const places = this.#unsent ?? known.keys()
    this.#unsent = new Set()
    const marks: (readonly [place: number, mark?: ReviewMark])[] = []
    for (const place of places) {
      const mark = this.#markOf(known.get(place))
      if (this.#set(place, mark)) marks.push(mark === undefined ? [place] : [place, mark])
    }
    return { isAll, marks }
  }

  #set(place: number, mark: ReviewMark | undefined): boolean {
    const before = this.#marks.get(place)
    if (mark === before) return false
    if (mark === undefined) this.#marks.delete(place)
    else this.#marks.set(place, mark)
    // What others say may be about samples that are not listed.
    if (!this.#counted?.places.has(place)) this.#counted = undefined
    else {
      const { counts } = this.#counted
      if (before !== undefined) counts.set(before, (counts.get(before) ?? 0) - 1)
      if (mark !== undefined) counts.set(mark, (counts.get(mark) ?? 0) + 1)
    }
    return true
  }

  /** How far the review is. @param subset the indices that are reviewed, if not all; `place` is the sample that is shown */
  progress(subset: readonly number[] | undefined, place: number | undefined): ReviewProgress {
    const { listing, review } = this.#parts
    const total = subset?.length ?? listing.size
    const of = `${total} ${listing.text}`
    if (this.#counted?.of !== of) this.#counted = { of, counts: this.#count(subset), places: new Set() }
    if (place !== undefined) this.#counted.places.add(place)
    const {
      keep = 0,
      reject = 0,
      fix = 0,
      conflict = 0,
      stale = 0,
    } = Object.fromEntries(this.#counted.counts)
    return {
      decided: keep + reject + fix + conflict,
      total,
      counts: { keep, reject, fix, conflict, stale },
      isCounting: review.isCounting,
    }
  }

  /** Counts the marks of all samples that are reviewed. */
  #count(subset: readonly number[] | undefined): Map<ReviewMark, number> {
    const { listing, dataset } = this.#parts
    const counts = new Map<ReviewMark, number>()
    const count = (place: number | undefined) => {
      const mark = place === undefined ? undefined : this.#marks.get(place)
      if (mark !== undefined) counts.set(mark, (counts.get(mark) ?? 0) + 1)
    }
    if (subset) for (const index of subset) count(listing.placeAt(index))
    else if (listing.size === dataset.view.index.size) for (const place of this.#marks.keys()) count(place)
    else for (let index = 0; index < listing.size; index++) count(listing.placeAt(index))
    return counts
  }
}
