/** A legacy reply that Harmony's reference rejects. */

import { localize } from '../../text/localize.ts'
import { isReplyRole } from '../../vocabulary/roles.ts'
import { example, harmonyHeader } from '../example.ts'
import { attributeInsertion, roleSpan } from '../message-header-places.ts'
import { hasSoundHeader, isForHarmony } from '../message-states.ts'
import { quoted } from '../quoted.ts'
import type { MessageRule } from '../rule.ts'

/** A tool's name is known as a role only where a recipient follows (2.2 §12). */
export const unreadReply: MessageRule = {
  name: 'unread-reply',
  code: 'H-HARMONY-REPLY',
  severity: 'hint',
  scope: 'message',
  section: '2.2 §4, §12',
  summary: "A legacy reply without `to=assistant` is rejected by Harmony's reference parser",
  why: "The message is accepted here.\nHarmony's reference parser reads an unknown word as a tool's name only if another word follows it in the header; otherwise it stops with an unknown role.",
  bad: example`
    ${harmonyHeader}
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>
    <|start|>functions.f call_id=c1<|channel|>commentary<|message|>1<|end|>
  `,
  good: example`
    ${harmonyHeader}
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>
    <|start|>functions.f to=assistant call_id=c1<|channel|>commentary<|message|>1<|end|>
  `,
  concerns(facts) {
    return facts.role === 'tool' && !facts.hasRecipient && hasSoundHeader(facts)
  },
  check(context) {
    const { facts, analysis } = context
    if (facts.roleWord === undefined || !isReplyRole(facts.roleWord) || !isForHarmony(context))
      return undefined
    const { view } = context
    return {
      span: roleSpan(view),
      message: localize`Harmony's reference parser rejects ${quoted(facts.roleWord)} without \`to=assistant\``,
      fixes: [
        {
          title: localize`Insert \`to=assistant\``,
          edits: [attributeInsertion(view, 'to', 'assistant')],
          // A recipient is a feature of 2.x, and makes a bare word after the channel a content type.
          isSafe: view.bareContentType === undefined && (analysis.settings.hasHeader || facts.usesVersion2),
        },
      ],
    }
  },
}
