/**
 * Compares what an agent did with what was expected: the steps of two conversations, in one of five modes. An evaluation
 * agents calls it trajectory matching.
 */
import type { Conversation } from '../conversation/conversation.ts'
import type { ArgumentMode } from './expected-value.ts'
import { MatchWork } from './match-work.ts'
import { pairedInOrder, pairedOnce, subsequence } from './pair-steps.ts'
import { type StepDifference, stepComparer } from './step-difference.ts'
import { type Step, stepsOf } from './steps.ts'

/**
 * How steps are compared. `strict`: the same steps in the same order. `ordered`: all expected steps in their order, others
 * in between. `unordered`: the same steps in any order. `superset`: all expected steps, and others. `subset`: none but
 * expected steps.
 */
export const matchModes = ['strict', 'ordered', 'unordered', 'superset', 'subset'] as const

/** How steps are compared. */
export type MatchMode = (typeof matchModes)[number]

/** How conversations are compared. */
export interface MatchOptions {
  readonly mode: MatchMode
  readonly args: ArgumentMode
}

/** A step, or a pair of steps. */
export type MatchedStep =
  | { readonly kind: 'same'; readonly expected: Step; readonly actual: Step }
  | {
      readonly kind: 'different'
      readonly expected: Step
      readonly actual: Step
      readonly difference: StepDifference
    }
  | { readonly kind: 'missing'; readonly expected: Step }
  | { readonly kind: 'unexpected'; readonly actual: Step }

/** The result of a comparison. */
export interface MatchResult {
  readonly isMatch: boolean
  /** In the order of the conversations. Steps that the mode does not ask for are left out. */
  readonly steps: readonly MatchedStep[]
}

/**
 * Compares `actual` with `expected`. Kinds of steps that `expected` does not have, such as messages of the user, are not
 * compared; calls always are.
 *
 * @throws PatternProblem if `expected` has an expression that cannot be used; MatchLimit if there is too much to compare
 */
export function matchConversations(
  actual: Pick<Conversation, 'messages'>,
  expected: Pick<Conversation, 'messages'>,
  { mode, args }: MatchOptions,
): MatchResult {
  const wanted = stepsOf(expected)
  const kinds = new Set(['call', ...wanted.map(({ kind }) => kind)])
  const found = stepsOf(actual).filter(({ kind }) => kinds.has(kind))
  const work = new MatchWork()
  const comparers = wanted.map((step) => stepComparer(step, args, work))
  const differenceOf = (expectedIndex: number, actualIndex: number): StepDifference | undefined =>
    comparers[expectedIndex]?.(found[actualIndex] as Step)
  const fits = (one: number, other: number) => differenceOf(one, other) === undefined
  const sizes = { nExpected: wanted.length, nActual: found.length }
  const pair = mode === 'strict' ? pairedInOrder : mode === 'ordered' ? subsequence : pairedOnce
  const actualOf = pair(sizes, fits)
  const steps = listed({ wanted, found, actualOf, mode }, differenceOf)
  return { isMatch: steps.every(({ kind }) => kind === 'same'), steps }
}

interface Compared {
  readonly wanted: readonly Step[]
  readonly found: readonly Step[]
  readonly actualOf: readonly number[]
  readonly mode: MatchMode
}

function listed(
  { wanted, found, actualOf, mode }: Compared,
  differenceOf: (one: number, other: number) => StepDifference | undefined,
): readonly MatchedStep[] {
  const used = new Set(actualOf)
  const steps: MatchedStep[] = []
  const left = found.map((_, index) => index).filter((index) => !used.has(index))
  const countsMissing = mode !== 'subset'
  const countsUnexpected = mode === 'strict' || mode === 'unordered' || mode === 'subset'
  const isBoth = countsMissing && countsUnexpected
  for (const [index, expected] of wanted.entries()) {
    const at = actualOf[index] ?? -1
    const actual = found[at]
    if (actual) {
      if (mode === 'strict') takeUnexpected(at)
      steps.push({ kind: 'same', expected, actual })
      continue
    }
    if (!countsMissing) continue
    const limit = mode === 'strict' ? nextPaired(index) : found.length
    const similar = isBoth ? left.findIndex((it) => it < limit && isSimilar(expected, found[it] as Step)) : -1
    const other = left[similar]
    const difference = other === undefined ? undefined : differenceOf(index, other)
    if (other === undefined || !difference) steps.push({ kind: 'missing', expected })
    else {
      left.splice(similar, 1)
      steps.push({ kind: 'different', expected, actual: found[other] as Step, difference })
    }
  }
  if (countsUnexpected) takeUnexpected(found.length)
  return steps

  /** The actual step that the next expected one with a partner has. */
  function nextPaired(from: number): number {
    for (let index = from + 1; index < wanted.length; index++) {
      const at = actualOf[index] ?? -1
      if (at !== -1) return at
    }
    return found.length
  }

  function takeUnexpected(before: number): void {
    while (left[0] !== undefined && left[0] < before)
      steps.push({ kind: 'unexpected', actual: found[left.shift() as number] as Step })
  }
}

/** True for steps that a reader would compare with each other. */
function isSimilar(expected: Step, actual: Step): boolean {
  return expected.kind === actual.kind && (expected.tool === actual.tool || expected.tool.includes('<'))
}
