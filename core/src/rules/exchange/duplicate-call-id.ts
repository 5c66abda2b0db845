/** Two calls with one id. */

import { viewMessage } from '../../syntax/message-view.ts'
import { localize } from '../../text/localize.ts'
import { attributeNamed, attributeOrRole } from '../header-parts.ts'
import { hasSoundHeader, isTurn } from '../message-states.ts'
import { quoted } from '../quoted.ts'
import type { ExchangeRule } from '../rule.ts'

/** An id is unique in the whole transcript (2.2 §8.1, D12). */
export const duplicateCallId: ExchangeRule = {
  name: 'duplicate-call-id',
  code: 'E-CALL-ID-DUPLICATE',
  severity: 'error',
  scope: 'exchange',
  section: '2.2 §8.1, D12',
  summary: 'A call has the id of an earlier call',
  why: 'A reply names its call by id alone, so two calls with one id cannot be told apart, also long after the first was answered.',
  bad: 'version: 2.2\n<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>\n<|start|>assistant to=functions.g call_id=c1<|channel|>commentary<|message|>{}<|call|>\n',
  good: 'version: 2.2\n<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>\n<|start|>assistant to=functions.g call_id=c2<|channel|>commentary<|message|>{}<|call|>\n',
  check(context) {
    const { exchange, facts } = context
    if (exchange.problem?.kind !== 'duplicate-id' || facts.callId === undefined) return undefined
    if (!hasSoundHeader(facts) || isTurn(context)) return undefined
    const { first } = exchange.problem
    const firstView = viewMessage(first)
    const { view } = context
    return {
      span: attributeNamed(view, 'call_id')?.value?.span ?? attributeOrRole(view, 'call_id'),
      message: localize`${quoted(facts.callId)} is already the id of another call`,
      related: [
        {
          segment: first,
          span: attributeOrRole(firstView, 'call_id'),
          message: localize`The first call with this id`,
        },
      ],
    }
  },
}
