/** What a comparison of two conversations found, for people, programs, and build servers. */
import {
  type MatchedStep,
  type MatchResult,
  type Position,
  type Step,
  type StepDifference,
  stepTitle,
} from '../../../core/src/internal.ts'
import { attribute, content } from '../reporters/xml-text.ts'
import { type Style, styleOf } from '../terminal/colour.ts'
import { displayableLine, lineStart, safeJson } from '../terminal/displayable.ts'

/** A comparison with what it is of. */
export interface MatchReport {
  /** As people see them. */
  readonly actual: string
  readonly expected: string
  readonly mode: string
  readonly args: string
  readonly result: MatchResult
  /** Where a step of either side begins; undefined if that is not known. */
  readonly placeOf: (side: 'actual' | 'expected', step: Step) => Position | undefined
}

/** What differs, each with its place, and a line with the outcome. */
export function prettyReport(report: MatchReport, style: Style): string {
  const { actual, expected, mode, result } = report
  const lines = result.steps.flatMap((step) => (step.kind === 'same' ? [] : prettyStep(report, step, style)))
  const nSame = result.steps.filter(({ kind }) => kind === 'same').length
  const sums = `${nSame} of ${result.steps.length} steps match`
  const outcome = result.isMatch ? 'matches' : 'does not match'
  const names = [actual, expected].map(displayableLine)
  lines.push(style.strong(`${names[0]} ${outcome} ${names[1]} (${mode}): ${sums}`))
  return `${lines.join('\n')}\n`
}

function prettyStep(
  report: MatchReport,
  step: Exclude<MatchedStep, { kind: 'same' }>,
  style: Style,
): string[] {
  const { side, place } = placeIn(report, step)
  const lines = [`${lineStart(report[side])}${place}: ${sentenceOf(step)}`]
  if (step.kind !== 'unexpected') lines.push(style.removed(`  expected: ${excerptOf(step.expected)}`))
  if (step.kind !== 'missing') lines.push(style.added(`  actual:   ${excerptOf(step.actual)}`))
  return lines
}

/** The place of an actual step, or of the expected one where there is none. */
function placeIn(
  { placeOf }: MatchReport,
  step: MatchedStep,
): { side: 'actual' | 'expected'; place: string } {
  const side = step.kind === 'missing' ? 'expected' : 'actual'
  const position = placeOf(side, step.kind === 'missing' ? step.expected : step.actual)
  return { side, place: position ? `:${position.line + 1}:${position.character + 1}` : '' }
}

function sentenceOf(step: Exclude<MatchedStep, { kind: 'same' }>): string {
  if (step.kind === 'missing') return `Missing ${nameOf(step.expected)}`
  if (step.kind === 'unexpected') return `Unexpected ${nameOf(step.actual)}`
  return `Different ${nameOf(step.actual)}${whereOf(step.difference)}`
}

function nameOf(step: Step): string {
  return stepTitle(step, displayableLine)
}

function whereOf(difference: StepDifference): string {
  if (difference.kind !== 'value' || difference.value.path.length === 0) return ''
  const path = displayableLine(difference.value.path.join('.'))
  const words = { missing: 'is missing', unexpected: 'is unexpected', different: 'differs' } as const
  return `: \`${path}\` ${words[difference.value.kind]}`
}

const longestExcerpt = 200 // code units

function excerptOf({ text }: Step): string {
  const line = displayableLine(text.slice(0, longestExcerpt + 1).trim())
  return text.length > longestExcerpt ? `${line.slice(0, longestExcerpt)}…` : line
}

/** One object: `{"actual":…,"expected":…,"mode":…,"args":…,"matches":…,"steps":[…]}`. Its shape is stable. */
export function jsonReport(report: MatchReport): string {
  const { actual, expected, mode, args, result, placeOf } = report
  const sideOf = (side: 'actual' | 'expected', step: Step) => ({
    kind: step.kind,
    ...(step.tool !== '' && { tool: step.tool }),
    message: step.message,
    text: step.text,
    ...placeOf(side, step),
  })
  const steps = result.steps.map((step) => ({
    outcome: step.kind,
    ...(step.kind === 'different' && { difference: step.difference }),
    ...(step.kind !== 'unexpected' && { expected: sideOf('expected', step.expected) }),
    ...(step.kind !== 'missing' && { actual: sideOf('actual', step.actual) }),
  }))
  return `${safeJson(JSON.stringify({ actual, expected, mode, args, matches: result.isMatch, steps }))}\n`
}

/** A suite with a test for each step. */
export function junitReport(report: MatchReport): string {
  const { result, actual, expected, mode } = report
  const nFailures = result.steps.filter(({ kind }) => kind !== 'same').length
  const name = attribute(actual)
  const sums = `tests="${Math.max(1, result.steps.length)}" failures="${nFailures}" errors="0" skipped="0"`
  const cases = result.steps.map((step, index) => {
    const label = attribute(`${index + 1}. ${nameOf(step.kind === 'missing' ? step.expected : step.actual)}`)
    const test = `    <testcase name="${label}" classname="${name}"`
    if (step.kind === 'same') return `${test}/>\n`
    const text = content(prettyStep(report, step, styleOf(false)).join('\n'))
    return `${test}>\n      <failure type="${step.kind}" message="${attribute(sentenceOf(step))}">${text}</failure>\n    </testcase>\n`
  })
  if (cases.length === 0) cases.push(`    <testcase name="no steps" classname="${name}"/>\n`)
  const suite = `  <testsuite name="${attribute(`${actual} and ${expected} (${mode})`)}" ${sums}>\n${cases.join('')}  </testsuite>\n`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="ocm match">\n${suite}</testsuites>\n`
}
