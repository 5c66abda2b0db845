/** A Harmony preamble that OpenChatML hides. */

import { localize } from '../../text/localize.ts'
import { preambleIntent } from '../../vocabulary/attributes.ts'
import { example, harmonyHeader } from '../example.ts'
import { jsonArguments } from '../json-arguments.ts'
import { attributeInsertion, channelSpan, roleSpan } from '../message-header-places.ts'
import { isSilentCommentary } from '../message-states.ts'
import type { MessageRule } from '../rule.ts'

/** Harmony shows commentary without recipient; OpenChatML only with the intent (2.2 §12, D21). */
export const hiddenPreamble: MessageRule = {
  name: 'hidden-preamble',
  code: 'H-PREAMBLE-HIDDEN',
  severity: 'hint',
  scope: 'message',
  section: '2.2 §5, §12, D21',
  summary: 'A message that Harmony shows as a preamble is hidden',
  why: 'In Harmony, commentary without a recipient is a preamble for the user.\nOpenChatML hides commentary unless `intent=preamble` asks to show it.\n`intent=status` and `intent=debug` say that it is meant to be hidden.',
  bad: example`
    ${harmonyHeader}
    <|start|>assistant<|channel|>commentary<|message|>I will check that.<|end|>
  `,
  good: example`
    ${harmonyHeader}
    <|start|>assistant intent=preamble<|channel|>commentary<|message|>I will check that.<|end|>
  `,
  concerns(facts, { settings }) {
    return settings.isHarmony && isSilentCommentary(facts)
  },
  check(context) {
    if (jsonArguments(context) !== undefined) return undefined
    const { view } = context
    const edits = [attributeInsertion(view, 'intent', preambleIntent)]
    return {
      span: channelSpan(view, roleSpan(view)),
      message: localize`Users do not see this commentary, but Harmony shows it; add \`intent=${preambleIntent}\` to show it`,
      fixes: [{ title: localize`Insert \`intent=${preambleIntent}\``, edits, isSafe: false }],
    }
  },
}
