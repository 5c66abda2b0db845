/** A stop token that is not trained. */
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import type { RenderingRule, SampleRendering } from '../rule.ts'

/** A model learns to stop from the token that ends its answers (S14, S16). */
export const untrainedStop: RenderingRule = {
  name: 'untrained-stop',
  code: 'W-MASK-STOP',
  severity: 'warning',
  scope: 'rendering',
  group: 'data',
  section: '2.2 §10, S14, S16',
  summary: 'The token that ends the last answer does not count in the loss',
  why: 'A model that never sees the end of an answer in its loss does not stop.\nOften `{% endgeneration %}` is before the stop token in the template.',
  bad: example`
    {"chat_template": "{% for m in messages %}<|im_start|>{{ m.role }}\n{% generation %}{{ m.content }}{% endgeneration %}<|im_end|>\n{% endfor %}"}
    {"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]}
  `,
  good: example`
    {"chat_template": "{% for m in messages %}<|im_start|>{{ m.role }}\n{% generation %}{{ m.content }}<|im_end|>{% endgeneration %}\n{% endfor %}"}
    {"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]}
  `,
  check(rendering) {
    if (rendering.nTrained === 0 || !endsBeforeStop(rendering)) return undefined
    return localize`The stop token of the last answer is not trained`
  },
}

/** What ends an answer in the templates of the field: `<|im_end|>`, `</s>`, `<end_of_turn>`, `<｜end▁of▁sentence｜>`. */
const stopAfter = /^\s{0,8}(?:<\|[\w-]{1,40}\|>|<\/s>|<end_of_turn>|<turn\|>|<｜[^｜<>]{1,40}｜>)/
const stopAtEnd = /(?:<\|[\w-]{1,40}\|>|<\/s>|<end_of_turn>|<turn\|>|<｜[^｜<>]{1,40}｜>)\s{0,8}$/
const longestStop = 60 // code units

/** True if the last trained stretch stops right before what would end the answer. */
function endsBeforeStop({ text, trained, nCut }: SampleRendering): boolean {
  const last = trained.at(-1)
  if (!last || nCut > 0) return false
  if (stopAtEnd.test(text.slice(Math.max(last.start, last.end - longestStop), last.end))) return false
  return stopAfter.test(text.slice(last.end, last.end + longestStop))
}
