/** What the server and the thread that counts tokens say to one another. Texts go there, numbers come back. */
import type { TextEncoding } from '../../../core/src/internal.ts'

/** Asks how many tokens each text has. */
export interface CountRequest {
  readonly id: number
  readonly texts: readonly string[]
}

/** Answers the request with the same id. */
export interface CountAnswer {
  readonly id: number
  readonly counts: readonly number[]
}

/** The answer to a request. */
export function answerTo({ id, texts }: CountRequest, encoding: TextEncoding): CountAnswer {
  return { id, counts: texts.map((it) => encoding.count?.(it) ?? encoding.encode(it).length) }
}

/** The other end of a thread that counts. */
export interface CountThread {
  post(request: CountRequest): void
  end(): void
}

/** Told what a thread says, and once if it cannot go on. */
export interface CountListener {
  answered(answer: CountAnswer): void
  failed(error: unknown): void
}

/** Starts a thread that counts. */
export type StartCounting = (listener: CountListener) => CountThread
