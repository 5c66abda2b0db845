/** A sample that is in the data twice. */
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import type { DatasetRule } from '../rule.ts'

/** Each sample is learned once (S16). */
export const duplicateSample: DatasetRule = {
  name: 'duplicate-sample',
  code: 'W-DATA-DUPLICATE',
  severity: 'warning',
  scope: 'dataset',
  group: 'data',
  section: '2.2 §10, S16',
  summary: 'A sample repeats an earlier one',
  why: 'Models memorize repeated samples, which also have more weight than others.\nMessages are compared, whatever the form and the other fields; call IDs do not count.\nSamples of all files of a run are compared, and reported once.',
  bad: example`
    {"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]}
    {"messages": [{"role": "user", "content": "2 + 2?"}, {"role": "assistant", "content": "4"}]}
    {"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]}
  `,
  good: example`
    {"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]}
    {"messages": [{"role": "user", "content": "2 + 2?"}, {"role": "assistant", "content": "4"}]}
    {"messages": [{"role": "user", "content": "Bye"}, {"role": "assistant", "content": "See you"}]}
  `,
  check({ duplicates: { count, examples } }) {
    if (count === 0) return undefined
    return localize`Samples that repeat an earlier one: ${count.toLocaleString('en')} (${examples.join(', ')})`
  },
  samples: ({ duplicates }) => duplicates,
}
