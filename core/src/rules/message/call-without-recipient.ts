/** A call without a recipient. */

import { localize } from '../../text/localize.ts'
import { ControlKind } from '../../vocabulary/tokens.ts'
import { example } from '../example.ts'
import { roleSpan, tokenText } from '../message-header-places.ts'
import { hasSoundHeader, lacksRecipient } from '../message-states.ts'
import type { MessageRule } from '../rule.ts'

/** `<|call|>` hands the body to the tool that `to=` names (2.2 §6, D11). */
export const callWithoutRecipient: MessageRule = {
  name: 'call-without-recipient',
  code: 'E-PARSE-HEADER',
  severity: 'error',
  scope: 'message',
  section: '2.2 §6, §8, D11',
  summary: 'A message ends with `<|call|>` but is missing its recipient',
  why: 'A router does not know which tool is meant.\nA JSON object that ends this way counts as a call and stays hidden.',
  bad: example`
    version: 2.2
    <|start|>assistant<|channel|>commentary<|message|>Let me see.<|call|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant<|channel|>commentary<|message|>Let me see.<|end|>
  `,
  concerns(facts) {
    return lacksRecipient(facts) && hasSoundHeader(facts)
  },
  check(context) {
    const { segment } = context
    const { terminator, end } = context.view
    const right = tokenText(segment.framing, ControlKind.end)
    if (!terminator || right === undefined) return undefined
    const edits = [{ span: { from: terminator.span.from, to: end }, text: right }]
    return {
      span: roleSpan(context.view),
      message: localize`The message ends with \`<|call|>\` but is missing \`to=\`, which names the tool`,
      related: [{ segment, span: terminator.span, message: localize`Ends as a call here` }],
      fixes: [{ title: localize`End with \`${right}\``, edits, isSafe: false }],
    }
  },
}
