/**
 * What the writer of a fixture expects to be reported, and what differs from it. Expectations are in a file next to the
 * transcript, or under `expect` in its header. Lines and characters count from zero, as in all data of this project.
 */
import { type HeaderEntry, type JsonValue, unmarked, valueAt, yamlHeader } from '../embedded/yaml-header.ts'
import type { Analysis } from '../semantics/analysis.ts'
import type { Range } from '../text/range.ts'
import type { ConfigurationProblem } from './configuration.ts'
import type { Problem } from './problem.ts'
import { quoted } from './quoted.ts'
import { severitySettingOf } from './rule-settings.ts'

/** One problem that is expected. */
export interface ExpectedProblem {
  /** Names of rules, or codes, of which one is to be reported. */
  readonly names: readonly string[]
  readonly severity: string | undefined
  /** The first and last line on which it may start, from zero. */
  readonly lines: readonly [number, number] | undefined
  /** The exact place: `line:character-line:character`, from zero. */
  readonly at: string | undefined
  /** Texts of which one is marked. */
  readonly texts: readonly string[]
  /** True if nothing is said when it is not reported. */
  readonly isOptional: boolean
}

/** All that is expected. Errors and warnings that are not are unexpected; hints and informations may be there. */
export interface Expectation {
  readonly problems: readonly ExpectedProblem[]
  /** Codes and rules that may be reported or not. */
  readonly ignored: ReadonlySet<string>
  /** The dialect that the transcript is to be read in, as written. */
  readonly dialect?: string
}

/** An expectation as read, and what is wrong with it. */
export interface ExpectationReading {
  readonly expectation: Expectation
  readonly problems: readonly ConfigurationProblem[]
}

/** Expects no error and no warning. */
export const nothingExpected: Expectation = { problems: [], ignored: new Set() }

/** Reads the file next to a transcript: `problems`, `hints`, `ignore`. Other keys are left to others. Never throws. */
export function readExpectation(text: string): ExpectationReading {
  const header = yamlHeader(unmarked(text))
  const reader = new Reader()
  for (const { range, message } of header.problems) reader.report(range, message)
  const list = (key: string) => (header.value ? valueAt(header, [key]) : undefined)
  const expected = reader.list(list('problems'))
  // A hint in prose is for people.
  const hints = reader.list(list('hints')).filter(({ type }) => type === 'object')
  const options = header.value && valueAt(header, ['options', 'dialect'])
  const expectation = {
    ...(typeof options?.value === 'string' && { dialect: options.value }),
    problems: [...expected, ...hints].flatMap((it) => reader.problem(it)),
    ignored: new Set(reader.list(list('ignore')).map(({ value }) => String(value))),
  }
  return { expectation, problems: reader.problems }
}

/** What the header of a transcript expects under `expect`, a list of problems; undefined if it does not say. */
export function expectationInHeader({ header }: Analysis): ExpectationReading | undefined {
  const entry = header.yaml.value && valueAt(header.yaml, ['expect'])
  if (!entry) return undefined
  const reader = new Reader()
  const problems = reader.list(entry).flatMap((it) => reader.problem(it))
  const inDocument = ({ start, end }: Range) => ({ start: header.offset + start, end: header.offset + end })
  return {
    expectation: { problems, ignored: new Set() },
    problems: reader.problems.map((it) => ({ ...it, range: inDocument(it.range) })),
  }
}

/** How many problems are compared with what is expected: more than any fixture has, as each is compared with each. */
export const comparedProblems = 10_000
const mostExpected = 1000

/**
 * The errors and warnings that are not expected, and, as problems of the rule `missing-problem`, what is but is not reported. Compares
 * the first 10,000 problems; that there are more is a difference.
 */
export function differences(
  { transcript }: Analysis,
  problems: Iterable<Problem>,
  { problems: expected, ignored }: Expectation,
): readonly Problem[] {
  const left = new Set<Problem>()
  const missing: Problem[] = []
  for (const it of problems) {
    if (ignored.has(it.code) || ignored.has(it.rule)) continue
    if (left.size === comparedProblems) {
      const message = `Only the first ${comparedProblems.toLocaleString('en')} problems are compared with what is expected`
      missing.push(differenceAt(it.range, message))
      break
    }
    left.add(it)
  }
  const required = expected.filter(({ isOptional }) => !isOptional)
  for (const wanted of [...required, ...expected.filter(({ isOptional }) => isOptional)]) {
    const found = firstFitting(left, wanted, transcript)
    if (found) left.delete(found)
    else if (!wanted.isOptional) missing.push(missingProblem(wanted, transcript))
  }
  const unexpected = [...left].filter(({ severity }) => severity === 'error' || severity === 'warning')
  return [...unexpected.map((it) => ({ ...it, message: `Not expected: ${it.message}` })), ...missing].sort(
    (one, other) => one.range.start - other.range.start,
  )
}

function firstFitting(
  problems: Iterable<Problem>,
  wanted: ExpectedProblem,
  transcript: Analysis['transcript'],
): Problem | undefined {
  for (const it of problems) if (fits(it, wanted, transcript)) return it
  return undefined
}

function fits(
  { code, rule, severity, range }: Problem,
  wanted: ExpectedProblem,
  transcript: Analysis['transcript'],
): boolean {
  if (!wanted.names.includes(code) && !wanted.names.includes(rule)) return false
  if (wanted.severity !== undefined && wanted.severity !== severity) return false
  const start = transcript.positionAt(range.start)
  if (wanted.lines && (start.line < wanted.lines[0] || wanted.lines[1] < start.line)) return false
  if (wanted.texts.length > 0 && !wanted.texts.includes(transcript.text(range))) return false
  if (wanted.at === undefined) return true
  const end = transcript.positionAt(range.end)
  return wanted.at === `${start.line}:${start.character}-${end.line}:${end.character}`
}

/** True for what {@link differences} reports as missing. */
export function isMissing({ rule }: Problem): boolean {
  return rule === missingRule
}

const missingRule = 'missing-problem'

function missingProblem(wanted: ExpectedProblem, transcript: Analysis['transcript']): Problem {
  const line = wanted.lines?.[0] ?? Number(wanted.at?.split(':')[0] ?? 0)
  const start = transcript.offsetAt({ line, character: 0 })
  const text = wanted.texts[0] === undefined ? '' : ` on ${quoted(wanted.texts[0])}`
  const kind = wanted.severity === undefined ? '' : `${wanted.severity} `
  const message = `Expected, but not reported: ${kind}${wanted.names.map(quoted).join(' or ')}${text}`
  return differenceAt({ start, end: start }, message)
}

function differenceAt(range: Range, message: string): Problem {
  return {
    code: 'EXPECTED',
    rule: missingRule,
    severity: 'error',
    message,
    range,
    related: [],
    fixes: [],
    tag: undefined,
  }
}

const keys = ['code', 'rule', 'severity', 'line', 'lines', 'at', 'text', 'optional', 'why']

class Reader {
  readonly problems: ConfigurationProblem[] = []

  list(entry: HeaderEntry | undefined): readonly HeaderEntry[] {
    if (!entry || entry.type === 'null') return []
    if (entry.type === 'array') {
      if (entry.children.length <= mostExpected) return entry.children
      this.report(entry.valueRange, `At most ${mostExpected.toLocaleString('en')} problems can be expected`)
      return []
    }
    this.report(entry.valueRange, `${quoted(String(entry.key))} takes a list`)
    return []
  }

  /** A name alone, or a mapping. */
  problem({ value, type, children, range }: HeaderEntry): readonly ExpectedProblem[] {
    const nowhere = { severity: undefined, lines: undefined, at: undefined, texts: [], isOptional: false }
    if (typeof value === 'string') return [{ names: [value], ...nowhere }]
    if (type !== 'object') {
      this.report(range, 'An expected problem is a code, a rule, or a mapping with `code` or `rule`')
      return []
    }
    const of = (key: string) => children.find((it) => it.key === key)
    for (const { key, keyRange } of children) {
      if (!keys.includes(String(key))) {
        this.report(keyRange ?? range, `${quoted(String(key))} is not a key of an expected problem`)
      }
    }
    const names = [...textsIn(of('code')?.value), ...textsIn(of('rule')?.value)]
    if (names.length === 0) this.report(range, 'An expected problem needs `code` or `rule`')
    const severity = of('severity')
    if (severity && !severitySettingOf(severity.value)) {
      this.report(severity.valueRange, `${quoted(String(severity.value))} is not a severity`)
    }
    const lines = linesIn(of('line')?.value ?? of('lines')?.value)
    const at = of('at')?.value
    return [
      {
        names,
        severity: severity && String(severity.value),
        lines,
        at: typeof at === 'string' ? at : undefined,
        texts: textsIn(of('text')?.value),
        isOptional: of('optional')?.value === true,
      },
    ]
  }

  report(range: Range, message: string): void {
    this.problems.push({ range, message, isError: true })
  }
}

function textsIn(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((it) => typeof it === 'string') : []
}

function linesIn(value: JsonValue | undefined): readonly [number, number] | undefined {
  if (typeof value === 'number') return [value, value]
  const [first, last] = Array.isArray(value) ? value : []
  return typeof first === 'number' && typeof last === 'number' ? [first, last] : undefined
}
