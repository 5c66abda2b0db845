/** Text before the first message of 0.1. */

import { preambleView } from '../../syntax/preamble-view.ts'
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import type { HeaderRule } from '../rule.ts'

/** OpenChatML 0.1 needs no header, so text before its first message is not a broken one (D3). */
export const textBeforeMessages: HeaderRule = {
  name: 'text-before-messages',
  code: 'E-STRAY-TEXT',
  severity: 'error',
  scope: 'header',
  section: '0.1 §2, D3',
  summary: 'Text appears before the first message of a 0.1 transcript',
  why: 'Text has a meaning only inside messages, files, and fill-in-the-middle tasks.\nA YAML header is allowed before the first message, although 0.1 does not need one.',
  bad: example`
    Dear reader
    <|im_start|>user
    Hi<|im_end|>
  `,
  good: example`
    <|im_start|>user
    Hi<|im_end|>
  `,
  check({ preamble, header }) {
    if (preamble.kind !== 'preamble' || preamble.framing.name !== 'chatml') return []
    const { yaml } = preambleView(preamble)
    if (!yaml || header.yaml.isEmpty || header.yaml.value !== undefined) return []
    const text = preamble.text.slice(yaml.from, yaml.to)
    const from = yaml.from + text.search(/\S/)
    const to = yaml.from + text.trimEnd().length
    return [
      {
        span: { from, to },
        message: localize`Text before the first message`,
        fixes: [
          {
            title: localize`Remove the text`,
            edits: [{ span: { from: yaml.from, to: yaml.to }, text: '' }],
            isSafe: false,
          },
        ],
      },
    ]
  },
}
