/** Two channels in one header. */

import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { quoted } from '../quoted.ts'
import type { SyntaxRule } from '../rule.ts'

/** A message has exactly one channel; the first one counts (2.2 §5, D16). */
export const repeatedChannel: SyntaxRule = {
  name: 'repeated-channel',
  code: 'E-PARSE-HEADER',
  severity: 'error',
  scope: 'syntax',
  kind: 'repeated-channel',
  section: '2.2 §5, D16',
  summary: 'A message header names a second channel',
  why: 'A message has exactly one channel, and the channel determines who sees it.\nThe first one is used here; other readers append the second one to the recipient, or reject the message.',
  bad: example`
    version: 2.2
    <|start|>assistant<|channel|>analysis<|channel|>commentary<|message|>Need a tool.<|end|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant<|channel|>analysis<|message|>Need a tool.<|end|>
  `,
  explain({ span }, { segment, view }) {
    const second = quoted(segment.text.slice(span.from, span.to))
    const first = view.channel?.value?.text
    return {
      span,
      message: first
        ? localize`${second} is a second channel; the message is already on ${quoted(first)}`
        : localize`${second} is a second channel`,
      fixes: [{ title: localize`Remove ${second}`, edits: [{ span, text: '' }], isSafe: false }],
      related: view.channel
        ? [{ segment, span: view.channel.marker, message: localize`The first channel` }]
        : [],
    }
  },
}
