/** JSON values with places that anything, or a regular expression, fits: the arguments of calls. */
import { isObject } from '../embedded/json-value.ts'
import type { JsonValue } from '../embedded/yaml-header.ts'
import { expectedText } from './expected-text.ts'
import { MatchWork } from './match-work.ts'

/** How arguments are compared: all of them, those that the expected call has, or none. */
export const argumentModes = ['exact', 'subset', 'ignore'] as const

/** How arguments are compared. */
export type ArgumentMode = (typeof argumentModes)[number]

/** The first difference of two values: where, and what is there; values are not repeated. */
export interface ValueDifference {
  /** Keys and indexes from the outside in. */
  readonly path: readonly (string | number)[]
  readonly kind: 'missing' | 'unexpected' | 'different'
}

/**
 * The first difference of `actual` from `expected`; undefined if it fits. A string with `<any>` fits any value, one with
 * `<re:…>` texts, and the text of numbers and truth values.
 *
 * @throws PatternProblem, MatchLimit
 */
export function valueDifference(
  actual: JsonValue,
  expected: JsonValue,
  mode: Exclude<ArgumentMode, 'ignore'>,
  work = new MatchWork(),
): ValueDifference | undefined {
  return differenceAt(actual, expected, { mode, work }, [])
}

interface Comparing {
  readonly mode: Exclude<ArgumentMode, 'ignore'>
  readonly work: MatchWork
}

/** Looks at all texts of `expected`, also those that no comparison reaches. @throws PatternProblem for an expression that cannot be used */
export function refuseUnusable(expected: JsonValue): void {
  if (typeof expected === 'string') expectedText(expected)
  else if (typeof expected === 'object' && expected !== null) Object.values(expected).forEach(refuseUnusable)
}

function differenceAt(
  actual: JsonValue,
  expected: JsonValue,
  comparing: Comparing,
  path: readonly (string | number)[],
): ValueDifference | undefined {
  const different: ValueDifference = { path, kind: 'different' }
  if (typeof expected === 'string') return textFits(actual, expected, comparing.work) ? undefined : different
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return different
    for (const [index, item] of expected.entries()) {
      const found = differenceAt(actual[index] as JsonValue, item, comparing, [...path, index])
      if (found) return found
    }
    return undefined
  }
  if (isObject(expected))
    return isObject(actual) ? objectDifference(actual, expected, comparing, path) : different
  return actual === expected ? undefined : different
}

function objectDifference(
  actual: Readonly<Record<string, JsonValue>>,
  expected: Readonly<Record<string, JsonValue>>,
  comparing: Comparing,
  path: readonly (string | number)[],
): ValueDifference | undefined {
  for (const [key, value] of Object.entries(expected)) {
    if (!Object.hasOwn(actual, key)) return { path: [...path, key], kind: 'missing' }
    const found = differenceAt(actual[key] as JsonValue, value, comparing, [...path, key])
    if (found) return found
  }
  const other =
    comparing.mode === 'exact' ? Object.keys(actual).find((key) => !Object.hasOwn(expected, key)) : undefined
  return other === undefined ? undefined : { path: [...path, other], kind: 'unexpected' }
}

function textFits(actual: JsonValue, expected: string, work: MatchWork): boolean {
  if (actual === expected) return true
  if (!expected.includes('<any>') && !expected.includes('<re:')) return false
  const wanted = expectedText(expected, work)
  if (wanted.isAny) return true
  if (typeof actual === 'string') return wanted.fits(actual)
  return (typeof actual === 'number' || typeof actual === 'boolean') && wanted.fits(String(actual))
}
