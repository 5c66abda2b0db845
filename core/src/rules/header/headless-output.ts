/** Raw output of a model without the start token that the prompt ended with. */

import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { insertion } from '../message-header-places.ts'
import { rawOutput } from '../preamble-text.ts'
import type { HeaderRule } from '../rule.ts'
import { promptBefore } from '../tokenless-output.ts'

/** What a model generates continues a prompt; on its own, its first message has no start (D10). */
export const headlessOutput: HeaderRule = {
  name: 'headless-output',
  code: 'E-PARSE-HEADER',
  severity: 'error',
  scope: 'header',
  section: '2.2 §6, D1',
  summary: 'Model output appears before the first start token',
  why: 'The prompt ended with `<|start|>assistant`, which is not part of the output.\nWithout it, the first message has no start token and no role, and its text is read as a header.',
  bad: example`
    assistant<|message|>4.<|end|>
  `,
  good: example`
    <|start|>assistant<|message|>4.<|end|>
  `,
  check(analysis) {
    const span = rawOutput(analysis)
    if (!span) return []
    const { text, framing } = analysis.preamble
    const missing = promptBefore(text.slice(span.from, span.to), framing)
    return [
      {
        span,
        message: localize`Model output is missing \`${missing.trim()}\` at its start`,
        fixes: [
          {
            title: localize`Insert \`${missing.trim()}\``,
            edits: [insertion(span.from, missing)],
            isSafe: false,
          },
        ],
      },
    ]
  },
}
