/** A value of a document that must be in no log line, and errors that have it in them. */

/** A word that is nowhere else. */
export const canary = 'CANARY'

/** A value of a document: the word, and lines that look like places in a program. */
export const value = `${canary}\n    at ${canary} (${canary}.ts:1:2)\n    at ${canary}.ts:3:4`

/** What the engine and our own code throw when a document has {@link value} in it. */
export const failures: readonly (() => unknown)[] = [
  () => JSON.parse(value),
  () => BigInt(value),
  () => new RegExp(`(${value}`),
  () => decodeURIComponent(`%${value}`),
  () => new Intl.NumberFormat(value),
  () => new URL(value),
  () => (undefined as unknown as Record<string, unknown>)[value],
  () => (Object.freeze({ [value]: 1 }) as Record<string, unknown>)[value],
  () => {
    const circle: Record<string, unknown> = {}
    circle[value] = circle
    return JSON.stringify(circle)
  },
  () => structuredClone({ [value]: () => value }),
  () => {
    throw Object.assign(new Error(value), { name: value, cause: value, code: value })
  },
  () => {
    throw new AggregateError([new Error(value)], value)
  },
  () => {
    throw value
  },
]
