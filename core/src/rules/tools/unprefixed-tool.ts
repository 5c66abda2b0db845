/** A function that is called without the name of its namespace. */

import { isCall } from '../../semantics/message-facts.ts'
import { functionNamespace } from '../../semantics/tool-index.ts'
import { localize } from '../../text/localize.ts'
import { functionPrefix } from '../../vocabulary/roles.ts'
import { definedHere, mayCall } from '../call-findings.ts'
import { definedTools, example, weatherTool } from '../example.ts'
import { attributeNamed, attributeSpan } from '../message-header-places.ts'
import { hasSoundHeader } from '../message-states.ts'
import { quoted } from '../quoted.ts'
import type { MessageRule } from '../rule.ts'

/** The recipient of a function is `functions.NAME` (2.2 §6, §12); the bare name is accepted (D5). */
export const unprefixedTool: MessageRule = {
  name: 'unprefixed-tool',
  code: 'H-TOOL-PREFIX',
  severity: 'hint',
  scope: 'message',
  section: '2.2 §6, §8.2, D5',
  summary: 'A function is called without `functions.` before its name',
  why: 'The call is accepted, and checked like any other.\nBut the tool is defined in the namespace `functions`, and a runtime that routes by the whole name does not know the bare name.',
  bad: example`
    ${definedTools(weatherTool)}
    <|start|>assistant to=get_weather call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"location":"Oslo"}<|call|>
  `,
  good: example`
    ${definedTools(weatherTool)}
    <|start|>assistant to=functions.get_weather call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"location":"Oslo"}<|call|>
  `,
  concerns(facts) {
    return mayCall(facts) && isCall(facts)
  },
  check(context) {
    const { facts, segment, analysis } = context
    if (facts.to === undefined || analysis.tools.isEmpty || facts.to.includes('.')) return undefined
    if (!hasSoundHeader(facts)) return undefined
    const tool = analysis.tools.tool(facts.to, segment)
    if (tool?.definition.namespace !== functionNamespace) return undefined
    const recipient = attributeNamed(context.view, 'to')
    if (!recipient?.value) return undefined
    const name = `${functionPrefix}${facts.to}`
    return {
      span: attributeSpan(recipient),
      message: localize`${quoted(facts.to)} is defined as ${quoted(name)}`,
      related: [definedHere(tool)],
      fixes: [
        {
          title: localize`Call ${quoted(name)}`,
          edits: [{ span: recipient.value.span, text: name }],
          isSafe: false,
        },
      ],
    }
  },
}
