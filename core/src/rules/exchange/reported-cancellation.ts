/** A reply that reports a cancellation. */

import { localizable } from '../../text/localize.ts'
import { example } from '../example.ts'
import type { ExchangeRule } from '../rule.ts'
import { toolEvent } from '../tool-event.ts'

/** The runtime canceled the call (2.2 §14, D20). */
export const reportedCancellation: ExchangeRule = {
  name: 'reported-cancellation',
  code: 'E-TOOL-CANCELLED',
  severity: 'information',
  scope: 'exchange',
  section: '2.2 §8.1, §14, D20',
  summary: 'A reply reports that the call was canceled',
  why: 'The code describes an event, not a mistake in the transcript.\nIt is shown on the reply and on its call, so that you can find the calls that did not complete.',
  bad: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>
    <|start|>tool name=functions.f call_id=c1 to=assistant<|channel|>commentary<|message|>{"ok":false,"error":"E-TOOL-CANCELLED"}<|end|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>
    <|start|>tool name=functions.f call_id=c1 to=assistant<|channel|>commentary<|message|>{"ok":true,"content":1}<|end|>
  `,
  check(context) {
    return toolEvent(context, 'E-TOOL-CANCELLED', {
      ofCall: localizable`The call was canceled, as its reply reports`,
      ofReply: localizable`The reply reports that the call was canceled`,
    })
  },
}
