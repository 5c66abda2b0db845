/** An intent that would show what must stay hidden. */

import { isForbiddenPreamble, isPrivate } from '../../semantics/message-kind.ts'
import { localize } from '../../text/localize.ts'
import { preambleIntent } from '../../vocabulary/attributes.ts'
import { example } from '../example.ts'
import { attributeOrRole, removal } from '../message-header-places.ts'
import type { MessageRule } from '../rule.ts'

/** Only commentary of the assistant can be a preamble (2.2 §5, D15). */
export const forbiddenPreamble: MessageRule = {
  name: 'forbidden-preamble',
  code: 'E-PERM-VISIBILITY',
  severity: 'error',
  scope: 'message',
  section: '2.2 §5, §11, D15',
  summary: '`intent=preamble` is set on a message that users must not see',
  why: 'The intent asks a renderer to show the message.\nMessages on `analysis` are never shown, regardless of the author, and system, developer, and tool messages are not addressed to the user.',
  bad: example`
    version: 2.2
    <|start|>assistant intent=preamble<|channel|>analysis<|message|>Let me think.<|end|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant<|channel|>analysis<|message|>Let me think.<|end|>
  `,
  concerns(facts, { hasTurns }) {
    return facts.intent !== undefined && facts.isMessage && !hasTurns
  },
  check(context) {
    const { facts, segment } = context
    if (!isForbiddenPreamble(facts)) return undefined
    const { view } = context
    if (view.isCut) return undefined
    const span = attributeOrRole(view, 'intent')
    return {
      span,
      message: isPrivate(facts)
        ? localize`\`intent=${preambleIntent}\` does not apply to messages on \`analysis\``
        : localize`\`intent=${preambleIntent}\` does not apply to messages with the role \`${facts.role}\``,
      fixes: [
        {
          title: localize`Remove \`intent=${preambleIntent}\``,
          edits: [removal(segment, span)],
          isSafe: false,
        },
      ],
    }
  },
}
