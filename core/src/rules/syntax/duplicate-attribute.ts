/** An attribute twice in one header. */

import { localize } from '../../text/localize.ts'
import { doubtAt } from '../doubt-fixes.ts'
import { example } from '../example.ts'
import { attributeAt, attributeSpan, firstAttribute, removal } from '../message-header-places.ts'
import type { SyntaxRule } from '../rule.ts'

/** Every attribute occurs once; the first one counts (D6, D16). */
export const duplicateAttribute: SyntaxRule = {
  name: 'duplicate-attribute',
  code: 'E-PARSE-HEADER',
  severity: 'error',
  scope: 'syntax',
  kind: 'duplicate-attribute',
  section: '2.2 §6, D6',
  summary: 'A message header has the same attribute twice',
  why: 'With two values for one attribute, it is unclear which one applies, even if they are equal now.\nThe first one is used; strict readers reject a recipient that appears both before and after the channel.',
  bad: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary to=functions.f<|message|>{}<|call|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>
  `,
  explain({ span }, { segment, view }) {
    const name = attributeAt(view, span.from)?.name.text
    const first = firstAttribute(view, name)
    const title = localize`Remove the second \`${name}=\``
    return {
      span,
      message: doubtAt(segment, view, span)
        ? localize`Duplicate attribute \`${name}=\` may say who the message is for, so the message is hidden`
        : localize`Duplicate attribute \`${name}=\`; the first one is used`,
      fixes: [{ title, edits: [removal(segment, span)], isSafe: false }],
      related: first
        ? [{ segment, span: attributeSpan(first), message: localize`The first \`${name}=\`` }]
        : [],
    }
  },
}
