/** A call without a reply. */

import { replySkeleton } from '../../semantics/reply-skeleton.ts'
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { onDemand } from '../finding-on-demand.ts'
import { attributeOrRole, insertion } from '../message-header-places.ts'
import { hasSoundHeader, isTurn } from '../message-states.ts'
import { quoted } from '../quoted.ts'
import type { ExchangeContext, ExchangeRule, Fix } from '../rule.ts'

/** The turn goes on after the reply, not without it (D13). */
export const unansweredCall: ExchangeRule = {
  name: 'unanswered-call',
  code: 'W-CALL-UNANSWERED',
  severity: 'warning',
  scope: 'exchange',
  section: '2.2 §8.1, D13',
  summary: 'The conversation goes on although a call has no reply',
  why: 'A final answer or a new user message shows that the conversation no longer waits for the reply.\nUsually generation ran past `<|call|>` and the model made the result up, or the reply was lost.\nA call without a reply at the end of a transcript is normal: the model stops there.',
  bad: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>
    <|start|>assistant<|channel|>final<|message|>It says hello.<|return|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>
    <|start|>tool name=functions.f call_id=c1 to=assistant<|channel|>commentary<|message|>{"ok":true,"content":{}}<|end|>
    <|start|>assistant<|channel|>final<|message|>It says hello.<|return|>
  `,
  check(context) {
    const { exchange, facts } = context
    if (exchange.kind !== 'call' || exchange.partner || !context.turnMovedOn) return undefined
    if (exchange.problem || !hasSoundHeader(facts) || isTurn(context)) return undefined
    return onDemand(() => ({
      span: attributeOrRole(context.view, 'to'),
      message: localize`The call to ${quoted(facts.to ?? '')} has no reply, but the conversation continues`,
      fixes: fixesOf(context),
    }))
  },
}

function fixesOf({ segment, facts }: ExchangeContext): readonly Fix[] {
  const reply = replySkeleton(segment, facts)
  if (!reply) return []
  const edits = [insertion(reply.at, reply.text)]
  return [{ title: localize`Insert a reply to this call`, edits, isSafe: false }]
}
