/** A stop token in a conversation that went on, or is kept. */

import { isAnswer } from '../../semantics/message-kind.ts'
import { answerTerminator } from '../../semantics/terminators.ts'
import { localize } from '../../text/localize.ts'
import { ControlKind } from '../../vocabulary/tokens.ts'
import { example } from '../example.ts'
import { tokenText } from '../message-header-places.ts'
import { hasSoundHeader } from '../message-states.ts'
import type { MessageRule } from '../rule.ts'

/** `<|return|>` is made at decoding and stored as `<|end|>` (2.2 §12, D11). */
export const storedReturn: MessageRule = {
  name: 'stored-return',
  code: 'W-INTENT-RETURN',
  severity: 'warning',
  scope: 'message',
  section: '2.2 §3, §12, D11',
  summary: 'A final answer that is kept as history ends with `<|return|>`',
  why: 'Models write `<|return|>` to stop. In a conversation that is sent to them again, final answers end with `<|end|>`.\nThis rule applies if `profiles.intent` or a setting says that the transcript is `history`; in a `training` sample, it applies to all answers except the last.',
  bad: example`
    version: 2.2
    profiles: {intent: history}
    <|start|>user<|message|>Hi<|end|>
    <|start|>assistant<|channel|>final<|message|>Hello<|return|>
  `,
  good: example`
    version: 2.2
    profiles: {intent: history}
    <|start|>user<|message|>Hi<|end|>
    <|start|>assistant<|channel|>final<|message|>Hello<|end|>
  `,
  concerns(facts, { intent, hasTurns }) {
    return (
      answerTerminator(intent, false) === ControlKind.end &&
      facts.terminator === ControlKind.return &&
      isAnswer(facts) &&
      hasSoundHeader(facts) &&
      !hasTurns
    )
  },
  check(context) {
    const { segment, intent, isLast } = context
    const wanted = answerTerminator(intent, isLast)
    if (wanted === undefined || wanted === ControlKind.return) return undefined
    const right = tokenText(segment.framing, wanted)
    const { terminator } = context.view
    if (!terminator || right === undefined) return undefined
    const { span } = terminator
    return {
      span,
      message:
        intent === 'history'
          ? localize`A final answer in stored history must end with \`<|end|>\``
          : localize`A final answer before the last of a training sample must end with \`<|end|>\``,
      fixes: [{ title: localize`Write \`<|end|>\``, edits: [{ span, text: right }], isSafe: true }],
    }
  },
}
