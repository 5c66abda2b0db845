/** A prompt that cannot be filled: a part is missing, or a template fails. */

import { localize } from '../../text/localize.ts'
import type { Range } from '../../text/range.ts'
import { example } from '../example.ts'
import { quoted } from '../quoted.ts'
import type { PromptRule } from '../rule.ts'

/** Values, names, and broken tags have rules of their own. */
export const unfillablePrompt: PromptRule = {
  name: 'unfillable-prompt',
  code: 'W-PROMPT-FILL',
  severity: 'warning',
  scope: 'prompt',
  section: '2.2 §2',
  summary: 'A prompt cannot be filled: a part is missing or refused, or a template fails',
  why: 'A prompt that cannot be filled fails when it is used, for some cases only when their values are rare.\nMissing values, undeclared names, and tags that are not closed are reported by `unfit-case`, `undefined-input`, and `broken-template`.',
  bad: example`
    version: 2.2
    inputs:
      order: { type: string }
    cases:
      one: { order: A-1 }
    <|start|>user<|message|>Where is {{ order | uper }}?<|end|>
  `,
  good: example`
    version: 2.2
    inputs:
      order: { type: string }
    cases:
      one: { order: A-1 }
    <|start|>user<|message|>Where is {{ order | upper }}?<|end|>
  `,
  *check({ cases }) {
    const seen = new Set<string>()
    for (const { problems } of cases) {
      for (const { kind, range, message } of problems) {
        if (kind !== 'part' && kind !== 'template') continue
        const key = keyOf(range, message)
        if (seen.has(key)) continue
        seen.add(key)
        // Linear: one character at the end.
        const reason = message.replace(/\.$/, '')
        yield {
          range,
          message:
            kind === 'part'
              ? localize`The prompt cannot be filled: ${reason}`
              : localize`The template fails: ${quoted(reason)}`,
        }
      }
    }
  },
}

function keyOf({ start }: Range, message: string): string {
  return `${start} ${message}`
}
