/** A sample that a chat template refuses. */
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import type { RenderingRule } from '../rule.ts'

/** A sample that can't be rendered can't be trained (S12, S15, S16). */
export const failingTemplate: RenderingRule = {
  name: 'failing-template',
  code: 'E-TEMPLATE-FAILS',
  severity: 'error',
  scope: 'rendering',
  group: 'data',
  section: '2.2 §10, S12, S15, S16',
  summary: 'The chat template refuses a sample',
  why: 'Trainers stop with the same error, often after hours, or skip the sample.\nThe text of the message comes from the template.',
  bad: example`
    {"chat_template": "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}<|{{ m.role }}|>{{ m.content }}{% endfor %}"}
    {"messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]}
  `,
  good: example`
    {"chat_template": "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}<|{{ m.role }}|>{{ m.content }}{% endfor %}"}
    {"messages": [{"role": "user", "content": "Be brief. Hi"}, {"role": "assistant", "content": "Hello"}]}
  `,
  check({ failure }) {
    if (!failure) return undefined
    const { line, column, message } = failure
    return localize`The template fails in line ${line}, column ${column}: ${message}`
  },
}
