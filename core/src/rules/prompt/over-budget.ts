/** A filled prompt, or a part of it, that is larger than its budget. */
import { type Budget, budgetsOf } from '../../semantics/budgets.ts'
import { localize } from '../../text/localize.ts'
import { closestWord, didYouMean } from '../closest-word.ts'
import { example } from '../example.ts'
import { quoted } from '../quoted.ts'
import type { FilledCase, ItemSize, PromptFinding, PromptRule } from '../rule.ts'

/** The largest case counts. */
export const overBudget: PromptRule = {
  name: 'over-budget',
  code: 'W-PROMPT-BUDGET',
  severity: 'warning',
  scope: 'prompt',
  section: '2.2 §2',
  summary: 'A filled prompt, or a part of it, has more tokens than its budget',
  why: 'Prompts grow with every edit, and every request pays for each token.\nBudgets under `budgets` in the header are checked for every case, in VS Code, by `ocm check`, and by `ocm render`.\nTokens are counted as gpt-oss models count them (`o200k_harmony`).\nA budget for a section, message, or tool that no case has is reported, too.',
  bad: example`
    version: 2.2
    inputs:
      customer: { type: string }
    cases:
      long: { customer: "Ada Lovelace, Countess of Lovelace" }
    budgets:
      messages: { developer: 10 }
    <|start|>developer<|message|># Instructions

    You help {{ customer }}.<|end|>
  `,
  good: example`
    version: 2.2
    inputs:
      customer: { type: string }
    cases:
      long: { customer: "Ada Lovelace, Countess of Lovelace" }
    budgets:
      messages: { developer: 40 }
    <|start|>developer<|message|># Instructions

    You help {{ customer }}.<|end|>
  `,
  *check({ analysis: { header }, cases }) {
    for (const budget of budgetsOf(header.filled)) {
      const finding = findingOn(budget, cases)
      if (!finding) continue
      const { start, end } = finding.range
      yield { ...finding, range: { start: header.offset + start, end: header.offset + end } }
    }
  },
}

function findingOn(budget: Budget, cases: readonly FilledCase[]): PromptFinding | undefined {
  const { kind, name, most, nameRange, valueRange } = budget
  let largest: { readonly tokens: number; readonly caseName: string | undefined } | undefined
  let isMissing = true
  for (const { name: caseName, isChosen, sizes = [] } of cases) {
    for (const tokens of tokensOf(budget, sizes)) {
      isMissing = false
      if (isChosen && tokens > (largest?.tokens ?? -1)) largest = { tokens, caseName }
    }
  }
  if (isMissing) {
    // A case that cannot be filled or counted might have it.
    if (cases.some(({ sizes, problems }) => !sizes || problems.length > 0)) return undefined
    const known = cases.flatMap(({ sizes = [] }) => sizes.flatMap((it) => (it.kind === kind ? it.name : [])))
    return {
      range: nameRange,
      message: didYouMean(localize`No case has ${labelOf(budget)}`, closestWord(name, known)),
    }
  }
  if (!largest || largest.tokens <= most) return undefined
  const tokens = largest.tokens.toLocaleString('en')
  const limit = most.toLocaleString('en')
  const message =
    largest.caseName === undefined
      ? localize`${capitalized(labelOf(budget))} has ${tokens} tokens, more than ${limit}`
      : localize`${capitalized(labelOf(budget))} has ${tokens} tokens in the case ${quoted(largest.caseName)}, more than ${limit}`
  return { range: valueRange, message }
}

function tokensOf({ kind, name }: Budget, sizes: readonly ItemSize[]): readonly number[] {
  if (kind === 'prompt')
    return [sizes.reduce((sum, it) => (it.kind === 'message' ? sum + it.tokens : sum), 0)]
  return sizes.flatMap((it) => (it.kind === kind && it.name === name ? it.tokens : []))
}

function labelOf({ kind, name }: Budget): string {
  switch (kind) {
    case 'prompt':
      return localize`the prompt`
    case 'message':
      return localize`a message of ${quoted(name)}`
    case 'section':
      return localize`a section ${quoted(name)}`
    case 'tool':
      return localize`a tool ${quoted(name)}`
  }
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
