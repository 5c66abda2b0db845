/** Runs the rules over a text for tests: problems as short lines, with the text that they mark. */
import assert from 'node:assert/strict'
import { problemsOfLines, sampleOnLine } from '../../core/src/checks/problems-of-lines.ts'
import { o200k } from '../../core/src/convert/o200k-encoder.ts'
import { editedSample } from '../../core/src/datasets/edited-sample.ts'
import { Transcript } from '../../core/src/document/transcript.ts'
import { filledAlone } from '../../core/src/prompts/prompt-check.ts'
import { applyFixes } from '../../core/src/rules/apply-fix.ts'
import { Checker } from '../../core/src/rules/checker.ts'
import type { Problem, ProblemFix } from '../../core/src/rules/problem.ts'
import type { Rule } from '../../core/src/rules/rule.ts'
import { analyze } from '../../core/src/semantics/analysis.ts'
import type { DialectName } from '../../core/src/vocabulary/framing.ts'
import { withMarks } from '../helpers/marked-text.ts'

/** The problems of `text`; a rule that throws fails the test. */
export function problemsIn(text: string, dialect: DialectName | 'auto' = 'auto'): readonly Problem[] {
  const ofSamples = text.startsWith('{"') ? problemsOfLines(text, { onRuleError: fail }) : undefined
  if (ofSamples) return ofSamples
  const analysis = analyze(Transcript.parse(text, { dialect }))
  const checker = new Checker(analysis, {
    onRuleError: fail,
  })
  checker.fill(filledAlone(analysis, (it) => o200k.count?.(it) ?? 0))
  return checker.problems().problems
}

function fail(rule: Rule, error: unknown): never {
  throw new Error(`The rule ${rule.name} threw`, { cause: error })
}

/** `severity rule «marked text»` of every problem. */
export function shown(text: string, dialect: DialectName | 'auto' = 'auto'): readonly string[] {
  return problemsIn(text, dialect).map(
    ({ severity, rule, range }) => `${severity} ${rule} «${text.slice(range.start, range.end)}»`,
  )
}

/** Errors and warnings only. */
export function isSerious({ severity }: Problem): boolean {
  return severity === 'error' || severity === 'warning'
}

/** `text` after one fix. */
export function fixed(text: string, fix: ProblemFix): string {
  const sample = text.startsWith('{"') ? sampleOnLine(text) : undefined
  if (!sample) return applyFixes(text, [fix])
  return editedSample(sample, applyFixes(sample.text, [fix])).json
}

/**
 * Checks that the errors and warnings of a marked text are exactly those that its lines of carets name,
 * each as `severity rule`; hints and informations need no mark, but a mark needs them.
 */
export function checkMarked(marked: string, dialect: DialectName | 'auto' = 'auto'): void {
  const { text, marks } = withMarks(marked)
  const wanted = marks.map(({ start, end, label }) => `${start}-${end} ${label}`)
  const found = problemsIn(text, dialect)
    .map((it) => ({ it, line: `${it.range.start}-${it.range.end} ${it.severity} ${it.rule}` }))
    .filter(({ it, line }) => isSerious(it) || wanted.includes(line))
    .map(({ line }) => line)
  assert.deepEqual(found, wanted)
}
