/** How two steps differ, where the expected one may say that anything fits. */
import { anyText, expectedText } from './expected-text.ts'
import { type ArgumentMode, refuseUnusable, type ValueDifference, valueDifference } from './expected-value.ts'
import { MatchWork } from './match-work.ts'
import type { Step } from './steps.ts'

/** The first thing in which two steps differ. */
export type StepDifference =
  | { readonly kind: 'kind' | 'tool' | 'text' }
  | { readonly kind: 'value'; readonly value: ValueDifference }

/** Compares steps with `expected`. @throws PatternProblem for an expression that cannot be used; MatchLimit */
export function stepComparer(
  expected: Step,
  args: ArgumentMode,
  work = new MatchWork(),
): (actual: Step) => StepDifference | undefined {
  const tool = expectedText(expected.tool, work)
  const isAny = expected.text.trim() === anyText
  // The text of JSON is not itself an expected text: the expressions are in its strings, without the escapes of JSON.
  const wanted = expected.value === undefined ? expectedText(expected.text, work) : undefined
  if (expected.value !== undefined) refuseUnusable(expected.value)
  const isIgnored = expected.kind === 'call' && args === 'ignore'
  const mode = expected.kind === 'call' && args === 'subset' ? 'subset' : 'exact'
  return (actual) => {
    if (actual.kind !== expected.kind) return { kind: 'kind' }
    if (!tool.fits(actual.tool)) return { kind: 'tool' }
    if (isIgnored || isAny) return undefined
    if (expected.value === undefined || actual.value === undefined)
      return wanted?.fits(actual.text) ? undefined : { kind: 'text' }
    work.spend(expected.text.length)
    const value = valueDifference(actual.value, expected.value, mode, work)
    return value && { kind: 'value', value }
  }
}
