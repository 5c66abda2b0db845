/** Errors that must not happen. */

/** Work failed in a way that it must not: a bug, or a thread that ended. */
export class WorkError extends Error {
  override readonly name = 'WorkError'
}
