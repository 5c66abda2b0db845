/** A pair whose branches are alike once they are cut. */

import { localize } from '../../text/localize.ts'
import { isAlikeOnceCut } from '../cut-renderings.ts'
import { example } from '../example.ts'
import type { RenderingRule } from '../rule.ts'

/** A preference is a difference that is trained (S11, S14, S16). */
export const cutBranches: RenderingRule = {
  name: 'cut-branches',
  code: 'W-PAIR-CUT',
  severity: 'warning',
  scope: 'rendering',
  group: 'data',
  section: '2.2 §10, S11, S14, S16',
  summary: 'The branches of a preference differ only beyond the maximum length',
  why: 'Trainers truncate both branches, and no difference remains.',
  bad: example`
    {"chat_template": "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}", "model_max_length": 47}
    {"prompt": "Bees?", "chosen": "They dance, and they sing.", "rejected": "They dance, and they sting."}
  `,
  good: example`
    {"chat_template": "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}", "model_max_length": 80}
    {"prompt": "Bees?", "chosen": "They dance, and they sing.", "rejected": "They dance, and they sting."}
  `,
  check(rendering, others) {
    return isAlikeOnceCut(rendering, others)
      ? localize`The branches are identical up to the maximum length`
      : undefined
  },
}
