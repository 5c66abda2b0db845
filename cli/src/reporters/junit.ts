/** The reporter for build servers that read JUnit's XML: a suite per file, a failure per problem that makes the run fail. */
import type { Problem } from '../../../core/src/internal.ts'
import type { FileReport } from '../check/check-source.ts'
import { severities } from '../check/severities.ts'
import { inputCode } from '../files/input-problem.ts'
import { placeText } from '../files/place-in.ts'
import { displayableLine } from '../terminal/displayable.ts'
import type { Reporter, ReportOptions } from './reporter.ts'
import { attribute, content } from './xml-text.ts'

/** A file without problems is one test that passes; problems below `--fail-on` are tests that pass with output. */
export const junitReporter: Reporter = {
  separator: '',
  begin: () => '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="ocm check">\n',
  *file(report, options) {
    const { path, problems } = report
    const nFailures = problems.filter((it) => isFailure(it, options)).length
    const name = attribute(path)
    const sums = `tests="${Math.max(1, problems.length)}" failures="${nFailures}" errors="0" skipped="0"`
    yield `  <testsuite name="${name}" ${sums}>\n`
    if (problems.length === 0) yield `    <testcase name="no problems" classname="${name}"/>\n`
    for (const problem of problems)
      yield testCase(problem, { name, place: placeOf(problem, report), options })
    yield '  </testsuite>\n'
  },
  *input(problem) {
    const { where, path, position, message, severity } = problem
    const name = attribute(where)
    const isError = severity === 'error'
    const place = placeText(displayableLine(path), position)
    const text = content(`${place}: ${severity}: ${message} [${inputCode.code} ${inputCode.rule}]`)
    const body = isError
      ? `<error type="${inputCode.code}" message="${attribute(message)}">${text}</error>`
      : `<system-out>${text}</system-out>`
    yield `  <testsuite name="${name}" tests="1" failures="0" errors="${isError ? 1 : 0}" skipped="0">\n`
    yield `    <testcase name="${attribute(inputCode.rule)}" classname="${name}">\n      ${body}\n    </testcase>\n`
    yield '  </testsuite>\n'
  },
  end: () => '</testsuites>\n',
}

function isFailure({ severity }: Problem, { failOn }: ReportOptions): boolean {
  return severities.indexOf(severity) <= severities.indexOf(failOn)
}

function placeOf({ range }: Problem, { path, analysis, dataset }: FileReport): string {
  return dataset
    ? placeText(displayableLine(dataset.path), dataset.positionAt(range.start))
    : placeText(displayableLine(path), analysis.transcript.positionAt(range.start))
}

interface Case {
  /** The path, fit for an attribute. */
  readonly name: string
  readonly place: string
  readonly options: ReportOptions
}

function testCase(problem: Problem, { name, place, options }: Case): string {
  const { code, rule, severity, message } = problem
  const text = content(`${place}: ${severity}: ${message} [${code} ${rule}]`)
  const body = isFailure(problem, options)
    ? `<failure type="${attribute(code)}" message="${attribute(message)}">${text}</failure>`
    : `<system-out>${text}</system-out>`
  const label = attribute(`${rule} at ${place}`)
  return `    <testcase name="${label}" classname="${name}">\n      ${body}\n    </testcase>\n`
}
