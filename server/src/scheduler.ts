/**
 * Work on whole documents in slices of a few milliseconds, so that keystrokes and cancellations get through in between.
 * Work that was canceled, or whose document changed, ends with an error and never with a result that looks empty.
 */
import { type CancellationToken, LSPErrorCodes, ResponseError } from 'vscode-languageserver'
import type { OpenDocument } from './open-document.ts'

const sliceMilliseconds = 4 // a quarter of a frame; a pause costs far less
const idleMilliseconds = 500 // longer than between two keystrokes
const smallSteps = 16 // between looks at the clock, which cost more than a small step

/** A request that works on a document. */
export interface Job {
  readonly document: OpenDocument
  readonly token: CancellationToken
}

/** A list that may have been cut. */
export interface Collected<Item> {
  readonly items: readonly Item[]
  /** False if the limit cut the list. */
  readonly isComplete: boolean
}

/**
 * The first `limit` of `items`, which are made lazily from the document of `job`.
 *
 * @throws ResponseError RequestCancelled or ContentModified
 */
export async function collect<Item>(
  items: Iterable<Item>,
  job: Job,
  limit = Number.POSITIVE_INFINITY,
): Promise<Collected<Item>> {
  const collected: Item[] = []
  const iterator = items[Symbol.iterator]()
  let isComplete = true
  const collectNext = () => {
    const next = iterator.next()
    if (next.done) return true
    if (collected.length >= limit) {
      isComplete = false
      return true
    }
    collected.push(next.value)
    return false
  }
  await inSlices(job, () => repeat(collectNext, smallSteps))
  return { items: collected, isComplete }
}

/**
 * Calls `step`, which should be short against a slice and long against a look at the clock, until it answers true.
 *
 * @throws ResponseError RequestCancelled or ContentModified
 */
export async function inSlices(job: Job, step: () => boolean): Promise<void> {
  const { generation } = job.document
  throwIfCanceled(job.token)
  while (!runSlice(step)) {
    await pause()
    throwIfOutdated(job, generation)
  }
}

/**
 * Waits until nothing was typed for a while, for work whose steps are long, or for what the next character may change.
 *
 * @throws ResponseError RequestCancelled, at once; ContentModified
 */
export async function whenIdle(job: Job): Promise<void> {
  const { generation } = job.document
  await new Promise<void>((done) => {
    const end = () => {
      clearTimeout(timer)
      cancellation.dispose()
      done()
    }
    const timer = setTimeout(end, idleMilliseconds)
    const cancellation = job.token.onCancellationRequested(end)
  })
  throwIfOutdated(job, generation)
}

/** @throws ResponseError RequestCancelled, or ContentModified if the document is no longer what it was at `generation` */
export function throwIfOutdated({ document, token }: Job, generation: number): void {
  throwIfCanceled(token)
  if (document.generation === generation) return
  throw new ResponseError(LSPErrorCodes.ContentModified, 'The document changed')
}

/** The result; undefined if the document changed while it was made. */
export async function unlessOutdated<Result>(promise: Promise<Result>): Promise<Result | undefined> {
  try {
    return await promise
  } catch (error) {
    if (error instanceof ResponseError) return undefined
    throw error
  }
}

/** Calls `step` until it answers true or `isWanted` no longer does; for work in the background. */
export async function inBackground(isWanted: () => boolean, step: () => boolean): Promise<void> {
  await pause()
  while (isWanted() && !runSlice(step)) await pause()
}

/** @throws ResponseError RequestCancelled */
export function throwIfCanceled(token: CancellationToken): void {
  if (token.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'Canceled')
}

function runSlice(step: () => boolean): boolean {
  // Node loads a library for `performance`, which takes longer than a short transcript. A clock that is set ends the slice.
  const begun = Date.now()
  do {
    if (step()) return true
  } while (Math.abs(Date.now() - begun) < sliceMilliseconds)
  return false
}

function repeat(step: () => boolean, times: number): boolean {
  for (let count = 0; count < times; count++) if (step()) return true
  return false
}

/** Lets everything else that waits have its turn: input comes in before the promise is fulfilled. */
function pause(): Promise<void> {
  return new Promise((done) => {
    if (typeof setImmediate === 'function') {
      setImmediate(done)
      return
    }
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      done()
    }
    port2.postMessage(undefined)
  })
}
