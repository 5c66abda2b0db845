/** A message without terminator. */

import { usualTerminator } from '../../semantics/terminators.ts'
import { localize } from '../../text/localize.ts'
import { ControlKind } from '../../vocabulary/tokens.ts'
import { example } from '../example.ts'
import { beforeBlanks, roleSpan, tokenInsertion, tokenText } from '../message-header-places.ts'
import { isTruncated } from '../message-states.ts'
import type { MessageRule } from '../rule.ts'

/** Without a terminator a message is incomplete (2.2 §9, D18). */
export const truncatedMessage: MessageRule = {
  name: 'truncated-message',
  code: 'E-STREAM-TRUNCATED',
  severity: 'error',
  scope: 'message',
  section: '2.2 §9, D18',
  summary: 'A message is missing its terminator',
  why: 'The stream broke off, or a stop token was lost on the way.\nThe body may be incomplete, so it is not checked, and a truncated call must not be executed.',
  bad: example`
    version: 2.2
    <|start|>user<|message|>Hi
    <|start|>assistant<|channel|>final<|message|>Hello<|return|>
  `,
  good: example`
    version: 2.2
    <|start|>user<|message|>Hi<|end|>
    <|start|>assistant<|channel|>final<|message|>Hello<|return|>
  `,
  concerns(facts) {
    return isTruncated(facts)
  },
  check(context) {
    const { segment, facts, isLast } = context
    if (isLast && facts.isPrompt) return undefined
    const { framing, text } = segment
    const terminator = tokenText(framing, usualTerminator(facts))
    const terminatorText = terminator ?? tokenText(framing, ControlKind.end) ?? ''
    const start = tokenText(framing, ControlKind.start)
    const { view } = context
    const at = Math.max(beforeBlanks(text, text.length), view.body?.from ?? 0)
    return {
      span: { from: view.start.from, to: roleSpan(view).to },
      message: isLast
        ? localize`Missing terminator: the document ends within this message`
        : localize`Missing terminator before the next \`${start}\``,
      fixes: [
        {
          title: localize`Insert \`${terminatorText}\``,
          edits: [tokenInsertion(segment, at, terminatorText)],
          isSafe: false,
        },
      ],
    }
  },
}
