/** A call under the Harmony profile whose JSON nothing announces. */

import { isCall } from '../../semantics/message-facts.ts'
import { localize } from '../../text/localize.ts'
import { ControlKind } from '../../vocabulary/tokens.ts'
import { example, harmonyHeader } from '../example.ts'
import { jsonArguments } from '../json-arguments.ts'
import { attributeOrRole, beforeBlanks, insertion, tokenText } from '../message-header-places.ts'
import { hasSoundHeader } from '../message-states.ts'
import type { MessageRule } from '../rule.ts'

/** Under HIP-1 the constraint is before the body of a JSON call (2.2 §12). */
export const unconstrainedCall: MessageRule = {
  name: 'unconstrained-call',
  code: 'H-CALL-UNCONSTRAINED',
  severity: 'hint',
  scope: 'message',
  section: '2.2 §12',
  summary: 'Under the Harmony profile, a JSON call is missing its constraint',
  why: 'Models that speak Harmony write `<|constrain|>json` before the arguments of a function.\nWith it, the body is checked, and the transcript matches what a model would write.',
  bad: example`
    ${harmonyHeader}
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{"a": 1}<|call|>
  `,
  good: example`
    ${harmonyHeader}
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"a": 1}<|call|>
  `,
  concerns(facts, { settings }) {
    return (
      settings.isHarmony &&
      isCall(facts) &&
      facts.terminator === ControlKind.call &&
      facts.constraint === undefined &&
      facts.contentType === undefined &&
      facts.hasChannel &&
      hasSoundHeader(facts)
    )
  },
  check(context) {
    const { segment } = context
    if (jsonArguments(context) === undefined) return undefined
    const { view } = context
    const marker = tokenText(segment.framing, ControlKind.constrain)
    if (!view.message || marker === undefined) return undefined
    const edits = [insertion(beforeBlanks(segment.text, view.message.from), `${marker}json`)]
    return {
      span: attributeOrRole(view, 'to'),
      message: localize`The arguments are JSON, but \`${marker}json\` is missing`,
      fixes: [{ title: localize`Insert \`${marker}json\``, edits, isSafe: false }],
    }
  },
}
