/** A rule that throws, which is a bug: it is named where it failed, and the other rules are run. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Transcript } from '../../core/src/document/transcript.ts'
import { Checker } from '../../core/src/rules/checker.ts'
import type { Rule } from '../../core/src/rules/rule.ts'
import { ruleNamed } from '../../core/src/rules/rule-registry.ts'
import { analyze } from '../../core/src/semantics/analysis.ts'

const text =
  'version: 2.2\n<|start|>user<|message|>Hi<|end|>\n<|start|>assistant<|channel|>finl<|message|>x<|end|>\n'

test('a rule that throws is reported with its place, and the others still run', () => {
  const unknown = ruleNamed('unknown-channel')
  const value = ruleNamed('wrong-terminator')
  assert.ok(unknown && value?.scope === 'message')
  const broken: Rule = {
    ...value,
    concerns: (facts) => facts.role === 'assistant',
    check() {
      throw new Error('a bug')
    },
  }
  const told: string[] = []
  const checker = new Checker(analyze(Transcript.parse(text)), {
    rules: [broken, unknown],
    onRuleError: (rule, error) => told.push(`${rule.name}: ${(error as Error).message}`),
  })
  checker.advance()
  assert.deepEqual(
    checker
      .problems()
      .problems.map(({ rule, severity, message, range }) => ({ rule, severity, message, at: range.start })),
    [
      {
        rule: 'wrong-terminator',
        severity: 'information',
        message: 'Internal error: the rule `wrong-terminator` failed here; all other rules ran',
        at: text.indexOf('<|start|>assistant'),
      },
      {
        rule: 'unknown-channel',
        severity: 'error',
        message: 'Unknown channel `finl`; did you mean `final`?',
        at: text.indexOf('finl'),
      },
    ],
  )
  assert.deepEqual(told, ['wrong-terminator: a bug'])
})
