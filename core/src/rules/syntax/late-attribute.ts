/** An attribute after the channel that belongs before it. */

import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { insertion, removal, startHeaderEnd } from '../message-header-places.ts'
import { quoted } from '../quoted.ts'
import type { SyntaxRule } from '../rule.ts'

/** `call_id` and `name` are in the start header (D6). */
export const lateAttribute: SyntaxRule = {
  name: 'late-attribute',
  code: 'W-ATTR-POSITION',
  severity: 'warning',
  scope: 'syntax',
  kind: 'late-attribute',
  section: '2.2 §6, D6',
  summary: 'An attribute appears after the channel',
  why: 'Routers look for `call_id` and `name` before the channel.\nThe value is used here, but other readers may not look for it after the channel.',
  bad: example`
    version: 2.2
    <|start|>assistant to=functions.f<|channel|>commentary call_id=c1<|message|>{}<|call|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>
  `,
  explain({ span }, { segment, view, facts }) {
    const attribute = segment.text.slice(span.from, span.to)
    const key = attribute.slice(0, attribute.indexOf('=') + 1)
    const edits = [insertion(startHeaderEnd(view), ` ${attribute}`), removal(segment, span)]
    return {
      span,
      message: localize`${quoted(key)} belongs before the channel`,
      // Among other mistakes it is not clear where an attribute ends.
      fixes: [{ title: localize`Move ${quoted(key)} before the channel`, edits, isSafe: !facts.isMalformed }],
    }
  },
}
