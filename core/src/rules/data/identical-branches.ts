/** A pair whose branches say the same. */
import { textOf } from '../../semantics/parted-body.ts'
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { quoted } from '../quoted.ts'
import type { BranchRule, SampleBranch } from '../rule.ts'

/** A preference is a difference (S16). */
export const identicalBranches: BranchRule = {
  name: 'identical-branches',
  code: 'W-PAIR-IDENTICAL',
  severity: 'warning',
  scope: 'branches',
  group: 'data',
  section: '2.2 §10, S11, S16',
  summary: 'Two branches of a preference are identical',
  why: 'There is nothing to prefer: the loss of such a pair is constant, and its gradient is noise.\nWhitespace at the ends does not count.',
  bad: example`
    {"prompt": "2 + 2?", "chosen": "4", "rejected": "4"}
  `,
  good: example`
    {"prompt": "2 + 2?", "chosen": "4", "rejected": "5"}
  `,
  check(branches) {
    const seen = new Map<string, string>()
    for (const branch of branches) {
      const text = wordsOf(branch)
      const other = seen.get(text)
      if (other !== undefined)
        return localize`Branches ${quoted(other)} and ${quoted(branch.name)} are identical`
      seen.set(text, branch.name)
    }
    return undefined
  },
}

function wordsOf({ messages }: SampleBranch): string {
  return JSON.stringify(messages.map((it) => [it.role, it.channel, it.to, textOf(it).trim()]))
}
