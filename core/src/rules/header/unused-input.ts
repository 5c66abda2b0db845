/** An input that no body uses. */
import { inputsOf } from '../../semantics/inputs.ts'
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { quoted } from '../quoted.ts'
import type { Finding, HeaderRule } from '../rule.ts'

/** The caller who fills the prompt gives a value that has no effect. */
export const unusedInput: HeaderRule = {
  name: 'unused-input',
  code: 'H-INPUT-UNUSED',
  severity: 'hint',
  scope: 'header',
  section: '2.2 §2',
  summary: 'No template uses a declared input',
  why: 'The value has no effect, often because the template spells its name differently.\nIf bodies include parts, nothing is reported, because a part may use the input.',
  bad: example`
    version: 2.2
    inputs:
      customer: { type: string }
      order: { type: string }
    <|start|>user<|message|>I am {{ customer }}.<|end|>
  `,
  good: example`
    version: 2.2
    inputs:
      customer: { type: string }
      order: { type: string }
    <|start|>user<|message|>I am {{ customer }}, and this is about {{ order }}.<|end|>
  `,
  check({ header, unusedInputs }) {
    const unused = new Set(unusedInputs)
    const inputs = unused.size > 0 ? (inputsOf(header.filled) ?? []) : []
    return inputs.flatMap(({ name, entry: { keyRange } }): readonly Finding[] => {
      if (!unused.has(name) || !keyRange) return []
      const span = { from: header.offset + keyRange.start, to: header.offset + keyRange.end }
      return [{ span, message: localize`No template uses the input ${quoted(name)}`, tag: 'unnecessary' }]
    })
  },
}
