/** A reply in the name of another tool. */

import { factsOf } from '../../semantics/message-facts.ts'
import { viewMessage } from '../../syntax/message-view.ts'
import { localize } from '../../text/localize.ts'
import { withoutFunctionPrefix } from '../../vocabulary/roles.ts'
import { example } from '../example.ts'
import { attributeNamed, attributeOrRole, roleSpan } from '../message-header-places.ts'
import { hasSoundHeader, isTurn } from '../message-states.ts'
import { quoted } from '../quoted.ts'
import type { ExchangeRule } from '../rule.ts'

/** The tool that was called is the one that replies (D12). */
export const mismatchedReplyName: ExchangeRule = {
  name: 'mismatched-reply-name',
  code: 'W-REPLY-NAME-MISMATCH',
  severity: 'warning',
  scope: 'exchange',
  section: '2.2 §8.1, D12',
  summary: 'A reply has the ID of a call to another tool',
  why: 'The ID links the call and the reply, but their names differ: either the ID or a name is wrong.\nThe prefix `functions.` is ignored when names are compared.',
  bad: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>
    <|start|>tool name=functions.g call_id=c1 to=assistant<|channel|>commentary<|message|>1<|end|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>
    <|start|>tool name=functions.f call_id=c1 to=assistant<|channel|>commentary<|message|>1<|end|>
  `,
  check(context) {
    const { exchange, facts } = context
    if (exchange.kind !== 'reply' || !exchange.partner || exchange.problem) return undefined
    if (facts.callId === undefined || facts.name === undefined) return undefined
    const tool = factsOf(exchange.partner)?.to
    if (tool === undefined || withoutFunctionPrefix(tool) === withoutFunctionPrefix(facts.name))
      return undefined
    if (!hasSoundHeader(facts) || isTurn(context)) return undefined
    const { view } = context
    const named = facts.name === facts.roleWord ? undefined : attributeNamed(view, 'name')
    const span = named?.value?.span ?? roleSpan(view)
    const edits = [{ span, text: tool }]
    return {
      span,
      message: localize`Tool reply is from ${quoted(facts.name)}, but its call is to ${quoted(tool)}`,
      fixes: [{ title: localize`Replace with ${quoted(tool)}`, edits, isSafe: false }],
      related: [
        {
          segment: exchange.partner,
          span: attributeOrRole(viewMessage(exchange.partner), 'to'),
          message: localize`The call ${quoted(facts.callId)}`,
        },
      ],
    }
  },
}
