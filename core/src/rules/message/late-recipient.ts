/** A recipient after the channel under the Harmony profile. */

import { localize } from '../../text/localize.ts'
import { example, harmonyHeader } from '../example.ts'
import { attributeInsertion, attributeNamed, attributeSpan, removal } from '../message-header-places.ts'
import { hasSoundHeader, isTruncated } from '../message-states.ts'
import { quoted } from '../quoted.ts'
import type { MessageRule } from '../rule.ts'

/** Both positions are read; the canonical one is after the role (2.2 §6, §12, D6). */
export const lateRecipient: MessageRule = {
  name: 'late-recipient',
  code: 'H-HARMONY-RECIPIENT',
  severity: 'hint',
  scope: 'message',
  section: '2.2 §6, §12, D6',
  summary: 'Under the Harmony profile, the recipient follows the channel',
  why: 'Models write `to=` in either place, and both are read.\nUsing one place makes transcripts easier to compare and to train on; the canonical place is after the role.',
  bad: example`
    ${harmonyHeader}
    <|start|>assistant call_id=c1<|channel|>commentary to=functions.f<|constrain|>json<|message|>{"a": 1}<|call|>
  `,
  good: example`
    ${harmonyHeader}
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"a": 1}<|call|>
  `,
  concerns(facts, { settings }) {
    return (
      settings.isHarmony &&
      facts.role === 'assistant' &&
      facts.hasChannel &&
      hasSoundHeader(facts) &&
      !isTruncated(facts)
    )
  },
  check(context) {
    const { facts, segment } = context
    if (facts.to === undefined || isFirstBehindRole(segment.text)) return undefined
    const { view } = context
    const recipient = attributeNamed(view, 'to')
    if (!recipient?.isBehindChannel || !recipient.value) return undefined
    const span = attributeSpan(recipient)
    const edits = [attributeInsertion(view, 'to', facts.to), removal(segment, span)]
    return {
      span,
      message: localize`${quoted(segment.text.slice(span.from, span.to))} belongs after the role`,
      fixes: [{ title: localize`Move the recipient after the role`, edits, isSafe: true }],
    }
  },
}

/** A quick look: true only if a recipient is before the first token of the header. */
function isFirstBehindRole(text: string): boolean {
  const at = text.indexOf(' to=')
  return at !== -1 && at < text.indexOf('<', 1)
}
