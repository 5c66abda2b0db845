/** A deadline that is not a number of milliseconds. */

import { localize } from '../../text/localize.ts'
import { findingsOf, isAboutDeadline, mayCall, spanIn } from '../call-findings.ts'
import { definedTools, example } from '../example.ts'
import { quoted } from '../quoted.ts'
import type { MessageRule } from '../rule.ts'

/** `deadline_ms` is allowed in every call, as a positive integer (2.2 §8.2, D19). */
export const invalidDeadline: MessageRule = {
  name: 'invalid-deadline',
  code: 'E-CALL-SCHEMA',
  severity: 'error',
  scope: 'message',
  section: '2.2 §8.2, §14, D19',
  summary: '`deadline_ms` is not a positive number of whole milliseconds',
  why: 'A runtime that cannot read the deadline either rejects the call or waits forever.',
  bad: example`
    ${definedTools('type get_time = () => any;')}
    <|start|>assistant to=functions.get_time call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"deadline_ms":"500"}<|call|>
  `,
  good: example`
    ${definedTools('type get_time = () => any;')}
    <|start|>assistant to=functions.get_time call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"deadline_ms":500}<|call|>
  `,
  concerns(facts) {
    return mayCall(facts)
  },
  check(context) {
    return findingsOf(context, 'mismatches', ({ call, tool, mismatches }) =>
      mismatches
        .filter((it) => isAboutDeadline(it, tool))
        .map(({ range, found, node }) => {
          const span = spanIn(call, range)
          const value = Number(node.value)
          const isMeant = node.type === 'string' && Number.isInteger(value) && value > 0
          return {
            span,
            message: localize`\`deadline_ms\` must be a positive integer, but is ${found}`,
            fixes: isMeant
              ? [
                  {
                    title: localize`Write ${quoted(String(value))}`,
                    edits: [{ span, text: String(value) }],
                    isSafe: false,
                  },
                ]
              : [],
          }
        }),
    )
  },
}
