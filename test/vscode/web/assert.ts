/** Stands in for `node:assert/strict` where there is no Node: in the Web Worker that runs extensions on vscode.dev. */

/** Fails unless `value` is truthy. */
function ok(value: unknown, message = 'a truthy value'): asserts value {
  if (!value) fail(`Expected ${message}, not ${shown(value)}`)
}

/** Fails unless both are the same. */
function equal(actual: unknown, expected: unknown, message = ''): void {
  if (!Object.is(actual, expected))
    fail(`${message}\nexpected: ${shown(expected)}\nactual:   ${shown(actual)}`)
}

/** Fails if both are the same. */
function notEqual(actual: unknown, expected: unknown, message = ''): void {
  if (Object.is(actual, expected)) fail(`${message}\nexpected something other than ${shown(expected)}`)
}

/** Fails unless both have the same content, as JSON shows it. */
function deepEqual(actual: unknown, expected: unknown, message = ''): void {
  if (shown(actual) !== shown(expected)) {
    fail(`${message}\nexpected: ${shown(expected)}\nactual:   ${shown(actual)}`)
  }
}

/** Fails unless `text` matches. */
function match(text: string, pattern: RegExp, message = ''): void {
  if (!pattern.test(text)) fail(`${message}\nexpected to match: ${pattern}\nactual: ${text}`)
}

/** Fails if `text` matches. */
function doesNotMatch(text: string, pattern: RegExp, message = ''): void {
  if (pattern.test(text)) fail(`${message}\nexpected not to match: ${pattern}\nactual: ${text}`)
}

/** Fails. */
function fail(message: string): never {
  throw new Error(message.trim())
}

function shown(value: unknown): string {
  return JSON.stringify(value, undefined, 2) ?? String(value)
}

// The module it stands in for has a default export.
export default Object.assign(ok, { ok, equal, notEqual, deepEqual, match, doesNotMatch, fail })
