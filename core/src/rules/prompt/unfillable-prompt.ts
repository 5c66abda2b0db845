/** A prompt that cannot be filled: a part is missing, or a template fails. */

import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { quoted } from '../quoted.ts'
import type { FilledCase, PromptRule } from '../rule.ts'

/** Values, names, and broken tags have rules of their own. */
export const unfillablePrompt: PromptRule = {
  name: 'unfillable-prompt',
  code: 'W-PROMPT-FILL',
  severity: 'warning',
  scope: 'prompt',
  section: '2.2 §2',
  summary: 'A prompt cannot be filled: a part is missing or refused, or a template fails',
  why: 'A prompt that cannot be filled fails when it is used, perhaps only with rare values.\nMissing values, undeclared names, and tags that are not closed are reported by `unfit-case`, `undefined-input`, and `broken-template`.',
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
    const found = new Map<string, { readonly problem: FillProblem; readonly names: (string | undefined)[] }>()
    for (const { name, problems } of cases) {
      // A template fails without the values that it needs, which `unfit-case` reports.
      const isComplete = problems.every(({ kind }) => kind !== 'value')
      for (const problem of problems) {
        const { kind, range, message } = problem
        if (kind !== 'part' && kind !== 'limit' && !(kind === 'template' && isComplete)) continue
        const key = `${range.start} ${message}`
        const known = found.get(key)
        if (known) known.names.push(name)
        else found.set(key, { problem, names: [name] })
      }
    }
    for (const { problem, names } of found.values()) {
      const [name] = names.length < cases.length ? names : []
      yield { range: problem.range, message: messageOf(problem, name) }
    }
  },
}

type FillProblem = FilledCase['problems'][number]

/** `name` is that of the first of some cases; undefined if the problem is in all of them. */
function messageOf({ kind, message }: FillProblem, name: string | undefined): string {
  if (kind === 'limit') return message
  const reason = message.replace(/\.$/, '') // linear: one character at the end
  if (kind === 'part')
    return name === undefined
      ? localize`The prompt cannot be filled: ${reason}`
      : localize`The prompt cannot be filled with the case ${quoted(name)}: ${reason}`
  return name === undefined
    ? localize`The template fails: ${quoted(reason)}`
    : localize`The template fails with the case ${quoted(name)}: ${quoted(reason)}`
}
