/** A header that the next start token cuts. */

import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { roleSpan } from '../message-header-places.ts'
import { quoted } from '../quoted.ts'
import type { MessageRule } from '../rule.ts'

/** A header without body yields no message (D16). */
export const interruptedHeader: MessageRule = {
  name: 'interrupted-header',
  code: 'E-PARSE-HEADER',
  severity: 'error',
  scope: 'message',
  section: '2.2 §6, D16',
  summary: 'A message header is cut off by the next start token',
  why: 'There is no body between the two start tokens, so the first header does not form a message.\nUsually, a prompt that ends with a start token was joined with output that begins with one.',
  bad: example`
    version: 2.2
    <|start|>assistant<|start|>assistant<|channel|>final<|message|>Hi<|return|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant<|channel|>final<|message|>Hi<|return|>
  `,
  concerns(facts) {
    return !facts.isMessage
  },
  check(context) {
    const { segment } = context
    if (context.isLast) return undefined
    const { start, roleWord, end } = context.view
    const token = quoted(segment.text.slice(start.from, start.to))
    const isBare = end === (roleWord?.span.to ?? start.to)
    const edits = [{ span: { from: 0, to: segment.length }, text: '' }]
    return {
      span: { from: start.from, to: roleSpan(context.view).to },
      message: localize`Incomplete message header: the next ${token} starts before a body`,
      fixes: isBare ? [{ title: localize`Remove the unfinished header`, edits, isSafe: false }] : [],
    }
  },
}
