/** A pair whose branches answer different prompts. */
import { factsOfMessage } from '../../semantics/message.ts'
import { textOf } from '../../semantics/parted-body.ts'
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { quoted } from '../quoted.ts'
import type { BranchRule, SampleBranch } from '../rule.ts'

/** A preference compares answers to one prompt (S16). */
export const differentPrompts: BranchRule = {
  name: 'different-prompts',
  code: 'W-PAIR-PROMPT',
  severity: 'warning',
  scope: 'branches',
  group: 'data',
  section: '2.2 §10, S11, S16',
  summary: 'The branches of a preference have different prompts',
  why: 'Trainers use the prompt of one branch for both, or reject the sample.\nAll messages before the first assistant message are compared.',
  bad: example`
    {"chosen": [{"role": "user", "content": "2 + 2?"}, {"role": "assistant", "content": "4"}], "rejected": [{"role": "user", "content": "2 + 3?"}, {"role": "assistant", "content": "6"}]}
  `,
  good: example`
    {"chosen": [{"role": "user", "content": "2 + 2?"}, {"role": "assistant", "content": "4"}], "rejected": [{"role": "user", "content": "2 + 2?"}, {"role": "assistant", "content": "6"}]}
  `,
  check([first, ...others]) {
    if (!first) return undefined
    const prompt = promptOf(first)
    const other = others.find((it) => promptOf(it) !== prompt)
    return other && localize`Branches ${quoted(first.name)} and ${quoted(other.name)} have different prompts`
  },
}

function promptOf({ messages }: SampleBranch): string {
  const end = messages.findIndex((it) => factsOfMessage(it).role === 'assistant')
  const prompt = messages.slice(0, end === -1 ? messages.length : end)
  return JSON.stringify(prompt.map((it) => [it.role, textOf(it)]))
}
