/** What must hold whatever the input is: a violation is our bug, never the user's. */

/** Thrown by {@link invariant}; handlers catch it at their boundary, log it and live on. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}

/**
 * Asserts `condition`.
 *
 * @param expectation what should hold, as a sentence without text from any document
 * @throws InvariantError if the condition is false
 */
export function invariant(condition: boolean, expectation: string): asserts condition {
  if (!condition) throw new InvariantError(`Invariant violated: ${expectation}`)
}
