/** A message without terminator. */

import { endedMessage, usualTerminator } from '../../semantics/terminators.ts'
import { localize } from '../../text/localize.ts'
import { ControlKind } from '../../vocabulary/tokens.ts'
import { beforeBlanks, roleSpan, tokenInsertion, tokenText } from '../header-parts.ts'
import { isTruncated } from '../message-states.ts'
import type { MessageRule } from '../rule.ts'

/** Without a terminator a message is incomplete (2.2 §9, D18). */
export const truncatedMessage: MessageRule = {
  name: 'truncated-message',
  code: 'E-STREAM-TRUNCATED',
  severity: 'error',
  scope: 'message',
  section: '2.2 §9, D18',
  summary: 'No terminator ends a message',
  why: 'The stream broke off, or a stop token was lost on the way.\nThe body may be incomplete: nothing is said about it, and a call like this is not to be executed.',
  bad: 'version: 2.2\n<|start|>user<|message|>Hi\n<|start|>assistant<|channel|>final<|message|>Hello<|return|>\n',
  good: 'version: 2.2\n<|start|>user<|message|>Hi<|end|>\n<|start|>assistant<|channel|>final<|message|>Hello<|return|>\n',
  concerns(facts) {
    return isTruncated(facts)
  },
  check(context) {
    const { segment, facts, isLast } = context
    if (isLast && facts.isPrompt) return undefined
    const { framing, text } = segment
    const terminator = tokenText(framing, usualTerminator(endedMessage(facts)))
    const terminatorText = terminator ?? tokenText(framing, ControlKind.end) ?? ''
    const start = tokenText(framing, ControlKind.start)
    const { view } = context
    const at = Math.max(beforeBlanks(text, text.length), view.body?.from ?? 0)
    return {
      span: { from: view.start.from, to: roleSpan(view).to },
      message: isLast
        ? localize`The document ends before a terminator ends this message`
        : localize`No terminator ends this message before the next \`${start}\``,
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
