/** White space between a header token and its word. */

import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { quoted } from '../quoted.ts'
import type { SyntaxRule } from '../rule.ts'

/** The word follows its token at once (D7). */
export const spaceAfterToken: SyntaxRule = {
  name: 'space-after-token',
  code: 'W-TOKEN-SPACE',
  severity: 'warning',
  scope: 'syntax',
  kind: 'space-after-token',
  section: '2.2 §15, D7',
  summary: 'Whitespace separates a header token from its word',
  why: 'The grammar does not allow whitespace there.\nIt is accepted here; the reference implementation of Harmony writes `<|constrain|> json` itself, but cannot read it.',
  bad: example`
    version: 2.2
    <|start|>assistant<|channel|>final<|constrain|> json<|message|>{"ok":true}<|return|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant<|channel|>final<|constrain|>json<|message|>{"ok":true}<|return|>
  `,
  explain({ span }, { segment }) {
    const before = segment.text.slice(0, span.from)
    const token = segment.framing.tokens.find(({ text }) => before.endsWith(text))
    return {
      span,
      message: localize`Unexpected whitespace after ${quoted(token?.text ?? '')}`,
      fixes: [{ title: localize`Remove the whitespace`, edits: [{ span, text: '' }], isSafe: true }],
    }
  },
}
