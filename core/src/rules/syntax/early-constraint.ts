/** A constraint before the channel. */

import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { beforeBlanks, insertion } from '../message-header-places.ts'
import { quoted } from '../quoted.ts'
import type { SyntaxRule } from '../rule.ts'

/** The constraint is the last part of a header (D7). */
export const earlyConstraint: SyntaxRule = {
  name: 'early-constraint',
  code: 'E-PARSE-HEADER',
  severity: 'error',
  scope: 'syntax',
  kind: 'early-constraint',
  section: '2.2 §6, D7',
  summary: '`<|constrain|>` appears before `<|channel|>`',
  why: 'In the grammar, the channel comes first, and the constraint directly before the body.\nReaders that rely on this order do not find the channel after the constraint.',
  bad: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|constrain|>json<|channel|>commentary<|message|>{}<|call|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>{}<|call|>
  `,
  explain({ span }, { segment, view }) {
    const constraint = segment.text.slice(span.from, span.to)
    const message = localize`${quoted(constraint)} belongs after the channel`
    if (!view.message) return { span, message }
    const place = beforeBlanks(segment.text, view.message.from)
    const edits = [{ span, text: '' }, insertion(place, constraint)]
    return { span, message, fixes: [{ title: localize`Move it after the channel`, edits, isSafe: false }] }
  },
}
