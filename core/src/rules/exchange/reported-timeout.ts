/** A reply that reports a timeout. */

import { localizable } from '../../text/localize.ts'
import { example } from '../example.ts'
import type { ExchangeRule } from '../rule.ts'
import { toolEvent } from '../tool-event.ts'

/** The tool exceeded its deadline (2.2 §14, D20). */
export const reportedTimeout: ExchangeRule = {
  name: 'reported-timeout',
  code: 'E-TOOL-TIMEOUT',
  severity: 'information',
  scope: 'exchange',
  section: '2.2 §8.1, §14, D20',
  summary: 'A reply reports that the tool exceeded its deadline',
  why: 'The code describes an event, not a mistake in the transcript.\nIt is shown on the reply and on its call, so that you can find the calls that failed.',
  bad: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>
    <|start|>tool name=functions.f call_id=c1 to=assistant<|channel|>commentary<|message|>{"ok":false,"error":"E-TOOL-TIMEOUT"}<|end|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>
    <|start|>tool name=functions.f call_id=c1 to=assistant<|channel|>commentary<|message|>{"ok":true}<|end|>
  `,
  check(context) {
    return toolEvent(context, 'E-TOOL-TIMEOUT', {
      ofCall: localizable`The call exceeded its deadline, as its reply reports`,
      ofReply: localizable`The reply reports that the call exceeded its deadline`,
    })
  },
}
