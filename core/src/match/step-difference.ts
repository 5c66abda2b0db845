/** How two steps differ, where the expected one may say that anything fits. */
import { expectedText } from './expected-text.ts'
import { type ArgumentMode, type ValueDifference, valueDifference } from './expected-value.ts'
import type { Step } from './steps.ts'

/** The first thing in which two steps differ. */
export type StepDifference =
  | { readonly kind: 'kind' | 'tool' | 'text' }
  | { readonly kind: 'value'; readonly value: ValueDifference }

/** Compares steps with `expected`. @throws PatternProblem for an expression that cannot be used */
export function stepComparer(
  expected: Step,
  args: ArgumentMode,
): (actual: Step) => StepDifference | undefined {
  const tool = expectedText(expected.tool)
  const text = expectedText(expected.text)
  const isIgnored = expected.kind === 'call' && args === 'ignore'
  const mode = expected.kind === 'call' && args === 'subset' ? 'subset' : 'exact'
  return (actual) => {
    if (actual.kind !== expected.kind) return { kind: 'kind' }
    if (!tool.fits(actual.tool)) return { kind: 'tool' }
    if (isIgnored || text.isAny) return undefined
    if (expected.value === undefined || actual.value === undefined)
      return text.fits(actual.text) ? undefined : { kind: 'text' }
    const value = valueDifference(actual.value, expected.value, mode)
    return value && { kind: 'value', value }
  }
}
