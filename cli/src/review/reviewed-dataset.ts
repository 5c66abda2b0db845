/** The review file of a dataset, and what queries and columns see of it. */
import {
  largestReview,
  type ReadOptions,
  Review,
  ReviewCount,
  readReview,
  reviewPath,
  type SampleReview,
  type SampleView,
  sampleReview,
} from '../../../core/src/internal.ts'
import type { DatasetSettings } from '../configuration/settings-by-dataset.ts'
import type { Note, ShownStretch } from '../dataset/sample-results.ts'
import { SampleFlow, samplePieces, weightOnTheWay } from '../dataset/sample-run.ts'
import { shownPath } from '../dataset/stretch.ts'
import { readTextBeside } from '../files/read-beside.ts'
import { standardInput } from '../files/read-source.ts'
import { Crew } from '../parallel/crew.ts'
import { WorkError } from '../parallel/failure.ts'
import { inOrder } from '../parallel/in-order.ts'
import type { Console } from '../terminal/console.ts'
import { hashOfView } from './review-work.ts'

/** A review file, and what only a look at all samples shows. It is data that can be sent to another thread. */
export interface ReviewedDataset {
  readonly path: string
  /** The text of the review file, in memory that threads share. */
  readonly text: SharedArrayBuffer
  /** The places of samples that changed after they were decided on. */
  readonly stale: ReadonlySet<number>
}

/** A stretch, and what the review file of its dataset says; undefined if there is none, or nothing depends on it. */
export interface ReviewedStretch extends ShownStretch {
  readonly reviewed?: ReviewedDataset | undefined
}

/** A review file that was read. */
export interface ReviewFile {
  readonly review: Review
  readonly text: string
  /** Lines that are ignored. */
  readonly notes: readonly Note[]
}

/** Reads the review file at `path`; undefined if there is none. With `by`, what that person says. @throws FileProblem */
export async function readReviewFile(path: string, by?: string): Promise<ReviewFile | undefined> {
  const text = await readTextBeside(path, { bytes: largestReview })
  if (text === undefined) return undefined
  const { review, mistakes } = readReview(text, by)
  const notes = mistakes.slice(0, mostMistakes).map(
    ({ line, message }): Note => ({
      kind: 'remark',
      text: `${path}:${line}: ${message}. The line is ignored`,
    }),
  )
  return { review, text, notes }
}

const mostMistakes = 20

/** The review file of the dataset at `path`; an empty one if there is none. @throws FileProblem */
export async function reviewOfDataset(path: string, by?: string): Promise<ReviewFile> {
  const none = { review: new Review(), text: '', notes: [] }
  return path === standardInput ? none : ((await readReviewFile(reviewPath(path), by)) ?? none)
}

/** How datasets are read. */
export interface ReviewReadOptions {
  readonly read: ReadOptions
  readonly jobs: number | undefined
  readonly settings: Pick<DatasetSettings, 'of'>
}

/** Compares all samples of the dataset at `path` with `review`; `isEmpty` if it has none. @throws FileProblem */
export async function countReviewed(
  path: string,
  review: Review,
  { read, jobs, settings: all }: ReviewReadOptions,
  console: Console,
): Promise<{ readonly count: ReviewCount; readonly isEmpty: boolean }> {
  const count = new ReviewCount(review)
  const crew = new Crew('review', { badLines: 'skip', read, hasLines: false }, { jobs })
  const flow = new SampleFlow(console)
  const shown = shownPath(path)
  const settings = await all.of(path)
  const pieces = samplePieces(path, { console, flow, settings }, (stretch) =>
    crew.run({ shown, stretch, settings }),
  )
  try {
    for await (const result of inOrder(pieces, { count: () => crew.room, weight: weightOnTheWay })) {
      if (result instanceof WorkError) throw new Error(result.message)
      for (const { place, hash } of result.samples) count.add(place, hash)
      flow.show(result.nSamples)
    }
  } finally {
    console.progress.clear()
    await crew.close()
  }
  return { count, isEmpty: flow.isEmpty }
}

/** The review files of the datasets of a run, for work that depends on them. */
export class ReviewedDatasets {
  readonly #options: ReviewReadOptions
  readonly #console: Console
  readonly #byPath = new Map<string, ReviewedDataset>()

  constructor(options: ReviewReadOptions, console: Console) {
    this.#options = options
    this.#console = console
  }

  /** Reads the review file of the dataset at `path`, and looks for stale decisions; what is wrong with the file. */
  begin = async (path: string): Promise<readonly Note[]> => {
    this.#byPath.clear()
    const { review, text, notes } = await reviewOfDataset(path)
    if (text === '') return notes
    const { count } = await countReviewed(path, review, this.#options, this.#console)
    const bytes = Buffer.from(text)
    const shared = new SharedArrayBuffer(bytes.length)
    new Uint8Array(shared).set(bytes)
    this.#byPath.set(path, { path, text: shared, stale: count.stalePlaces() })
    return notes
  }

  /** What is known of the dataset at `path` after {@link begin}. */
  of(path: string): ReviewedDataset | undefined {
    return this.#byPath.get(path)
  }
}

/** What is said about each sample of a dataset; undefined where nothing is said about any. */
export function reviewsOf(
  reviewed: ReviewedDataset | undefined,
): ((sample: SampleView) => SampleReview) | undefined {
  if (!reviewed) return undefined
  const { path, text, stale } = reviewed
  if (lastRead?.path !== path || lastRead.length !== text.byteLength) {
    const { review } = readReview(Buffer.from(text).toString('utf8'))
    lastRead = { path, length: text.byteLength, review }
  }
  const { review } = lastRead
  return (view) => sampleReview(review.of(view.place, hashOfView(view), () => !stale.has(view.place)))
}

/** One a thread: stretches of a dataset come one after the other. */
let lastRead: { readonly path: string; readonly length: number; readonly review: Review } | undefined
