/** A column of a sample that holds conversation and that nothing reads. */

import { example } from '../example.ts'
import type { SampleRule } from '../rule.ts'

/** Nothing of a sample is dropped in silence (S4, F8). */
export const unreadColumn: SampleRule = {
  name: 'unread-column',
  code: 'W-DATA-UNREAD',
  severity: 'warning',
  scope: 'sample',
  section: '2.2 §10, F8, S4',
  summary: 'A column of a sample looks like part of its conversation, but is not read',
  why: 'The form of a sample determines which columns are read.\nThe content of other columns is not shown, checked, or counted, and reviewers of the sample miss it.\nA column that repeats what was read is not reported.\nMap columns with other names under `datasets` in `.openchatml.yaml`.',
  notes: ['unread'],
  bad: example`
    {"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}], "response": "Good day"}
  `,
  good: example`
    {"prompt": [{"role": "user", "content": "Hi"}], "response": "Hello"}
  `,
}
