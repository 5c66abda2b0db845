/** Messages that a template renders differently once others follow. */
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import type { RenderingRule } from '../rule.ts'

/** What is trained is what is generated (S14, S16). */
export const unstablePrefix: RenderingRule = {
  name: 'unstable-prefix',
  code: 'W-MASK-PREFIX',
  severity: 'warning',
  scope: 'rendering',
  group: 'data',
  section: '2.2 §10, S14, S16',
  summary: 'A chat template renders an answer differently once messages follow',
  why: 'Such templates drop the reasoning of earlier turns, or render a prompt that is not the beginning of the whole rendering.\nThe model is then trained on an answer that it never generates in that place, and the mask of that answer is an estimate.\nUse one sample for each turn, or a template that is made for training.',
  bad: example`
    {"chat_template": "{% for m in messages %}<|{{ m.role }}|>{% if loop.last and m.reasoning_content %}<think>{{ m.reasoning_content }}</think>{% endif %}{{ m.content }}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"}
    {"messages": [{"role": "user", "content": "2 + 2?"}, {"role": "assistant", "reasoning_content": "Two and two", "content": "4"}, {"role": "user", "content": "And 3?"}, {"role": "assistant", "content": "5"}]}
  `,
  good: example`
    {"chat_template": "{% for m in messages %}<|{{ m.role }}|>{% if m.reasoning_content %}<think>{{ m.reasoning_content }}</think>{% endif %}{{ m.content }}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"}
    {"messages": [{"role": "user", "content": "2 + 2?"}, {"role": "assistant", "reasoning_content": "Two and two", "content": "4"}, {"role": "user", "content": "And 3?"}, {"role": "assistant", "content": "5"}]}
  `,
  check({ mask, unstable }) {
    const isByMessages = mask === 'assistant' || mask === 'last' || mask === 'completion'
    if (!isByMessages || unstable.length === 0) return undefined
    const which = unstable.map((it) => it + 1).join(', ')
    return localize`Messages render differently without the messages that follow: ${which}`
  },
}
