/** An entry of `lint` that sets nothing. */

import { valueAt } from '../../embedded/yaml-header.ts'
import { localize } from '../../text/localize.ts'
import { lintEntries } from '../lint-entries.ts'
import { hasYamlHeader } from '../preamble-text.ts'
import { quoted } from '../quoted.ts'
import type { Finding, HeaderRule, RuleDocumentation } from '../rule.ts'
import { settableNames } from '../rule-settings.ts'

/** Rules have names, and severities too; `rules` tells the rules that there are, of which this is one. */
export function unknownLintEntry(rules: () => readonly RuleDocumentation[]): HeaderRule {
  return {
    name: 'unknown-lint-entry',
    code: 'H-LINT-ENTRY',
    severity: 'hint',
    scope: 'header',
    section: '2.2 §2',
    summary: 'An entry of `lint` names no rule, or no severity',
    why: 'The header may set severities of rules for its transcript: `error`, `warning`, `information`, `hint` or `off`, by the name of a rule or by a code.\nAn entry with a mistake in it sets nothing, and the problem that it was meant for goes on being reported.',
    bad: 'version: 2.2\nlint:\n  token-in-boddy: off\n<|start|>user<|message|>Hi<|end|>\n',
    good: 'version: 2.2\nlint:\n  token-in-body: off\n<|start|>user<|message|>Hi<|end|>\n',
    check(analysis) {
      if (!hasYamlHeader(analysis)) return []
      const { yaml, offset } = analysis.header
      const lint = yaml.value && valueAt(yaml, ['lint'])
      if (lint?.type !== 'object') return []
      return lintEntries(lint.children, settableNames(rules())).flatMap(({ problem }): readonly Finding[] => {
        if (!problem) return []
        const { range, message, suggestion } = problem
        const span = { from: offset + range.start, to: offset + range.end }
        const edits = [{ span, text: suggestion ?? '' }]
        const fix = { title: localize`Write ${quoted(suggestion ?? '')}`, edits, isSafe: false }
        return [{ span, message, fixes: suggestion === undefined ? [] : [fix] }]
      })
    },
  }
}
