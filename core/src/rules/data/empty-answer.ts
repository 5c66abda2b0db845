/** An answer that says nothing. */
import { bodyText } from '../../semantics/body-text.ts'
import { kindOf } from '../../semantics/message-kind.ts'
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { roleSpan } from '../message-header-places.ts'
import { hasSoundHeader, isTruncated } from '../message-states.ts'
import type { MessageRule } from '../rule.ts'

/** A model learns from what the assistant says (S16). */
export const emptyAnswer: MessageRule = {
  name: 'empty-answer',
  code: 'W-DATA-EMPTY-ANSWER',
  severity: 'warning',
  scope: 'message',
  group: 'data',
  section: '2.2 §10, S16',
  summary: 'An answer of a sample is empty, or is reasoning alone',
  why: 'The model learns to end its turn immediately.\nEmpty answers come from failed requests, from filters, and from columns that were mapped to the wrong name.',
  bad: example`
    {"messages": [{"role": "user", "content": "How far is the moon?"}, {"role": "assistant", "content": ""}]}
  `,
  good: example`
    {"messages": [{"role": "user", "content": "How far is the moon?"}, {"role": "assistant", "content": "384,400 km."}]}
  `,
  concerns(facts) {
    return facts.role === 'assistant' && hasSoundHeader(facts) && !isTruncated(facts)
  },
  check(context) {
    const { facts, segment } = context
    const kind = kindOf(facts)
    if (kind === 'reasoning' && context.isLast)
      return {
        span: roleSpan(context.view),
        message: localize`The sample ends with reasoning, without an answer`,
      }
    const text = kind === 'answer' ? bodyText(segment, facts)?.text : undefined
    if (text === undefined || visible.test(text)) return undefined
    return { span: roleSpan(context.view), message: localize`The answer is empty` }
  },
}

/** A character that a reader sees: an answer of zero-width spaces is as empty as one of blanks. */
const visible = /[^\s\p{Default_Ignorable_Code_Point}]/u
