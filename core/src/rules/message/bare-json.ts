/** A call whose type is bare after the channel. */

import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { removal } from '../message-header-places.ts'
import type { MessageRule } from '../rule.ts'

/** `<|constrain|>json` says the same and is enforced (D7). */
export const bareJson: MessageRule = {
  name: 'bare-json',
  code: 'H-BARE-JSON',
  severity: 'hint',
  scope: 'message',
  section: '2.2 §12, D7',
  summary: 'A tool call has the word `json` after its channel instead of a constraint',
  why: 'Some chat templates write `commentary json`.\nIt is accepted as a hint about the type; `<|constrain|>json` is the canonical form, and the body is checked.',
  bad: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary json<|message|>{}<|call|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>{}<|call|>
  `,
  concerns(facts) {
    return (
      facts.role === 'assistant' &&
      facts.to !== undefined &&
      facts.constraint === undefined &&
      !facts.isMalformed
    )
  },
  check(context) {
    const { facts, segment } = context
    if (facts.contentType !== 'json') return undefined
    const word = context.view.bareContentType
    if (word?.text !== 'json') return undefined
    const edits = [{ ...removal(segment, word.span), text: '<|constrain|>json' }]
    return {
      span: word.span,
      message: localize`The type \`json\` is not checked without \`<|constrain|>\``,
      fixes: [{ title: localize`Write \`<|constrain|>json\``, edits, isSafe: false }],
    }
  },
}
