/** Calls, markup, or JSON of a sample that cannot be read. */

import { example } from '../example.ts'
import type { SampleRule } from '../rule.ts'

/** What is in doubt is hidden (D15), and reported (F9, F20). */
export const unreadableCall: SampleRule = {
  name: 'unreadable-call',
  code: 'W-DATA-UNREADABLE',
  severity: 'warning',
  scope: 'sample',
  section: '2.2 §10, F9, F20',
  summary: 'A call, a tag, or JSON of a sample cannot be read',
  why: 'A `<tool_call>` that is not JSON, or `tools` that do not parse, are mistakes that a model learns.\nTheir text is hidden as reasoning, so that it is never shown as an answer.\nIf the last line of a session of a coding agent is cut off, it is left out.',
  notes: ['unreadable'],
  bad: example`
    {"messages": [{"role": "assistant", "content": "<tool_call>{\"name\": \"f\"</tool_call>Done"}]}
  `,
  good: example`
    {"messages": [{"role": "assistant", "content": "<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>"}]}
  `,
}
