/**
 * Tests that run each night and before a release, as they take long for what they find: `npm run test:nightly` runs them beside all
 * others. `npm test` leaves them out, together with files that have no other tests.
 */
import { type TestContext, test } from 'node:test'

export const isNight = process.env.TEST_NIGHTLY === '1'

type Run = (context: TestContext) => Promise<void> | void
type Options = { readonly skip: string | false }

/** As `test` of Node, in runs with the tests of the night. */
export function nightly(name: string, ...rest: [Run] | [Options, Run]): void {
  if (!isNight) return
  if (rest.length === 1) void test(name, ...rest)
  else void test(name, ...rest)
}
