/** A channel token without a channel. */

import { localize } from '../../text/localize.ts'
import { isToolRecipient } from '../../vocabulary/attributes.ts'
import { channels, toolChannel } from '../../vocabulary/channels.ts'
import { example } from '../example.ts'
import { wordInsertion } from '../message-header-places.ts'
import { listed, quoted } from '../quoted.ts'
import type { SyntaxRule } from '../rule.ts'

/** An empty channel is not the default one: the message is hidden (D16). */
export const emptyChannel: SyntaxRule = {
  name: 'empty-channel',
  code: 'E-PARSE-HEADER',
  severity: 'error',
  scope: 'syntax',
  kind: 'empty-channel',
  section: '2.2 §5, D16',
  summary: '`<|channel|>` is missing the name of a channel',
  why: 'Without the token, the channel is `final`; the token without a name has no meaning.\nThe intended channel may be private, so the message stays hidden.',
  bad: example`
    version: 2.2
    <|start|>assistant<|channel|><|message|>Let me think.<|end|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant<|channel|>analysis<|message|>Let me think.<|end|>
  `,
  explain({ span }, { segment, facts }) {
    const names = channels.map(({ name }) => name)
    const isOfTool = facts.role === 'tool' || (facts.to !== undefined && isToolRecipient(facts.to))
    const offered = isOfTool ? [toolChannel] : names
    return {
      span,
      message: localize`${quoted(segment.text.slice(span.from, span.to))} is missing a channel; expected one of ${listed(names)}`,
      fixes: offered.map((name) => ({
        title: localize`Insert \`${name}\``,
        edits: [wordInsertion(segment, span.to, name)],
        isSafe: false,
        ...(offered.length > 1 && { isChoice: true }),
      })),
    }
  },
}
