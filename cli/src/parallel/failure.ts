/** Errors that must not happen. */

/** Work failed in a way that it must not: a bug, or a thread that ended. */
export class WorkError extends Error {
  override readonly name = 'WorkError'
}

/** An error in words, for whoever reports the bug. */
export function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
