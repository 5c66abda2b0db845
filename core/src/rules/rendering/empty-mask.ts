/** A sample of which nothing is trained. */
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import type { RenderingRule } from '../rule.ts'

/** A loss needs tokens (S14, S16). */
export const emptyMask: RenderingRule = {
  name: 'empty-mask',
  code: 'W-MASK-EMPTY',
  severity: 'warning',
  scope: 'rendering',
  group: 'data',
  section: '2.2 §10, S14, S16',
  summary: 'No token of a sample counts in the loss',
  why: 'The sample costs time and teaches nothing; a batch of such samples has a loss that is not a number.\nThe template marks nothing as generated, flags of the sample exclude every answer, or all answers are beyond the maximum length.',
  bad: example`
    {"chat_template": "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}"}
    {"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello", "weight": 0}]}
  `,
  good: example`
    {"chat_template": "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}"}
    {"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello", "weight": 1}]}
  `,
  check({ nTrained }) {
    return nTrained === 0 ? localize`No tokens are trained` : undefined
  },
}
