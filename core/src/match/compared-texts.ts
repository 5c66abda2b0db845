/** Two conversations as two texts that differ exactly where the comparison found a difference: for an editor that shows differences. */
import { jsonOf } from '../embedded/json-layout.ts'
import { localize } from '../text/localize.ts'
import type { MatchedStep, MatchOptions, MatchResult } from './match-conversations.ts'
import type { Step } from './steps.ts'

/** The two texts. */
export interface ComparedTexts {
  readonly expected: string
  readonly actual: string
}

/** The texts of `result`. A step that fits is on both sides as it was done, so that what fits an `<any>` is not a difference. */
export function comparedTexts(result: MatchResult, { mode, args }: MatchOptions): ComparedTexts {
  const { steps } = result
  const nSame = steps.filter(({ kind }) => kind === 'same').length
  const head = localize`${mode}, arguments ${args}: ${nSame} of ${steps.length} steps match`
  const expected = [head]
  const actual = [head]
  for (const step of steps) {
    const [left, right] = sidesOf(step)
    if (left !== undefined) expected.push(blockOf(left))
    if (right !== undefined) actual.push(blockOf(right))
  }
  return { expected: `${expected.join('\n\n')}\n`, actual: `${actual.join('\n\n')}\n` }
}

function sidesOf(step: MatchedStep): readonly [Step | undefined, Step | undefined] {
  switch (step.kind) {
    case 'same':
      return [step.actual, step.actual]
    case 'different':
      return [step.expected, step.actual]
    case 'missing':
      return [step.expected, undefined]
    case 'unexpected':
      return [undefined, step.actual]
  }
}

/** JSON is laid out, so that white space is not a difference. */
function blockOf(step: Step): string {
  const { value, text } = step
  const shown = typeof value === 'object' && value !== null ? jsonOf(value) : text.trim()
  return `${stepTitle(step)}\n${shown.replaceAll(/^(?=.)/gm, '  ')}`
}

/** What a step is, in a few words: `call of search`. The name of its tool is shown by `show`. */
export function stepTitle({ kind, tool }: Step, show: (tool: string) => string = (it) => it): string {
  switch (kind) {
    case 'user':
      return localize`user message`
    case 'call':
      return localize`call of \`${show(tool)}\``
    case 'reply':
      return localize`reply of \`${show(tool)}\``
    case 'answer':
      return localize`answer`
  }
}
