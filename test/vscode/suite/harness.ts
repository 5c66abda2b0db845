/** Tests that run inside VS Code's extension host: `test` registers one, `run` runs all and prints a line of JSON for each. */
import type { Disposable, Event } from 'vscode'

/** How a test went, printed after `[test] ` for the program that started VS Code. */
interface Outcome {
  readonly name: string
  readonly status: 'passed' | 'failed'
  readonly milliseconds: number
  readonly error?: string
}

// In milliseconds, and generous: the extension host may share two slow cores with everything else.
const deadline = 180_000
const patience = 60_000

/** Read when this is built: a Web Worker has no environment. */
const isNight = process.env.TEST_NIGHTLY === '1'

const tests: { readonly name: string; readonly body: () => unknown }[] = []

/** Registers a test. It fails if `body` throws, rejects, or takes longer than three minutes. */
export function test(name: string, body: () => unknown): void {
  tests.push({ name, body })
}

/** As {@link test}, for runs with the tests of the night (`test/helpers/nightly.ts`). */
export const nightly: typeof test = isNight ? test : () => undefined

/** Runs what was registered, one after the other. VS Code calls it, and takes a rejection for failure. */
export async function run(): Promise<void> {
  const filter = process.env.VSCODE_TEST_FILTER
  const wanted = filter ? tests.filter((it) => it.name.toLowerCase().includes(filter.toLowerCase())) : tests
  const outcomes: Outcome[] = []
  for (const { name, body } of wanted) {
    const begun = performance.now()
    const error = await errorOf(name, body)
    const milliseconds = Math.round(performance.now() - begun)
    const outcome: Outcome =
      error === undefined
        ? { name, status: 'passed', milliseconds }
        : { name, status: 'failed', milliseconds, error }
    outcomes.push(outcome)
    console.log(`[test] ${JSON.stringify(outcome)}`)
  }
  const nFailed = outcomes.filter((it) => it.status === 'failed').length
  console.log(`[test] ${JSON.stringify({ ended: true, tests: outcomes.length })}`)
  if (nFailed > 0) throw new Error(`${nFailed} of ${outcomes.length} tests failed`)
}

/**
 * Waits until `probe` gives something other than `undefined` and `false`, and gives it back.
 *
 * @param what names it in the error
 * @throws Error after a minute
 */
export async function eventually<T>(
  what: string,
  probe: () => T | undefined | false | PromiseLike<T | undefined | false>,
): Promise<T> {
  const end = performance.now() + patience
  while (performance.now() < end) {
    const value = await probe()
    if (value !== undefined && value !== false) return value
    await new Promise((done) => setTimeout(done, 25))
  }
  throw new Error(`${what}: not within a minute`)
}

/**
 * The next event that meets `condition`.
 *
 * @throws Error after a minute
 */
export function next<T>(
  what: string,
  event: Event<T>,
  condition: (value: T) => boolean = () => true,
): Promise<T> {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => {
      subscription.dispose()
      fail(new Error(`${what}: not within a minute`))
    }, patience)
    const subscription: Disposable = event((value) => {
      if (!condition(value)) return
      clearTimeout(timer)
      subscription.dispose()
      done(value)
    })
  })
}

async function errorOf(name: string, body: () => unknown): Promise<string | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`${name}: not done within ${deadline / 1000} seconds`)), deadline)
  })
  try {
    await Promise.race([body(), late])
    return undefined
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  } finally {
    clearTimeout(timer)
  }
}
