/** A control token that has no place in a header. */

import { localize } from '../../text/localize.ts'
import { doubtAt } from '../doubt-fixes.ts'
import { example } from '../example.ts'
import { removal } from '../message-header-places.ts'
import { quoted } from '../quoted.ts'
import type { SyntaxRule } from '../rule.ts'

/** Headers consist of words, the channel and the constraint (2.2 §6). */
export const tokenInHeader: SyntaxRule = {
  name: 'token-in-header',
  code: 'E-PARSE-HEADER',
  severity: 'error',
  scope: 'syntax',
  kind: 'token-in-header',
  section: '2.2 §6, D8',
  summary: 'A control token appears in a message header where it is not allowed',
  why: 'Literal blocks and reasoning markers belong in bodies, and headers have no escapes.\nReaders reject such a header, or read the token as part of a word.',
  bad: example`
    version: 2.2
    <|start|>user<|literal|><|message|>Print this.<|end|>
  `,
  good: example`
    version: 2.2
    <|start|>user<|message|>Print this.<|end|>
  `,
  explain({ span }, { segment, view }) {
    const token = quoted(segment.text.slice(span.from, span.to))
    return {
      span,
      message: doubtAt(segment, view, span)
        ? localize`${token} does not belong in a message header, so the message is hidden`
        : localize`${token} does not belong in a message header`,
      fixes: [{ title: localize`Remove ${token}`, edits: [removal(segment, span)], isSafe: false }],
    }
  },
}
