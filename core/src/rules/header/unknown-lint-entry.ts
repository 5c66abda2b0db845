/** An entry of `lint` that sets nothing. */

import { valueAt } from '../../embedded/yaml-header.ts'
import { choiceFixes } from '../choice-fixes.ts'
import { example } from '../example.ts'
import { lintEntries } from '../lint-entries.ts'
import { hasYamlHeader } from '../preamble-text.ts'
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
    summary: 'An entry of `lint` has an unknown rule or severity',
    why: 'The header can set the severity of rules for its transcript: `error`, `warning`, `information`, `hint`, or `off`, by the name of a rule or by a code.\nAn entry with a mistake has no effect, and the problem that it was meant for is still reported.',
    bad: example`
    version: 2.2
    lint:
      token-in-boddy: off
    <|start|>user<|message|>Hi<|end|>
  `,
    good: example`
    version: 2.2
    lint:
      token-in-body: off
    <|start|>user<|message|>Hi<|end|>
  `,
    check(analysis) {
      if (!hasYamlHeader(analysis)) return []
      const { yaml, offset } = analysis.header
      const lint = yaml.value && valueAt(yaml, ['lint'])
      if (lint?.type !== 'object') return []
      return lintEntries(lint.children, settableNames(rules())).flatMap(({ mistake }): readonly Finding[] => {
        if (!mistake) return []
        const { range, message, suggestions } = mistake.explain()
        const span = { from: offset + range.start, to: offset + range.end }
        return [{ span, message, fixes: choiceFixes(span, suggestions) }]
      })
    },
  }
}
