/**
 * A reporter for `node --test` that is quiet about what passes: one line a file with its duration, every failure in full, and the totals.
 *
 * If `TEST_TOTALS` names a file, `{"passed":…,"failed":…,"skipped":[…],"failures":[…],"files":{"test/….test.ts":{"passed":…,"failed":…}}}`
 * is written there for the program that runs several layers. A failure is its file, its name, and the error.
 */
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { inspect } from 'node:util'

/** Reads the events of a test run and yields the lines to print. */
export default async function* compact(source) {
  const totals = { passed: 0, failed: 0, skipped: [], failures: [] }
  const files = new Map()
  const begun = Date.now()
  for await (const { type, data } of source) {
    if (type === 'test:stdout' || type === 'test:stderr') yield data.message
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const file = fileName(data)
    const count = files.get(file) ?? { passed: 0, failed: 0, milliseconds: 0 }
    files.set(file, count)
    if (data.nesting === 0) count.milliseconds += data.details?.duration_ms ?? 0
    if (data.details?.type === 'suite' && !isOwnFailure(data)) continue
    if (data.skip !== undefined || data.todo !== undefined) {
      totals.skipped.push(`${file}: ${data.name} (${data.skip || data.todo || 'no reason given'})`)
    } else if (type === 'test:pass') {
      totals.passed++
      count.passed++
    } else if (isOwnFailure(data)) {
      totals.failed++
      count.failed++
      const reason = explanation(data.details?.error)
      totals.failures.push(`${file}: ${data.name}\n${reason}`)
      yield `✖ ${file}: ${data.name}\n${indented(reason)}\n`
    }
  }
  for (const [file, { passed, failed, milliseconds }] of [...files].sort()) {
    const counts = failed > 0 ? `${failed} of ${passed + failed} failed` : passed
    yield `${failed > 0 ? '✖' : '✔'} ${file}  ${counts}  ${(milliseconds / 1000).toFixed(1)} s\n`
  }
  for (const it of totals.skipped) yield `- skipped ${it}\n`
  yield `${totals.passed} passed, ${totals.failed} failed, ${totals.skipped.length} skipped in ${((Date.now() - begun) / 1000).toFixed(1)} s\n`
  if (process.env.TEST_TOTALS)
    writeFileSync(process.env.TEST_TOTALS, JSON.stringify({ ...totals, files: Object.fromEntries(files) }))
}

/** A suite or a parent that fails only because of what it contains is not counted again. */
function isOwnFailure(data) {
  return data.details?.error !== undefined && data.details.error.failureType !== 'subtestsFailed'
}

function fileName(data) {
  const output = process.env.TEST_OUTPUT ?? process.cwd()
  const path = data.file ?? (data.name.startsWith(output) ? data.name : undefined)
  if (path === undefined) return '?'
  return relative(path.startsWith(output) ? output : process.cwd(), path).replace(/\.mjs$/, '.ts')
}

function explanation(error) {
  const cause = error?.cause ?? error
  if (cause instanceof Error || cause?.stack) {
    return cause.stack.replace(/\n\s+at .*\(?node:internal.*/g, '') + differences(cause)
  }
  return typeof cause === 'string' ? cause : inspect(cause)
}

/** Node shortens the difference in the message of an assertion; the values follow in full unless they are shown already. */
function differences(error) {
  if (error.code !== 'ERR_ASSERTION' || !('actual' in error) || typeof error.actual === 'boolean') return ''
  if (typeof error.actual !== 'string' || typeof error.expected !== 'string') return ''
  if (!error.actual.includes('\n')) return ''
  return `\n\nactual:\n${error.actual}\n\nexpected:\n${error.expected}`
}

function indented(text) {
  return text.replace(/^/gm, '    ')
}
