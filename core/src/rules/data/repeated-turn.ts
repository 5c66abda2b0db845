/** Two turns of one role in a row, where the form has them alternate. */
import { kindOf } from '../../semantics/message-kind.ts'
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { roleSpan } from '../message-header-places.ts'
import { quoted } from '../quoted.ts'
import type { MessageRule } from '../rule.ts'

/** Forms of turns alternate (S16). */
export const repeatedTurn: MessageRule = {
  name: 'repeated-turn',
  code: 'W-DATA-ORDER',
  severity: 'warning',
  scope: 'message',
  group: 'data',
  section: '2.2 §10, S16',
  summary: 'Two turns of one role follow each other in a form whose turns alternate',
  why: 'A turn between them is missing, or one turn was split in two.\nTrainers of this form drop the sample, join the turns, or train on the wrong one; chat templates refuse it.',
  bad: example`
    {"conversations": [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Hello"}, {"from": "gpt", "value": "How can I help?"}]}
  `,
  good: example`
    {"conversations": [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Hello. How can I help?"}]}
  `,
  concerns({ role, isMessage }, { sample }) {
    return isMessage && (role === 'user' || role === 'assistant') && sample?.alternates === true
  },
  check(context) {
    const { facts, previous } = context
    const kind = kindOf(facts)
    if (!previous?.isMessage || (kind !== 'user' && kind !== 'answer') || kindOf(previous) !== kind)
      return undefined
    const role = quoted(facts.role ?? '')
    return { span: roleSpan(context.view), message: localize`Two consecutive turns of ${role}` }
  },
}
