/** A case that does not fit the inputs. */

import { valueAt } from '../../embedded/yaml-header.ts'
import { casesKey, inputsOf } from '../../semantics/inputs.ts'
import { caseFindings } from '../case-findings.ts'
import { writingFixes } from '../choice-fixes.ts'
import { example } from '../example.ts'
import { hasYamlHeader } from '../preamble-text.ts'
import type { HeaderRule } from '../rule.ts'

/** Cases give values to what `inputs` declares. */
export const unfitCase: HeaderRule = {
  name: 'unfit-case',
  code: 'W-CASE-VALUE',
  severity: 'warning',
  scope: 'header',
  section: '2.2 §2',
  summary: 'A case has a value that its input does not accept, or is missing a required value',
  why: 'A prompt that is filled with such a case is not the prompt that you want to test.\nThe file `NAME.cases.yaml` next to `NAME.ocm` is checked in the same way.',
  bad: example`
    version: 2.2
    inputs:
      tone: { type: string, values: [formal, friendly] }
    cases:
      greeting: { tone: freindly }
    <|start|>user<|message|>Answer in a {{ tone }} tone.<|end|>
  `,
  good: example`
    version: 2.2
    inputs:
      tone: { type: string, values: [formal, friendly] }
    cases:
      greeting: { tone: friendly }
    <|start|>user<|message|>Answer in a {{ tone }} tone.<|end|>
  `,
  check(context) {
    if (!hasYamlHeader(context)) return []
    const { offset, filled } = context.header
    const inputs = inputsOf(filled)
    const cases = filled.value && valueAt(filled, [casesKey])
    if (!inputs || cases?.type !== 'object') return []
    return [...caseFindings(cases.children, inputs)].map(({ range, message, replacement }) => {
      const span = { from: offset + range.start, to: offset + range.end }
      return { span, message, fixes: writingFixes(span, replacement) }
    })
  },
}
