/**
 * Tests that run each night and before a release, as they take long for what they find: `npm run test:nightly` runs them beside all
 * others. `npm test` leaves them out, together with files that have no other tests.
 */
import { type TestContext, test } from 'node:test'

export const isNight = process.env.TEST_NIGHTLY === '1'

type Run = (context: TestContext) => Promise<void> | void

interface Register {
  (name: string, run: Run): unknown
  (name: string, options: { readonly skip: string | boolean }, run: Run): unknown
}

/** As `test` of Node, in runs with the tests of the night. It is that itself, so that reports have the file of the test. */
export const nightly: Register = isNight ? test : () => undefined
