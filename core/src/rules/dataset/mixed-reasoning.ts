/** Reasoning in two forms. */
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import type { DatasetRule } from '../rule.ts'

/** Reasoning is in one place (S16). */
export const mixedReasoning: DatasetRule = {
  name: 'mixed-reasoning',
  code: 'W-DATA-THINK',
  severity: 'warning',
  scope: 'dataset',
  group: 'data',
  section: '2.2 §10, F20, S16',
  summary: 'Some samples have reasoning in tags of the answer, and some in a separate field',
  why: 'Chat templates write one of them as reasoning and the other as text, or drop one.\nThe model learns two ways to write its reasoning.',
  bad: example`
    {"messages": [{"role": "user", "content": "2 + 2?"}, {"role": "assistant", "content": "<think>Two and two</think>4"}]}
    {"messages": [{"role": "user", "content": "3 + 3?"}, {"role": "assistant", "reasoning_content": "Three and three", "content": "6"}]}
  `,
  good: example`
    {"messages": [{"role": "user", "content": "2 + 2?"}, {"role": "assistant", "reasoning_content": "Two and two", "content": "4"}]}
    {"messages": [{"role": "user", "content": "3 + 3?"}, {"role": "assistant", "reasoning_content": "Three and three", "content": "6"}]}
  `,
  check({ inlineReasoning: inline, separateReasoning: separate }) {
    if (inline.count === 0 || separate.count === 0) return undefined
    const [nInline, nSeparate] = [inline.count.toLocaleString('en'), separate.count.toLocaleString('en')]
    return localize`Samples have reasoning in tags (${nInline}: ${inline.examples.join(', ')}) and in a field (${nSeparate}: ${separate.examples.join(', ')})`
  },
  compared: ({ inlineReasoning }) => inlineReasoning,
}
