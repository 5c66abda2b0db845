/** A review file as a whole: where it is, what its text says, and what is appended to it. */
import { Review } from './review.ts'
import { type ReviewLine, readReviewLine } from './review-line.ts'

/** Bytes of the largest review file that is read. */
export const largestReview = 256 * 2 ** 20

/** The path of the review file of the dataset at `path`. */
export function reviewPath(path: string): string {
  return `${path}.review.jsonl`
}

/** A line that says nothing. */
export interface ReviewMistake {
  /** From 1. */
  readonly line: number
  readonly message: string
}

/** What a review file says, and which of its lines are left alone. */
export interface ReviewReading {
  readonly review: Review
  /** The lines that were taken, in their order. */
  readonly lines: readonly ReviewLine[]
  readonly mistakes: readonly ReviewMistake[]
}

/**
 * What `text` says, after what `review` says already; with `by`, only what that person says, empty for those without a name.
 */
export function readReview(text: string, by?: string, review: Review = new Review()): ReviewReading {
  const mistakes: ReviewMistake[] = []
  const lines: ReviewLine[] = []
  text
    .replace(/^\ufeff/, '')
    .split('\n')
    .forEach((line, index) => {
      if (line.trim() === '') return
      const read = readReviewLine(line)
      if (read.kind === 'broken') mistakes.push({ line: index + 1, message: read.message })
      else if (by === undefined || (read.line.by ?? '') === by) lines.push(read.line)
    })
  for (const line of lines) review.add(line)
  return { review, lines, mistakes }
}
