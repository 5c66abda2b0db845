/** A block of private thought that nothing closes (0.1). */

import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { insertion } from '../message-header-places.ts'
import { isTruncated } from '../message-states.ts'
import { quoted } from '../quoted.ts'
import type { SyntaxRule } from '../rule.ts'

/** An open block hides everything up to the end of the message (D3). */
export const openThought: SyntaxRule = {
  name: 'open-thought',
  code: 'W-THOUGHT-UNTERMINATED',
  severity: 'warning',
  scope: 'syntax',
  kind: 'open-thought',
  section: '0.1 §4, D3',
  summary: 'A block of private reasoning is not closed',
  why: 'It is unclear where the reasoning ends and the answer begins, so everything up to the end of the message is hidden.',
  bad: example`
    <|im_start|>assistant
    <|start_reason|>Two and two.<|im_end|>
  `,
  good: example`
    <|im_start|>assistant
    <|start_reason|>Two and two.<|end_reason|><|im_end|>
  `,
  explain({ span }, { segment, view, facts }) {
    if (isTruncated(facts)) return undefined
    const opener = segment.text.slice(span.from, span.to)
    const closer = opener.replace('start_', 'end_')
    const message = localize`Missing \`${closer}\` to close ${quoted(opener)}; the rest of the message is hidden`
    if (!view.terminator) return { span, message }
    const edits = [insertion(view.terminator.span.from, closer)]
    return { span, message, fixes: [{ title: localize`Insert \`${closer}\``, edits, isSafe: false }] }
  },
}
