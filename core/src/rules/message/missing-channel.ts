/** A message without channel where the profile asks for one. */

import { usualChannel } from '../../semantics/message-kind.ts'
import { localize } from '../../text/localize.ts'
import { example, harmonyHeader } from '../example.ts'
import { beforeBlanks, insertion, roleSpan } from '../message-header-places.ts'
import { hasCompleteHeader } from '../message-states.ts'
import type { MessageRule } from '../rule.ts'

/** Under the Harmony profile the assistant always names its channel (2.2 §12, D4). */
export const missingChannel: MessageRule = {
  name: 'missing-channel',
  code: 'E-PARSE-CHANNEL-MISSING',
  severity: 'error',
  scope: 'message',
  section: '2.2 §12, §14, D4',
  summary: 'A message is missing the channel that the profile requires',
  why: 'Models that use Harmony write every message on a channel. A message without one is read as `final` in OpenChatML, but its meaning in Harmony is undefined.\nIt is an error for the assistant and a warning for tool replies; other roles have no channel.\nTo turn the check off, set `require_channels` in the profile to an empty list.',
  bad: example`
    ${harmonyHeader}
    <|start|>assistant<|message|>Hi<|return|>
  `,
  good: example`
    ${harmonyHeader}
    <|start|>assistant<|channel|>final<|message|>Hi<|return|>
  `,
  concerns(facts, { settings, hasTurns }) {
    return (
      settings.requiresChannels &&
      !facts.hasChannel &&
      (facts.role === 'assistant' || facts.role === 'tool') &&
      hasCompleteHeader(facts) &&
      !hasTurns
    )
  },
  check(context) {
    const { facts, segment } = context
    const { view } = context
    const channel = usualChannel(facts)
    const headerEnd = view.constraint?.marker.from ?? view.message?.from ?? roleSpan(view).to
    const edits = [insertion(beforeBlanks(segment.text, headerEnd), `<|channel|>${channel}`)]
    return {
      span: roleSpan(view),
      severity: facts.role === 'assistant' ? 'error' : 'warning',
      message:
        facts.role === 'assistant'
          ? localize`Assistant message is missing a channel, which the Harmony profile requires`
          : localize`Tool reply is missing a channel, which the Harmony profile requires`,
      // Without a channel an answer is final already.
      fixes: [
        { title: localize`Insert \`<|channel|>${channel}\``, edits, isSafe: channel === facts.channel },
      ],
    }
  },
}
