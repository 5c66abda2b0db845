/** A training sample that does not end as the model is to end. */

import { isCall } from '../../semantics/message-facts.ts'
import { isAnswer } from '../../semantics/message-kind.ts'
import { answerTerminator } from '../../semantics/terminators.ts'
import { localize } from '../../text/localize.ts'
import { ControlKind } from '../../vocabulary/tokens.ts'
import { example } from '../example.ts'
import { roleSpan, tokenText } from '../message-header-places.ts'
import { hasSoundHeader, isTruncated } from '../message-states.ts'
import type { MessageRule } from '../rule.ts'

/** In training, `<|return|>` teaches the model to stop (2.2 §3, D11). */
export const sampleWithoutReturn: MessageRule = {
  name: 'sample-without-return',
  code: 'W-INTENT-END',
  severity: 'warning',
  scope: 'message',
  section: '2.2 §3, §12, D11',
  summary: 'A training sample does not end with the stop token of a final answer or a call',
  why: 'A training sample must end the way the model must end: a final answer with `<|return|>`, a call with `<|call|>`.\nThis rule applies if `profiles.intent` or a setting says that the transcript is for `training`.',
  bad: example`
    version: 2.2
    profiles: {intent: training}
    <|start|>user<|message|>Hi<|end|>
    <|start|>assistant<|channel|>final<|message|>Hello<|end|>
  `,
  good: example`
    version: 2.2
    profiles: {intent: training}
    <|start|>user<|message|>Hi<|end|>
    <|start|>assistant<|channel|>final<|message|>Hello<|return|>
  `,
  concerns(facts, { intent, hasTurns }) {
    return (
      answerTerminator(intent, true) === ControlKind.return &&
      !hasTurns &&
      hasSoundHeader(facts) &&
      !isTruncated(facts) &&
      !isCall(facts)
    )
  },
  check(context) {
    const { facts, segment, isLast } = context
    if (!isLast) return undefined
    const { view } = context
    if (!isAnswer(facts)) {
      return {
        span: roleSpan(view),
        message: localize`A training sample must end with a final answer or a tool call`,
      }
    }
    const right = tokenText(segment.framing, ControlKind.return)
    if (facts.terminator !== ControlKind.end || !view.terminator || right === undefined) return undefined
    const { span } = view.terminator
    return {
      span,
      message: localize`The final answer of a training sample must end with \`<|return|>\``,
      fixes: [{ title: localize`Write \`<|return|>\``, edits: [{ span, text: right }], isSafe: true }],
    }
  },
}
