/** A sample that is in another split as well. */
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import type { DatasetRule } from '../rule.ts'

/** Splits are apart (S16). */
export const leakedSample: DatasetRule = {
  name: 'leaked-sample',
  code: 'W-DATA-LEAK',
  severity: 'warning',
  scope: 'dataset',
  group: 'data',
  section: '2.2 §10, S16',
  summary: 'A sample also appears in the dataset of `--against`, identical or nearly identical',
  why: 'A model that is trained on samples of its test set performs better on the test than in practice.\n`ocm check --against FILE` compares samples in the same way as for duplicates.',
  bad: example`
    {"against": [{"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]}]}
    {"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]}
  `,
  good: example`
    {"against": [{"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]}]}
    {"messages": [{"role": "user", "content": "Bye"}, {"role": "assistant", "content": "See you"}]}
  `,
  check({ leaks: { count, examples } }) {
    if (count === 0) return undefined
    return localize`Samples that are in the other dataset as well: ${count.toLocaleString('en')} (${examples.join(', ')})`
  },
  samples: ({ leaks }) => leaks,
}
