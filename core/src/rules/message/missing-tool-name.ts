/** A reply that does not say of which tool. */

import { factsOf } from '../../semantics/message-facts.ts'
import { localize } from '../../text/localize.ts'
import { attributeInsertion, roleSpan } from '../header-parts.ts'
import { hasSoundHeader, lacksToolName } from '../message-states.ts'
import { quoted } from '../quoted.ts'
import type { MessageRule } from '../rule.ts'

/** On the role `tool`, `name=` carries the tool's name (2.2 §6, D25). */
export const missingToolName: MessageRule = {
  name: 'missing-tool-name',
  code: 'E-PARSE-HEADER',
  severity: 'error',
  scope: 'message',
  section: '2.2 §6, D25',
  summary: 'A `tool` message has no `name`',
  why: 'The name tells which tool replied; without it a reply cannot be matched with its call by tool, nor exported to Harmony, where the name takes the place of the role.',
  bad: 'version: 2.2\n<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>\n<|start|>tool call_id=c1 to=assistant<|channel|>commentary<|message|>1<|end|>\n',
  good: 'version: 2.2\n<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>\n<|start|>tool name=functions.f call_id=c1 to=assistant<|channel|>commentary<|message|>1<|end|>\n',
  concerns(facts, { hasTurns }) {
    return lacksToolName(facts) && hasSoundHeader(facts) && !hasTurns
  },
  check(context) {
    const { segment, analysis } = context
    const call = analysis.exchanges.exchange(segment)?.partner
    const tool = call && factsOf(call)?.to
    const span = roleSpan(context.view)
    const message = localize`A \`tool\` message needs the name of its tool in \`name=\``
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
