/** Text of a sample that its rendering does not have. */
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { listed } from '../quoted.ts'
import type { RenderingRule } from '../rule.ts'

/** A template renders what the sample says (S12, S16). */
export const lostText: RenderingRule = {
  name: 'lost-text',
  code: 'W-TEMPLATE-LOST',
  severity: 'warning',
  scope: 'rendering',
  group: 'data',
  section: '2.2 §10, S12, S16',
  summary: 'A chat template leaves out text, calls, or tool definitions of a sample',
  why: 'Templates drop roles and fields that they do not know: tool definitions, tool calls, replies, system messages.\nThe model is trained on a conversation with gaps, or on calls of tools that it was never told about.\nMissing reasoning is not reported, because templates drop the reasoning of earlier turns on purpose.\nTemplates get arguments as values of JavaScript, so whole numbers of more than 15 digits can be rendered with other digits.',
  bad: example`
    {"chat_template": "{% for m in messages if m.role != 'system' %}<|{{ m.role }}|>{{ m.content }}{% endfor %}"}
    {"messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]}
  `,
  good: example`
    {"chat_template": "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}"}
    {"messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]}
  `,
  check({ lost, lostTools }) {
    const which = lost.map((it) => it + 1).join(', ')
    if (which !== '')
      return localize`The rendering is missing text, calls, or digits of numbers in these messages: ${which}`
    if (lostTools.length === 0) return undefined
    return localize`The rendering is missing all or part of the definitions of these tools: ${listed(lostTools)}`
  },
}
