/** Arguments in a message without a recipient. */

import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { jsonArguments } from '../json-arguments.ts'
import { channelSpan, roleSpan } from '../message-header-places.ts'
import { isSilentCommentary } from '../message-states.ts'
import type { MessageRule } from '../rule.ts'

/** A JSON object on commentary is nearly always the body of a call (2.2 §8). */
export const lostRecipient: MessageRule = {
  name: 'lost-recipient',
  code: 'H-RECIPIENT-LOST',
  severity: 'hint',
  scope: 'message',
  section: '2.2 §6, §8',
  summary: 'A JSON body on commentary is missing a recipient',
  why: 'Commentary may contain anything, so this is not an error.\nBut models that call a tool and forget `to=` write exactly this, and no tool receives the arguments.',
  bad: example`
    version: 2.2
    <|start|>assistant<|channel|>commentary<|message|>{"path": "/"}<|end|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant to=functions.list call_id=c1<|channel|>commentary<|message|>{"path": "/"}<|call|>
  `,
  concerns(facts) {
    return isSilentCommentary(facts)
  },
  check(context) {
    if (jsonArguments(context) === undefined) return undefined
    const span = channelSpan(context.view, roleSpan(context.view))
    return {
      span,
      message: localize`JSON on commentary is missing \`to=\`; is this a tool call that lost its recipient?`,
    }
  },
}
