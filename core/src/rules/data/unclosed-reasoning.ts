/** Reasoning tags that do not close. */
import { example } from '../example.ts'
import type { SampleRule } from '../rule.ts'

/** What begins as reasoning ends as reasoning (S16, F20). */
export const unclosedReasoning: SampleRule = {
  name: 'unclosed-reasoning',
  code: 'W-DATA-THINK',
  severity: 'warning',
  scope: 'sample',
  group: 'data',
  section: '2.2 §7, F20, S16',
  summary: 'A reasoning tag of an answer is never closed',
  why: 'The answer was cut off while the model thought, or the tag was lost.\nA model that is trained on it never stops thinking.\nThe text is shown as reasoning, so that it is never taken for an answer.',
  notes: ['open-reasoning'],
  bad: example`
    {"messages": [{"role": "user", "content": "2 + 2?"}, {"role": "assistant", "content": "<think>Two and two"}, {"role": "user", "content": "And?"}, {"role": "assistant", "content": "4"}]}
  `,
  good: example`
    {"messages": [{"role": "user", "content": "2 + 2?"}, {"role": "assistant", "content": "<think>Two and two</think>4"}, {"role": "user", "content": "And?"}, {"role": "assistant", "content": "4"}]}
  `,
}
