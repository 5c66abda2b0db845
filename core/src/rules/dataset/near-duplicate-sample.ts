/** A sample that is nearly in the data twice. */
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import type { DatasetRule } from '../rule.ts'

/** Each sample is learned once (S16). */
export const nearDuplicateSample: DatasetRule = {
  name: 'near-duplicate-sample',
  code: 'W-DATA-NEAR-DUPLICATE',
  severity: 'warning',
  scope: 'dataset',
  group: 'data',
  section: '2.2 §10, S16',
  summary: 'A sample is nearly identical to an earlier one',
  why: 'Models memorize samples that differ in only a few words just as they memorize repeated ones.\nTwo samples are nearly identical if they share about 80 % of their three-word sequences, without those of system messages; the share is estimated with MinHash.\nSamples of fewer than 10 words are not compared.',
  bad: example`
    {"messages": [{"role": "user", "content": "How do bees talk?"}, {"role": "assistant", "content": "Bees dance to tell their sisters where the flowers are, how far, and how good."}]}
    {"messages": [{"role": "user", "content": "2 + 2?"}, {"role": "assistant", "content": "4"}]}
    {"messages": [{"role": "user", "content": "How do bees talk?"}, {"role": "assistant", "content": "Bees dance to tell their sisters where the flowers are, how far, and how rich."}]}
  `,
  good: example`
    {"messages": [{"role": "user", "content": "How do bees talk?"}, {"role": "assistant", "content": "Bees dance to tell their sisters where the flowers are, how far, and how good."}]}
    {"messages": [{"role": "user", "content": "2 + 2?"}, {"role": "assistant", "content": "4"}]}
    {"messages": [{"role": "user", "content": "How do bees talk?"}, {"role": "assistant", "content": "By dancing."}]}
  `,
  check({ nearDuplicates: { count, examples } }) {
    if (count === 0) return undefined
    return localize`Samples that nearly repeat an earlier one: ${count.toLocaleString('en')} (${examples.join(', ')})`
  },
  samples: ({ nearDuplicates }) => nearDuplicates,
}
