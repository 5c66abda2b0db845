/** A constraint that Harmony's reference takes for the recipient. */

import { localize } from '../../text/localize.ts'
import { example, harmonyHeader } from '../example.ts'
import { removal } from '../message-header-places.ts'
import { hasSoundHeader, isForHarmony } from '../message-states.ts'
import { quoted } from '../quoted.ts'
import type { MessageRule } from '../rule.ts'

/** The reference parser expects a recipient before a type (2.2 §12). */
export const unreadConstraint: MessageRule = {
  name: 'unread-constraint',
  code: 'H-HARMONY-CONSTRAINT',
  severity: 'hint',
  scope: 'message',
  section: '2.2 §12',
  summary: "A constraint without a recipient is misread by Harmony's reference parser",
  why: 'The message is valid.\nReference parsers up to version 0.0.8 take the only word of such a header for the recipient, so an answer constrained to JSON becomes a message to a tool called `<|constrain|>json`.',
  bad: example`
    ${harmonyHeader}
    <|start|>assistant<|channel|>final<|constrain|>json<|message|>{"ok":true}<|return|>
  `,
  good: example`
    ${harmonyHeader}
    <|start|>assistant<|channel|>final<|message|>{"ok":true}<|return|>
  `,
  concerns(facts) {
    return facts.constraint !== undefined && !facts.hasRecipient && hasSoundHeader(facts)
  },
  check(context) {
    if (!isForHarmony(context)) return undefined
    const { constraint } = context.view
    if (!constraint?.value) return undefined
    const span = { from: constraint.marker.from, to: constraint.value.span.to }
    const text = quoted(context.segment.text.slice(span.from, span.to))
    return {
      span,
      message: localize`Harmony's reference parser reads ${text} as the recipient`,
      fixes: [
        {
          title: localize`Remove ${text}`,
          edits: [removal(context.segment, span)],
          isSafe: false,
        },
      ],
    }
  },
}
