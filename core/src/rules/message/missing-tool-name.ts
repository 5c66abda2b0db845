/** A reply that does not say of which tool. */

import { factsOf } from '../../semantics/message-facts.ts'
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { attributeInsertion, roleSpan } from '../message-header-places.ts'
import { hasSoundHeader, lacksToolName } from '../message-states.ts'
import { quoted } from '../quoted.ts'
import type { MessageRule } from '../rule.ts'

/** On the role `tool`, `name=` carries the tool's name (2.2 §6, D25); version 2.0 knows it as a display name only (2.0 §4, §6). */
export const missingToolName: MessageRule = {
  name: 'missing-tool-name',
  code: 'E-PARSE-HEADER',
  severity: 'error',
  scope: 'message',
  section: '2.2 §6, D25',
  summary: 'A `tool` message has no `name`',
  why: 'The name says which tool replied. Without it, a reply cannot be matched with its call by tool or exported to Harmony, which writes the name in place of the role.\nUnder `version: 2.0`, where `name=` is an optional display name, nothing is reported.',
  bad: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>
    <|start|>tool call_id=c1 to=assistant<|channel|>commentary<|message|>1<|end|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>
    <|start|>tool name=functions.f call_id=c1 to=assistant<|channel|>commentary<|message|>1<|end|>
  `,
  concerns(facts, { hasTurns }) {
    return lacksToolName(facts) && hasSoundHeader(facts) && !hasTurns
  },
  check(context) {
    const { segment, analysis } = context
    if (analysis.dialect === '2.0') return undefined
    const call = analysis.exchanges.exchange(segment)?.partner
    const tool = call && factsOf(call)?.to
    const span = roleSpan(context.view)
    const message = localize`A \`tool\` message is missing \`name=\`, the name of its tool`
    if (tool === undefined) return { span, message }
    const edits = [
      { ...attributeInsertion(context.view, 'name', tool), span: { from: span.to, to: span.to } },
    ]
    return {
      span,
      message,
      fixes: [
        { title: localize`Insert ${quoted(`name=${tool}`)}, the tool of the call`, edits, isSafe: false },
      ],
    }
  },
}
