/** A sample that is longer than what is trained. */
import { localize } from '../../text/localize.ts'
import { isAlikeOnceCut } from '../cut-renderings.ts'
import { example } from '../example.ts'
import type { RenderingRule } from '../rule.ts'

/** What is beyond the maximal length is cut (S14, S16). */
export const excessiveLength: RenderingRule = {
  name: 'excessive-length',
  code: 'W-DATA-LENGTH',
  severity: 'warning',
  scope: 'rendering',
  group: 'data',
  section: '2.2 §10, S14, S16',
  summary: 'A sample is longer than the maximum length',
  why: 'Trainers truncate it without a warning.\nIf an answer is truncated, the model learns answers that end in the middle, without a stop token.\nThe maximum length is that of `--max-length`, or `model_max_length` of the tokenizer.',
  bad: example`
    {"chat_template": "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}", "model_max_length": 40}
    {"messages": [{"role": "user", "content": "Tell me about bees, please."}, {"role": "assistant", "content": "They dance."}]}
  `,
  good: example`
    {"chat_template": "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}", "model_max_length": 40}
    {"messages": [{"role": "user", "content": "Bees?"}, {"role": "assistant", "content": "They dance."}]}
  `,
  check(rendering, others) {
    const { nCut, unit, isAnswerCut } = rendering
    if (nCut === 0 || isAlikeOnceCut(rendering, others)) return undefined
    const count = nCut.toLocaleString('en')
    if (unit === 'tokens')
      return isAnswerCut
        ? localize`The maximum length cuts ${count} tokens, some of them from an answer`
        : localize`The maximum length cuts ${count} tokens, none of them from an answer`
    return isAnswerCut
      ? localize`The maximum length cuts ${count} characters, some of them from an answer`
      : localize`The maximum length cuts ${count} characters, none of them from an answer`
  },
}
