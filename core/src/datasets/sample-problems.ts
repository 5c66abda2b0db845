/** What is reported of a sample besides the problems of its transcript. */

import type { Loss } from '../conversation/loss.ts'
import type { Problem } from '../rules/problem.ts'
import type { Rule, SampleRule } from '../rules/rule.ts'
import { rules as allRules } from '../rules/rule-registry.ts'
import { type RuleSettings, severitySettingFor } from '../rules/rule-settings.ts'

/**
 * The problems that `losses`, what was reported of reading a sample, are for users who set `settings`. Ranges are those of the
 * losses, in the text of the sample; empty at its start for a loss without a place. `rules` are those to judge by.
 */
export function sampleProblems(
  losses: readonly Loss[],
  settings: readonly RuleSettings[] = [],
  rules: readonly Rule[] = allRules,
): readonly Problem[] {
  const sampleRules = rules.filter((rule): rule is SampleRule => rule.scope === 'sample')
  return losses.flatMap(({ kind, message, range = { start: 0, end: 0 } }): readonly Problem[] => {
    const rule = sampleRules.find(({ notes }) => notes.includes(kind))
    const severity = rule && (severitySettingFor(rule, settings) ?? rule.severity)
    if (!rule || severity === undefined || severity === 'off') return []
    return [
      { code: rule.code, rule: rule.name, severity, message, range, related: [], fixes: [], tag: undefined },
    ]
  })
}
