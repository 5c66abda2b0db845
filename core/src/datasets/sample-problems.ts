/** What is reported of a sample besides the problems of its transcript. */

import type { Loss } from '../conversation/loss.ts'
import { readJsonConversation } from '../convert/convert.ts'
import type { JsonValue } from '../embedded/yaml-header.ts'
import { formOf, type SourceForm } from '../forms/form-registry.ts'
import type { Problem } from '../rules/problem.ts'
import type { BranchRule, Rule, SampleBranch, SampleRule } from '../rules/rule.ts'
import { rules as allRules } from '../rules/rule-registry.ts'
import { type RuleSettings, severitySettingFor } from '../rules/rule-settings.ts'
import type { DatasetMapping } from '../vocabulary/dataset-mapping.ts'

/** A sample as it was read. */
export interface JudgedSample {
  readonly from: SourceForm
  readonly losses: readonly Loss[]
  /** Undefined where the sample has one branch at most. */
  readonly branches?: readonly string[] | undefined
  readonly value?: JsonValue | undefined
  readonly mapping?: DatasetMapping | undefined
}

/**
 * The problems that what was reported of reading a sample, and its branches, are for users who set `settings`. Ranges are those of
 * the losses, in the text of the sample; empty at its start for what has no place. `rules` are those to judge by.
 */
export function sampleProblems(
  sample: JudgedSample,
  settings: readonly RuleSettings[] = [],
  rules: readonly Rule[] = allRules,
): readonly Problem[] {
  const sampleRules = rules.filter((rule): rule is SampleRule => rule.scope === 'sample')
  const branchRules = rules.filter((rule): rule is BranchRule => rule.scope === 'branches')
  const problems = sample.losses.flatMap(({ kind, message, range }) => {
    const rule = sampleRules.find(({ notes }) => notes.includes(kind))
    return rule ? problemOfSample(rule, { message, range }, settings) : []
  })
  const branches = comparedBranches(sample)
  if (branches.length < 2) return problems
  return problems.concat(
    branchRules.flatMap((rule) => {
      const message = rule.check(branches)
      return message === undefined ? [] : problemOfSample(rule, { message }, settings)
    }),
  )
}

/** A problem of a sample as a whole, or of a place in it; none if `settings` turn the rule off. */
export function problemOfSample(
  rule: Rule,
  {
    message,
    range = { start: 0, end: 0 },
  }: { readonly message: string; readonly range?: Problem['range'] | undefined },
  settings: readonly RuleSettings[],
): readonly Problem[] {
  const severity = severitySettingFor(rule, settings) ?? rule.severity
  if (severity === 'off') return []
  const { code, name } = rule
  return [{ code, rule: name, severity, message, range, related: [], fixes: [], tag: undefined }]
}

/** The branches that are answers to one prompt; none of a form whose branches are not compared. */
function comparedBranches({ from, branches, value, mapping }: JudgedSample): readonly SampleBranch[] {
  if (!branches || value === undefined || !formOf(from).comparesBranches) return []
  return branches.map((name) => {
    const options = {
      from: mapping ? ('auto' as const) : from,
      branch: name,
      rest: 'source',
      mapping,
    } as const
    return { name, messages: readJsonConversation(value, options).conversation.messages }
  })
}
