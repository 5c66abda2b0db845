/** A sample that ends before the assistant answers. */
import { kindOf } from '../../semantics/message-kind.ts'
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { roleSpan } from '../message-header-places.ts'
import { hasSoundHeader } from '../message-states.ts'
import type { MessageRule } from '../rule.ts'

/** A model learns from what the assistant says (S16). */
export const missingAnswer: MessageRule = {
  name: 'missing-answer',
  code: 'W-DATA-NO-ANSWER',
  severity: 'warning',
  scope: 'message',
  group: 'data',
  section: '2.2 §10, S16',
  summary: 'A sample ends with a user message, or contains only instructions',
  why: 'There is no answer that a model could learn.\nTrainers drop such samples, refuse the file, or train on the question.\nTurn the rule off for datasets of prompts.',
  bad: example`
    {"messages": [{"role": "user", "content": "How far is the moon?"}]}
  `,
  good: example`
    {"messages": [{"role": "user", "content": "How far is the moon?"}, {"role": "assistant", "content": "384,400 km."}]}
  `,
  concerns(facts) {
    return hasSoundHeader(facts) && facts.role !== 'assistant' && facts.role !== 'tool'
  },
  check(context) {
    if (!context.isLast) return undefined
    const kind = kindOf(context.facts)
    if (kind !== 'user' && kind !== 'instructions') return undefined
    return {
      span: roleSpan(context.view),
      message: localize`The sample ends without an answer from the assistant`,
    }
  },
}
