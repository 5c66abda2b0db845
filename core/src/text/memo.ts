/** Memory for values derived from immutable values. Nothing is ever invalidated: the memory goes with the value, or is bounded. */

/** `compute`, remembered per value. The value must be immutable. */
export function perValue<Value extends object, Result>(
  compute: (value: Value) => Result,
): (value: Value) => Result {
  const results = new WeakMap<Value, Result | typeof noResult>() // a wrapper for each would be most of the memory
  return (value) => {
    const known = results.get(value)
    if (known !== undefined) return known === noResult ? (undefined as Result) : known
    const result = compute(value)
    results.set(value, result === undefined ? noResult : result)
    return result
  }
}

/** What is remembered for `undefined`. */
const noResult = Symbol('undefined')

/** Made when it is first needed: bundlers may run a function before this line. */
let releases: (() => void)[] | undefined

/** Calls `release` whenever {@link releaseTexts} is called: for memories that are bound to no value, and so never end. */
export function onRelease(release: () => void): void {
  releases ??= []
  releases.push(release)
}

/**
 * Lets go of the texts that are remembered for the next question. A remembered piece of a document keeps its whole text
 * in memory, so call it when a large document is done with; the next answers take a little longer, and stay the same.
 */
export function releaseTexts(): void {
  for (const release of releases ?? []) release()
}

/** How much {@link perText} remembers. */
export interface TextMemoryLimits {
  readonly texts: number
  /** UTF-16 code units of all texts together. */
  readonly length: number
}

/** `compute`, remembered for the texts that were asked for last. What it returns is shared and must be immutable. */
export function perText<Result>(
  compute: (text: string) => Result,
  { texts, length }: TextMemoryLimits,
): (text: string) => Result {
  const results = new Map<string, Remembered<Result>>() // the oldest first
  let held = 0
  onRelease(() => {
    results.clear()
    held = 0
  })
  return (text) => {
    const known = results.get(text)
    if (known) {
      known.isAskedAgain = true
      return known.result
    }
    const result = compute(text)
    if (text.length > length) return result
    held += text.length
    for (const [oldest, it] of results) {
      if (results.size < texts && held <= length) break
      results.delete(oldest)
      if (it.isAskedAgain) {
        it.isAskedAgain = false
        results.set(oldest, it) // it is young again, which costs nothing while everything is known
      } else held -= oldest.length
    }
    results.set(text, { result, isAskedAgain: false })
    return result
  }
}

interface Remembered<Result> {
  readonly result: Result
  /** True if it was used since it was the oldest. */
  isAskedAgain: boolean
}
