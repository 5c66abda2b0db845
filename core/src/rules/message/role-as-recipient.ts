/** A message of the assistant to a role that is not a tool. */

import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { attributeOrRole, removal } from '../message-header-places.ts'
import { quoted } from '../quoted.ts'
import type { MessageRule } from '../rule.ts'

/** The assistant addresses tools (2.2 §6). */
export const roleAsRecipient: MessageRule = {
  name: 'role-as-recipient',
  code: 'H-RECIPIENT-ROLE',
  severity: 'hint',
  scope: 'message',
  section: '2.2 §6',
  summary: 'The assistant addresses a role instead of a tool',
  why: 'A role is not a tool, so the message is not a call. Because it is addressed to someone other than the user, it is hidden.\nModels write `to=assistant` when they mean to continue reasoning.',
  bad: example`
    version: 2.2
    <|start|>assistant to=assistant<|channel|>commentary<|message|>Hm.<|end|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant<|channel|>commentary<|message|>Hm.<|end|>
  `,
  concerns(facts) {
    return facts.role === 'assistant' && facts.to !== undefined && facts.isMessage
  },
  check(context) {
    const { facts, segment } = context
    if (facts.to === undefined || !unusual.has(facts.to)) return undefined
    const span = attributeOrRole(context.view, 'to')
    const title = localize`Remove ${quoted(`to=${facts.to}`)}`
    return {
      span,
      message: localize`${quoted(facts.to)} is a role, not a tool, so this is not a tool call`,
      fixes: [{ title, edits: [removal(segment, span)], isSafe: false }],
    }
  },
}

const unusual: ReadonlySet<string> = new Set(['system', 'developer', 'assistant', 'tool'])
